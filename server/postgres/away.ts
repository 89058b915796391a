import pg from 'pg'
import { FAULTS } from '#contract/errors.ts'
import { networkReason } from '../network/network-reason.ts'

/**
 * Thrown instead of a statement's answer when the database restarts or cannot be reached. Whether the statement took
 * effect is unknown; a COMMIT may have. The driver's own error is the cause.
 */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  /** Callers test this property, not the class: pg-boss reports copies of errors. */
  readonly isDatabaseAway = true

  constructor(cause: unknown) {
    super(FAULTS.databaseAway.msg, { cause })
  }
}

export const isDatabaseAway = (error: unknown): error is DatabaseAway =>
  typeof error === 'object' && error !== null && 'isDatabaseAway' in error

/** Logs a background failure, unless the database is away, which was logged when it began. */
export function logUnlessAway(what: string, error: unknown): void {
  if (!isDatabaseAway(error)) console.error(what, error)
}

/**
 * Server errors that end the connection: broken connections (class 08), shutdowns and starts (57P). Not 08P01, which can
 * also mean wrong parameters of a statement.
 */
const endsConnection = ({ code = '' }: pg.DatabaseError) => /^(08|57P)/.test(code) && code !== '08P01'

/**
 * Listens to every connection of the pool. Call the returned function once the database has been reached; from then on
 * the pool throws DatabaseAway. Before that, a start reports its own connection errors.
 */
export function watchConnections(pool: pg.Pool): () => void {
  let losses = 0
  let isAway = false

  function lost(error: unknown) {
    losses++
    if (isAway || pool.ending) return
    isAway = true
    console.error(`数据库暂时不可用：${networkReason(error)}。恢复后任务会自动继续`)
  }

  /** Only a statement that began after the last loss shows that the database is back. */
  function answered(lossesBefore: number) {
    if (!isAway || losses !== lossesBefore) return
    isAway = false
    console.log('数据库已恢复')
  }

  pool.on('connect', (client) => {
    let isLost = false
    // Without a listener, a connection that breaks while in use ends the process.
    client.on('error', (error) => {
      isLost = true
      lost(error)
    })
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const watched = (...given: unknown[]) => {
      const answer = query(...given)
      if (!(answer instanceof Promise)) return answer
      const lossesBefore = losses
      return answer.then(
        (result) => {
          answered(lossesBefore)
          return result
        },
        (error: unknown) => {
          // For a server error the code says whether the connection ended; for other errors, whether it broke.
          if (!(error instanceof pg.DatabaseError ? endsConnection(error) : isLost)) throw error
          if (!isLost) {
            isLost = true
            lost(error)
            // The pool drops it instead of reusing it.
            if (client instanceof pg.Client) client.end().catch(() => {})
          }
          throw new DatabaseAway(error)
        },
      )
    }
    client.query = watched as typeof client.query
  })
  // The same for idle connections.
  pool.on('error', () => {})

  return () => {
    // Only the promise forms: our code never gives the pool a callback.
    const connect = pool.connect.bind(pool)
    pool.connect = (async () => {
      try {
        return await connect()
      } catch (error) {
        if (pool.ending) throw error
        // Any failure to connect counts (refused, full, starting up, not in the DNS), since the start could connect.
        lost(error)
        throw new DatabaseAway(error)
      }
    }) as typeof pool.connect
    // The pool's own `query` would throw connection errors unchanged.
    pool.query = (async (text: string, values?: unknown[]) => {
      const client = await pool.connect()
      let isFine = false
      try {
        const result = await client.query(text, values)
        isFine = true
        return result
      } finally {
        // After an error the connection is dropped: a text of several statements may have left a transaction open.
        client.release(!isFine)
      }
    }) as typeof pool.query
  }
}
