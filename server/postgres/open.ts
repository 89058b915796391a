import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { networkReason } from '../network/network-reason.ts'
import { StartError } from '../start-error.ts'
import { isDatabaseAway, watchConnections } from './away.ts'
import { startPglite } from './pglite.ts'
import type { Database } from './schema.ts'
import { guardPool, guardTransactions } from './transaction.ts'

const POOL_SIZE = 8
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
/** Idle time before keep-alive probes, which detect a server that vanished while no statement runs. */
const KEEP_ALIVE_AFTER_MS = 30_000

export interface Postgres<DB = Database> {
  db: Kysely<DB>
  pool: pg.Pool
  /** Whether it is PGlite, which only this process can use. */
  embedded: boolean
  /** Waits for running statements, then closes. */
  close(): Promise<void>
}

/** Opens the Postgres at `databaseUrl`, or PGlite in `dataDir`: the same driver and the same parsers for both. */
export async function openPostgres<DB = Database>(at: {
  databaseUrl?: string | undefined
  dataDir: string
}): Promise<Postgres<DB>> {
  const pglite = at.databaseUrl === undefined ? await startPglite(at.dataDir) : undefined
  const pool = new pg.Pool({
    ...(pglite ? { host: pglite.host, user: 'postgres', database: 'postgres' } : { connectionString: at.databaseUrl }),
    max: POOL_SIZE,
    connectionTimeoutMillis: pglite ? 0 : CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: pglite ? 0 : IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // Each process has its own name, so that a start can see whether another process uses the database.
    application_name: `renqun ${randomUUID()}`,
    types: { getTypeParser },
  })
  const isServing = watchConnections(pool)
  await checkServer(pool, at.databaseUrl).catch(async (error: unknown) => {
    await pool.end()
    await pglite?.close()
    throw error
  })
  isServing()
  guardPool(pool)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  guardTransactions(db)
  return {
    db,
    pool,
    embedded: pglite !== undefined,
    async close() {
      await db.destroy()
      await pglite?.close()
    },
  }
}

/** The oldest version that pg-boss and our SQL work with. */
const OLDEST_MAJOR = 13

async function checkServer(pool: pg.Pool, databaseUrl: string | undefined): Promise<void> {
  const { rows } = await pool
    .query<{ version: string; encoding: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
    )
    .catch((error: unknown) => {
      throw (
        refusalOf(error, databaseUrl) ??
        new StartError(`无法连接数据库 ${withoutPassword(databaseUrl)}：${networkReason(error)}`)
      )
    })
  const { version = '', encoding } = rows[0] ?? {}
  const unfit = (what: string) => new StartError(`无法使用数据库 ${withoutPassword(databaseUrl)}：${what}`)
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR)) {
    throw unfit(`它的版本是 ${version}，需要 Postgres ${OLDEST_MAJOR} 或更高版本`)
  }
  if (encoding !== 'UTF8') throw unfit(`库的编码是 ${encoding}，请另建一个 UTF8 编码的库`)
}

const INT8 = 20
const INT8_ARRAY = 1016

// The driver's types lack the oid of int8[] and functions for both formats.
const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
  if (oid === INT8) return safeInteger
  if (oid === INT8_ARRAY) {
    const parse = pg.types.getTypeParser(INT8_ARRAY as Parameters<typeof pg.types.getTypeParser>[0], 'text') as (
      text: string,
    ) => (string | null)[]
    return (text: string) => parse(text).map((one) => (one === null ? null : safeInteger(one)))
  }
  return pg.types.getTypeParser(oid, 'text')
}) as typeof pg.types.getTypeParser

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the integers that a number holds exactly`)
  return value
}

function withoutPassword(url = '(PGlite)'): string {
  const shown = URL.parse(url)
  if (!shown) return '(DATABASE_URL)'
  shown.password = ''
  shown.searchParams.delete('password')
  return shown.href
}

const REFUSALS: Record<string, string> = {
  '28P01': '用户名或密码不正确',
  '28000': '这个用户不能从这里登录',
  '3D000': '没有这个库，请先建立它',
  '53300': '数据库的连接数已满',
  '53100': '它的磁盘空间不足',
  '42501': '这个用户没有建表所需的权限，请用库的所有者',
  '25006': '它只能读，可能是备库',
}

/** The sentence for a server that answers but refuses what a start needs, or that went away during the start. */
export function refusalOf(error: unknown, databaseUrl: string | undefined): StartError | undefined {
  if (databaseUrl === undefined || !(error instanceof Error)) return undefined
  if (isDatabaseAway(error)) {
    const { cause } = error
    return (
      refusalOf(cause, databaseUrl) ??
      new StartError(`启动时与数据库 ${withoutPassword(databaseUrl)} 的连接中断：${networkReason(cause)}`)
    )
  }
  const reason = REFUSALS[(error as { code?: string }).code ?? '']
  return reason === undefined
    ? undefined
    : new StartError(`无法使用数据库 ${withoutPassword(databaseUrl)}：${reason}（${error.message}）`)
}
