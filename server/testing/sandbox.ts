import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'
import { consentOn } from './consent-page.ts'

/** The stand-in for both platforms over HTTP, with its control calls, for the tests of one file. */
export async function testSandbox() {
  const dir = mkdtempSync(join(tmpdir(), 'renqun-sandbox-'))
  const sandbox = await startSandbox({ port: 0, dir })

  async function control<T = unknown>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'x-sandbox-key': sandbox.key },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  return {
    ...sandbox,
    control,
    consent: consentOn,
    async close() {
      await sandbox.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type TestSandbox = Awaited<ReturnType<typeof testSandbox>>
