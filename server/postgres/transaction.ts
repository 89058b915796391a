import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction, TransactionBuilder } from 'kysely'
import type pg from 'pg'

interface Scope {
  /** The transaction holds its connection: whoever asks for another one is using the outer database. */
  connected: boolean
  ended: boolean
  afterCommit: (() => void)[]
}

const scopes = new AsyncLocalStorage<Scope>()

/** The transaction around the caller. What a transaction left running behind it is outside again. */
function current() {
  const scope = scopes.getStore()
  return scope && !scope.ended ? scope : undefined
}

const OUTSIDE = 'A transaction is open: use its tx, not the outer database'

/** Inside `work` only `tx` may be used: the outer database throws at once. */
export const transaction = <DB, T>(db: Kysely<DB>, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute(work)

/** Calls `tell` when the transaction around the caller is committed; at once when there is none, never after a rollback. */
export function afterCommit(tell: () => void) {
  const scope = current()
  if (scope) scope.afterCommit.push(tell)
  else tell()
}

/** Where the embedded database is one session, a second connection would wait for ever on the first; so no pool gives one. */
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
    for (const tell of scope.afterCommit) tell()
    return result
  }
  return builder
}
