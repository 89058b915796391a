import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { networkReason } from '../network-reason.ts'
import { StartError } from '../start-error.ts'
import { startPglite } from './pglite.ts'
import type { Database } from './schema.ts'
import { guardPool, guardTransactions } from './transaction.ts'

const POOL_SIZE = 8
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000

export interface Postgres<DB = Database> {
  db: Kysely<DB>
  pool: pg.Pool
  /** True for PGlite: this process alone uses the store. */
  embedded: boolean
  /** Waits for what is running, then closes. */
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
    application_name: 'renqun',
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) console.error(`数据库连接中断：${error.message}`)
  })
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end()
    await pglite?.close()
    throw new StartError(`无法连接数据库 ${withoutPassword(at.databaseUrl)}：${reasonOf(error)}`)
  })
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

const INT8 = 20
const INT8_ARRAY = 1016

// The driver's types know neither the oid of int8[] nor a function that serves both formats.
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
  return url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1@')
}

const REFUSALS: Record<string, string> = {
  '28P01': '用户名或密码不正确',
  '28000': '这个用户不能从这里登录',
  '3D000': '没有这个库，请先建立它',
  '53300': '数据库的连接数已满',
}

function reasonOf(error: unknown): string {
  const refusal = REFUSALS[(error as { code?: string }).code ?? '']
  return refusal && error instanceof Error ? `${refusal}（${error.message}）` : networkReason(error)
}
