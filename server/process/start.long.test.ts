import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CLI, launch as launchIt, MAIN } from '../testing/launch.ts'
import { startS3 } from '../testing/s3-store.ts'
import { readLock } from './lock.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'renqun-start-'))

// Each test starts processes of its own, possibly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const launch = (...given: Parameters<typeof launchIt>) => {
  const launched = launchIt(...given)
  return {
    ...launched,
    said: (pattern: RegExp) => vi.waitFor(() => expect(launched.printed()).toMatch(pattern), { timeout: 50_000 }),
  }
}

const serverIn = (name: string, env: Record<string, string> = {}) =>
  launch(MAIN, [], { DATA_DIR: join(ROOT, name), PORT: '0', ...env })
/** Accepts every connection and never answers. */
async function silentServer() {
  const silent = createTcpServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  return { port: (silent.address() as AddressInfo).port, close: () => silent.close() }
}
const typed = (name: string, ...words: string[]) => launch(CLI, words, { DATA_DIR: join(ROOT, name) }).ended

afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

// Concurrent, since most of the time these tests wait for servers that never answer.
describe.concurrent('a start that fails prints one sentence and exits with code 1', () => {
  const closing: (() => unknown)[] = []
  afterAll(async () => {
    for (const part of closing.splice(0)) await part()
  })

  async function refused(name: string, env: Record<string, string>): Promise<string> {
    const { code, out, err } = await serverIn(name, env).ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    return err.trim()
  }

  test('a wrong setting', async () => {
    expect(await refused('setting', { PORT: 'http' })).toBe('设置 PORT 不正确：要写成 0 到 65535 的整数')
  })

  test('a password of the first admin that is easily guessed', async () => {
    expect(await refused('password', { ADMIN_PASSWORD: 'Password123' })).toBe(
      '设置 ADMIN_PASSWORD 不正确：这个密码太常见，容易被猜到，请换一个',
    )
  })

  test('a port in use', async () => {
    const other = createTcpServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    closing.push(() => other.close())
    const { port } = other.address() as AddressInfo
    expect(await refused('port', { PORT: String(port) })).toContain(`端口 ${port} 已被占用`)
  })

  test('an address that this machine does not have', async () => {
    expect(await refused('host', { HOST: '203.0.113.1', PORT: '3000' })).toContain('本机没有地址 203.0.113.1')
  })

  test('a DATA_DIR that cannot be written', async () => {
    writeFileSync(join(ROOT, 'file'), '')
    expect(await refused(join('file', 'data'), {})).toContain('不可写：它或它的上级是一个文件')
  })

  test.runIf(process.platform === 'linux')('a DATA_DIR where no directory can be created', async () => {
    expect(await refused('proc', { DATA_DIR: '/proc/renqun/data' })).toContain('DATA_DIR /proc/renqun/data 不可写')
  })

  test('a DATABASE_URL where no server listens', async () => {
    const sentence = await refused('database', { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/renqun' })
    expect(sentence).toContain('无法连接数据库 postgres://me')
    expect(sentence).not.toContain('secret')
  })

  test('a DATABASE_URL whose server accepts connections and never answers', async () => {
    const { port, close } = await silentServer()
    closing.push(close)
    expect(await refused('silent', { DATABASE_URL: `postgres://me@127.0.0.1:${port}/renqun` })).toContain(
      '无法连接数据库',
    )
  })

  test('a CLICKHOUSE_URL where no server listens', async () => {
    expect(await refused('clickhouse', { CLICKHOUSE_URL: 'http://127.0.0.1:1' })).toMatch(/CLICKHOUSE_URL|数据仓库/)
  })

  test('a CLICKHOUSE_URL where something else answers, before an embedded database is created', async () => {
    const other = createHttpServer((_, answer) => answer.end(`<html>${'<p>hello</p>'.repeat(1000)}`))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    closing.push(() => other.close())
    const { port } = other.address() as AddressInfo
    expect(await refused('page', { CLICKHOUSE_URL: `http://127.0.0.1:${port}` })).toBe(
      `CLICKHOUSE_URL 指定的 127.0.0.1:${port} 上不是 ClickHouse 的 HTTP 接口（它的端口通常是 8123）`,
    )
    expect(existsSync(join(ROOT, 'page', 'postgres'))).toBe(false)
  })

  test('an OBJECT_STORE_URL whose store is unreachable, or refuses the keys or the bucket', async () => {
    const store = await startS3()
    const { url } = store
    closing.push(store.close)
    const said = await Promise.all([
      refused('keys', { OBJECT_STORE_URL: url.replace(/:[^:@/]+@/, ':wrong-secret@') }),
      refused('bucket', { OBJECT_STORE_URL: url.replace(/[^/]+$/, 'none') }),
      refused('away', { OBJECT_STORE_URL: 'http://key:wrong-secret@127.0.0.1:2/bucket' }),
    ])
    expect(said).toEqual([
      'OBJECT_STORE_URL 指定的对象存储无法使用：Access Key 与 Secret Key 不符（SignatureDoesNotMatch）',
      'OBJECT_STORE_URL 指定的对象存储无法使用：没有桶 none，请先建立它',
      'OBJECT_STORE_URL 指定的对象存储无法使用：那里没有程序在监听（connect ECONNREFUSED 127.0.0.1:2）',
    ])
  })

  test('a second signal some time after the first', async () => {
    const { port, close } = await silentServer()
    closing.push(close)
    const { child, said, ended } = serverIn('impatient', { DATABASE_URL: `postgres://me@127.0.0.1:${port}/renqun` })
    await vi.waitFor(() => expect(existsSync(join(ROOT, 'impatient', 'lock'))).toBe(true), { timeout: 50_000 })
    child.kill('SIGINT')
    await said(/收到 SIGINT/)
    await pause(1100)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 130 })
  })
})

