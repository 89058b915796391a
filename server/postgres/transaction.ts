import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction, TransactionBuilder } from 'kysely'
import type pg from 'pg'

interface Scope {
  /** Whether the transaction has its connection; asking for another one then means using the outer database. */
  connected: boolean
  ended: boolean
  afterCommit: (() => void)[]
}

const scopes = new AsyncLocalStorage<Scope>()

/** The caller's transaction; none in work that continues after its transaction ended. */
function current() {
  const scope = scopes.getStore()
  return scope && !scope.ended ? scope : undefined
}

const OUTSIDE = 'A transaction is open: use its tx, not the outer database'

/** PostgreSQL ended the transaction because it and another one waited for each other's rows. */
const DEADLOCK = '40P01'
const TRIES_MAX = 3

/**
 * Runs `work` in a transaction. Only `tx` may be used inside: the outer database throws at once. Two transactions that
 * lock the same rows in another order end one of them, which runs again, so `work` may run more than once.
 */
export async function transaction<DB, T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const isDeadlock = (error as { code?: unknown } | null)?.code === DEADLOCK
      if (!isDeadlock || tries === TRIES_MAX) throw error
    }
  }
}

/** Calls back after the surrounding transaction commits; at once if there is none, never after a rollback. */
export function afterCommit(callback: () => void) {
  const scope = current()
  if (scope) scope.afterCommit.push(callback)
  else callback()
}

/** The embedded database is one session: a second connection would wait for the first one forever, so it is refused. */
export function guardPool(pool: pg.Pool) {
  const connect = pool.connect.bind(pool)
  const guarded = () => {
    const scope = current()
    if (scope?.connected) throw new Error(OUTSIDE)
    if (scope) scope.connected = true
    return connect()
  }
  pool.connect = guarded as typeof pool.connect
}

export function guardTransactions<DB>(db: Kysely<DB>) {
  const open = db.transaction.bind(db)
  db.transaction = () => scoped(open())
}

function scoped<DB>(builder: TransactionBuilder<DB>): TransactionBuilder<DB> {
  const execute = builder.execute.bind(builder)
  const setIsolationLevel = builder.setIsolationLevel.bind(builder)
  const setAccessMode = builder.setAccessMode.bind(builder)
  builder.setIsolationLevel = (level) => scoped(setIsolationLevel(level))
  builder.setAccessMode = (mode) => scoped(setAccessMode(mode))
  builder.execute = async (work) => {
    if (current()) throw new Error(OUTSIDE)
    const scope: Scope = { connected: false, ended: false, afterCommit: [] }
    const result = await scopes
      .run(scope, () => execute(work))
      .finally(() => {
        scope.ended = true
      })
    for (const callback of scope.afterCommit) callback()
    return result
  }
  return builder
}
