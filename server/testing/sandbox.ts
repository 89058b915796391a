import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'

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
    /** Consents on the platform's page with what a person chooses, by default everything; answers the redirect's URL. */
    async consent(
      pageUrl: string,
      choice: { login?: string; accounts?: string[]; scopes?: string[]; decision?: 'approve' | 'deny' } = {},
    ): Promise<URL> {
      const url = new URL(pageUrl)
      if (choice.login) url.searchParams.set('login', choice.login)
      const html = await (await fetch(url)).text()
      const values = (name: string, ticked: boolean) =>
        [...html.matchAll(new RegExp(`name="${name}" value="([^"]+)"( checked)?`, 'g'))]
          .filter(([, , isChecked]) => !ticked || isChecked)
          .map(([, value = '']) => value)
      const form = new URLSearchParams({
        login: values('login', false)[0] ?? '',
        decision: choice.decision ?? 'approve',
      })
      for (const account of choice.accounts ?? values('account', true)) form.append('account', account)
      for (const scope of choice.scopes ?? values('scope', true)) form.append('scope', scope)
      const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
      const location = answer.headers.get('location')
      if (!location) throw new Error(await answer.text())
      return new URL(location)
    },
    async close() {
      await sandbox.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type TestSandbox = Awaited<ReturnType<typeof testSandbox>>