describe('a running server', () => {
  let server: ReturnType<typeof launch>
  let url = ''
  let password = ''
  const kept: ChildProcess[] = []

  beforeAll(async () => {
    server = serverIn('running')
    kept.push(server.child)
    await server.said(/首次登录：用户名 admin，密码 \S+（/)
    url = readLock(join(ROOT, 'running'))?.url ?? ''
  })
  afterAll(() => {
    for (const child of kept) child.kill('SIGKILL')
  })

  const passwordIn = (out: string) => /新密码：(\S+)/.exec(out)?.[1] ?? ''
  const signIn = async (secret: string) => {
    const answer = await fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: 'admin', password: secret }),
    })
    return answer.status
  }

  test('answers, and locks its directory', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const second = await serverIn('running').ended
    expect(second.code).toBe(1)
    expect(second.err).toContain(`正被另一个进程使用（进程 ${server.child.pid}，地址 ${url}）`)
  })

  test('runs commands for the command line, which runs them itself once the server has stopped', async () => {
    const first = await typed('running', 'reset-password')
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(await signIn(passwordIn(first.out))).toBe(200)
    expect(await typed('running', 'reset-password', '张三')).toMatchObject({
      code: 1,
      out: '',
      err: '成员「张三」不存在或已被删除\n',
    })

    // The reader of its log has gone.
    server.child.stdout?.destroy()
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })

    const alone = await typed('running', 'reset-password')
    password = passwordIn(alone.out)
    expect({ ...alone, out: alone.out.replace(/：\S+/, '') }).toEqual({ ...first, out: first.out.replace(/：\S+/, '') })
    expect(await typed('running', 'reset-password', '张三')).toMatchObject({
      code: 1,
      err: '成员「张三」不存在或已被删除\n',
    })
  })

  test('restarts on its stores without creating a second admin, and keeps its time zone', async () => {
    const moved = await serverIn('running', { TIMEZONE: 'America/New_York' }).ended
    expect(moved).toMatchObject({ code: 1, out: '' })
    expect(moved.err).toContain('与首次启动时的 Asia/Shanghai 不同')
    const sealed = await serverIn('running', { SECRET_KEY: 'another secret, of thirty-two signs' }).ended
    expect(sealed).toMatchObject({ code: 1, out: '' })
    expect(sealed.err).toMatch(/^设置 SECRET_KEY 与首次启动时的不同.*\n$/)
    const began = Date.now()
    const again = serverIn('running')
    kept.push(again.child)
    await again.said(/人群已启动/)
    console.log(`the second start serves after ${((Date.now() - began) / 1000).toFixed(1)} s`)
    // Nothing is created or loaded again: existing people and passwords are kept.
    expect(again.printed()).toMatch(/^用已有的账号登录/m)
    expect(again.printed()).not.toMatch(/首次登录|示例数据/)
    url = readLock(join(ROOT, 'running'))?.url ?? ''
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await signIn(password)).toBe(200)
    // As in a terminal: npm forwards a signal that the terminal already sent to both.
    again.child.kill('SIGINT')
    await again.said(/收到 SIGINT/)
    again.child.kill('SIGINT')
    expect(await again.ended).toMatchObject({ code: 0 })
  })

  test('does not start if its warehouse is lost, says what to do, and starts once that is done', async () => {
    rmSync(join(ROOT, 'running', 'warehouse'), { recursive: true })
    const { code, out, err } = await serverIn('running').ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    const warehouseId = /ADOPT_WAREHOUSE=(\w{8}) 启动一次/.exec(err)?.[1] ?? ''
    const adopted = serverIn('running', { ADOPT_WAREHOUSE: warehouseId })
    kept.push(adopted.child)
    await adopted.said(/人群已启动/)
  })
})

test('a command that needs existing data creates no directory', async () => {
  for (const words of [['reset-password'], ['tags', 'rebuild']]) {
    expect(await typed('mistyped', ...words)).toMatchObject({
      code: 1,
      out: '',
      err: `DATA_DIR ${join(ROOT, 'mistyped')} 中没有人群的数据：请检查 DATA_DIR，或先用 npm start 启动一次\n`,
    })
  }
  expect(existsSync(join(ROOT, 'mistyped'))).toBe(false)
})

test('without a command name the commands are listed', async () => {
  expect(await typed('none')).toMatchObject({ code: 0, out: expect.stringContaining('reset-password') })
  expect(await typed('none', 'reset-pasword')).toMatchObject({
    code: 1,
    err: expect.stringContaining('没有命令 reset-pasword'),
  })
  expect(await typed('none', 'reset-password', '--help')).toMatchObject({
    code: 0,
    out: expect.stringContaining('用法'),
  })
})
