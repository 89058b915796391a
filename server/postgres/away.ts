import pg from 'pg'
import { FAULTS } from '#contract/errors.ts'
import { networkReason } from '../network/network-reason.ts'

/**
 * Thrown instead of a statement's answer when the database restarts or cannot be reached. Whether the statement took
 * effect is unknown; a COMMIT may have. The driver's own error is the cause.
 */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  /** A property, not the class, is asked for: pg-boss tells of copies of errors. */
  readonly isDatabaseAway = true

  constructor(cause: unknown) {
    super(FAULTS.databaseAway.msg, { cause })
  }
}

export const isDatabaseAway = (error: unknown): error is DatabaseAway =>
  typeof error === 'object' && error !== null && 'isDatabaseAway' in error

/** Says in the log what went wrong in the background; an absence of the database has been said already. */
export function logUnlessAway(what: string, error: unknown): void {
  if (!isDatabaseAway(error)) console.error(what, error)
}

/**
 * Server errors that end the connection: broken connections (class 08), and shutdowns or starts (57P). 08P01 is also what
 * a statement gets whose parameters are wrong.
 */
const endsConnection = ({ code = '' }: pg.DatabaseError) => /^(08|57P)/.test(code) && code !== '08P01'

/**
 * Listens to every connection of the pool and answers a function that turns what the pool then throws into DatabaseAway.
 * The function is called once the database has been reached: what a start sees before it says itself.
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

  /** Only a statement that began after the last loss tells that the database is back. */
  function answered(lossesBefore: number) {
    if (!isAway || losses !== lossesBefore) return
    isAway = false
    console.log('数据库已恢复')
  }

  pool.on('connect', (client) => {
    let isLost = false
    // Without a listener a connection that breaks while somebody has it ends the process.
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
          // An error of the server says itself whether the connection is over; any other means so if the connection broke.
          if (!(error instanceof pg.DatabaseError ? endsConnection(error) : isLost)) throw error
          if (!isLost) {
            isLost = true
            lost(error)
            // The pool drops it instead of giving it to the next one.
            if (client instanceof pg.Client) client.end().catch(() => {})
          }
          throw new DatabaseAway(error)
        },
      )
    }
    client.query = watched as typeof client.query
  })
  // The same error again, of a connection that nobody had.
  pool.on('error', () => {})

  return () => {
    // Only the forms that answer a promise: nobody here gives the pool a callback.
    const connect = pool.connect.bind(pool)
    pool.connect = (async () => {
      try {
        return await connect()
      } catch (error) {
        if (pool.ending) throw error
        // Whatever hinders a new connection, it was possible at the start: refused, full, starting up, not in the DNS.
        lost(error)
        throw new DatabaseAway(error)
      }
    }) as typeof pool.connect
    // The pool's own would pass on errors of connections as they are.
    pool.query = (async (text: string, values?: unknown[]) => {
      const client = await pool.connect()
      let isFine = false
      try {
        const result = await client.query(text, values)
        isFine = true
        return result
      } finally {
        // Dropped otherwise: a text of several statements may have left a transaction open.
        client.release(!isFine)
      }
    }) as typeof pool.query
  }
}
