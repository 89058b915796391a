import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { readSettings } from '../config/settings.ts'
import { platformAddresses } from './addresses.ts'
import { type SandboxProcess, sandboxProcess } from './sandbox-process.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'renqun-sandbox-process-'))
const closing: (() => unknown)[] = []
// Each test starts processes of its own, possibly on a busy machine.
vi.setConfig({ testTimeout: 60_000 })
afterEach(async () => {
  for (const part of closing.splice(0)) await part()
})
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

let made = 0
const aDirectory = () => join(ROOT, String(++made))
function opened(dir = aDirectory()): SandboxProcess & { dir: string } {
  const process = sandboxProcess(dir)
  closing.push(process.close)
  return { ...process, dir }
}
/** Whether it answers at all: without the key it refuses. */
const answers = (url: string) =>
  fetch(`${url}/sandbox/state`).then(
    ({ status }) => status === 403,
    () => false,
  )
const keyOf = async (box: SandboxProcess) => new URL(await box.page()).searchParams.get('key') ?? ''
const pidOf = (dir: string) =>
  Number(
    execFileSync('pgrep', ['-f', `sandbox/main.ts ${dir}$`], { encoding: 'utf8' })
      .trim()
      .split('\n')[0],
  )

describe('the sandbox beside the server', () => {
  test('is started once, when it is first needed', async () => {
    const box = opened()
    const [one, other] = await Promise.all([box.url(), box.url()])
    expect(one).toBe(other)
    expect(await answers(one)).toBe(true)
  })

  test('ends when it is closed, and is not started again', async () => {
    const box = opened()
    const url = await box.url()
    await box.close()
    expect(await answers(url)).toBe(false)
    await expect(box.url()).rejects.toThrow('closed')
  })

  test('is restarted on the same port with the same state when it dies', async () => {
    const box = opened()
    const url = await box.url()
    const headers = { 'content-type': 'application/json', 'x-sandbox-key': await keyOf(box) }
    const body = JSON.stringify({ coverage_percent: 31 })
    await fetch(`${url}/sandbox/switches`, { method: 'POST', headers, body })
    process.kill(pidOf(box.dir), 'SIGKILL')
    await vi.waitFor(async () => expect(await answers(url)).toBe(true), { timeout: 20_000, interval: 100 })
    expect(await box.url()).toBe(url)
    expect(await (await fetch(`${url}/sandbox/state`, { headers })).json()).toMatchObject({
      switches: { coverage_percent: 31 },
    })
  })

  test('ends with a killed server, and ignores the signals of its terminal', async () => {
    const dir = aDirectory()
    const program = `
      const { sandboxProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'sandbox-process.ts'))})
      console.log(await sandboxProcess(${JSON.stringify(dir)}).url())
      setInterval(() => {}, 1000)`
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const url = line.toString().trim()
    process.kill(pidOf(dir), 'SIGTERM')
    process.kill(pidOf(dir), 'SIGINT')
    expect(await answers(url)).toBe(true)
    server.kill('SIGKILL')
    await vi.waitFor(async () => expect(await answers(url)).toBe(false), { timeout: 20_000, interval: 100 })
  })
})

describe('the address of a platform', () => {
  const addressesFor = (env: Record<string, string>) => {
    const addresses = platformAddresses(readSettings({ DATA_DIR: aDirectory(), ...env }))
    closing.push(addresses.close)
    return addresses
  }

  test('is the real one if it is configured, otherwise the sandbox', async () => {
    const addresses = addressesFor({
      PLATFORM_SOCIAL_URL: 'https://api.example.com/',
      PLATFORM_SOCIAL_APP_ID: '12',
      PLATFORM_SOCIAL_SECRET: 's',
    })
    expect(addresses.kindOf('social')).toBe('real')
    expect(await addresses.of('social')).toEqual({
      url: 'https://api.example.com',
      appId: '12',
      secret: 's',
      isSandbox: false,
    })
    expect(addresses.kindOf('video')).toBe('sandbox')
    const video = await addresses.of('video')
    expect(video).toMatchObject({ isSandbox: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/video$/) })
  })

  test('is an external sandbox if a URL is set without an application', async () => {
    const addresses = addressesFor({ PLATFORM_VIDEO_URL: 'http://127.0.0.1:9/video' })
    expect(addresses.kindOf('video')).toBe('sandbox')
    expect(await addresses.of('video')).toMatchObject({ url: 'http://127.0.0.1:9/video', isSandbox: true })
  })

  test('is missing in a process that only serves pages', async () => {
    const addresses = addressesFor({
      ROLE: 'web',
      DATABASE_URL: 'postgres://me:pw@127.0.0.1/renqun',
      CLICKHOUSE_URL: 'http://me:pw@127.0.0.1:8123/renqun',
    })
    expect(addresses.kindOf('social')).toBeNull()
    expect(await addresses.of('social')).toBeNull()
  })
})
