import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { listTasks } from '#contract/task.ts'
import { login } from '#contract/viewer.ts'
import { BROKEN_ANSWER } from '../http/server.ts'
import { type Answer, type Asked, type Caller, callerOver } from './caller.ts'
import { CLI, type Launched, launch, MAIN } from './launch.ts'
import { type TestPostgres, template, testPostgres } from './postgres.ts'
import { testClickHouseDatabase } from './warehouse.ts'

const PASSWORD = 'right-password'
/** Enough for a start on a busy machine. */
const START_MS = 90_000
const SETTLE_MS = 120_000

export interface RealServer {
  dataDir: string
  /** The current process's origin; each process has another port. */
  origin(): Promise<string>
  /** The first admin, whose session outlives the process; signed out before the first start. */
  admin: Caller
  /** `main` is the program of another checkout. */
  start(main?: string): Promise<void>
  /** Kills the process without a clean shutdown. */
  kill(): Promise<void>
  /** The current or last process. */
  launched(): Launched | undefined
  /** Runs a command of the command line on the same stores. */
  typed(...words: string[]): Launched['ended']
  /** Waits until no task runs. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface RealServerOptions {
  /** The program makes its embedded database itself. By default it starts on a copy of one migrated for all tests. */
  makesAll?: boolean
  /** Starts with a copy of the DATA_DIR of this server, which is not running. */
  copyOf?: RealServer
}

/** The real program over a DATA_DIR (and RENQUN_TEST_POSTGRES, RENQUN_TEST_CLICKHOUSE) of its own, to be killed and started again. */
export function realServer(
  env: Record<string, string> = {},
  { makesAll = false, copyOf }: RealServerOptions = {},
): RealServer {
  const directory = mkdtempSync(join(tmpdir(), 'renqun-real-'))
  const dataDir = join(directory, 'data')
  let database: TestPostgres | undefined
  let warehouse: Awaited<ReturnType<typeof testClickHouseDatabase>> | undefined
  let running: Launched | undefined
  let origin = ''

  const caller = (cookie: string) =>
    callerOver(cookie, async <D>({ method, url, headers, body }: Asked) => {
      const answer = await fetch(origin + url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { ...((await answer.json()) as Omit<Answer<D>, 'status'>), status: answer.status }
    })

  async function signIn(): Promise<Caller> {
    const answer = await fetch(origin + login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    })
    expect(answer.status).toBe(200)
    return caller(answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  }

  const stores = () => ({
    DATA_DIR: dataDir,
    ...(database?.databaseUrl && { DATABASE_URL: database.databaseUrl }),
    ...(warehouse && { CLICKHOUSE_URL: warehouse.url }),
    ...env,
  })

  const server: RealServer = {
    dataDir,
    origin: async () => origin,
    admin: caller(copyOf?.admin.cookie ?? ''),
    async start(main = MAIN) {
      if (copyOf && !existsSync(dataDir)) cpSync(copyOf.dataDir, dataDir, { recursive: true })
      if (process.env.RENQUN_TEST_POSTGRES && !env.DATABASE_URL) database ??= await testPostgres()
      const clickhouse = process.env.RENQUN_TEST_CLICKHOUSE
      if (clickhouse && !env.CLICKHOUSE_URL && !copyOf) warehouse ??= await testClickHouseDatabase(clickhouse)
      const isEmbedded = !database && !env.DATABASE_URL
      if (isEmbedded && !makesAll && !existsSync(dataDir)) {
        cpSync(await template(), join(dataDir, 'postgres'), { recursive: true })
      }
      const launched = launch(main, [], { PORT: '0', ADMIN_PASSWORD: PASSWORD, ...stores() })
      running = launched
      const up = /人群已启动：(\S+)/
      await vi.waitUntil(() => up.test(launched.printed()) || launched.child.exitCode !== null, {
        timeout: START_MS,
        interval: 50,
      })
      expect(launched.printed()).toMatch(up)
      origin = up.exec(launched.printed())?.[1] ?? ''
      if (!server.admin.cookie) server.admin = await signIn()
    },
    async kill() {
      running?.child.kill('SIGKILL')
      await running?.ended
      expect(running?.printed() ?? '').not.toContain(BROKEN_ANSWER)
    },
    launched: () => running,
    typed: (...words) => launch(CLI, words, stores()).ended,
    async settled() {
      await vi.waitFor(async () => expect((await server.admin.get(listTasks)).running).toBe(0), {
        timeout: SETTLE_MS,
        interval: 200,
      })
    },
    async close() {
      await server.kill()
      await database?.close()
      await warehouse?.drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return server
}
