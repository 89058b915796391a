import { type Kysely, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

const WINDOW = 15 * 60
/** Failures within the window after which must wait: a name from one address, an address, a name from anywhere. */
const LIMITS = { pair: 5, address: 30, name: 100 } as const

const keysOf = (username: string, address: string) => [
  { key: `pair:${username.toLowerCase()}|${address}`, limit: LIMITS.pair },
  { key: `address:${address}`, limit: LIMITS.address },
  { key: `name:${username.toLowerCase()}`, limit: LIMITS.name },
]

/** A check takes 19 MiB and most of a core, so only a few run at once; further guesses wait or are refused. */
const CHECKS_AT_ONCE = 2
const CHECKS_WAITING = 200

/** Sign-in failures, kept in the store so that a restart does not forget them. */
export function signInThrottle(db: Kysely<Database>) {
  const inTurn = gate(CHECKS_AT_ONCE, CHECKS_WAITING)

  const throttle = {
    /** Checks passwords in turn, so that guesses sent at once count like guesses sent one after another. */
    guess: <T>(username: string, address: string, isRight: () => Promise<T | null>): Promise<T | null> =>
      inTurn(async () => {
        await throttle.check(username, address)
        const right = await isRight()
        if (right === null) await throttle.failed(username, address)
        return right
      }),

    async check(username: string, address: string): Promise<void> {
      const keys = keysOf(username, address).map((k) => k.key)
      const held = await db
        .selectFrom('sign_in_attempt')
        .select((eb) => eb.fn.max('until').as('until'))
        .where('key', 'in', keys)
        .executeTakeFirst()
      const wait = (held?.until ?? 0) - now()
      // A longer wait was written before the clock was set back.
      if (wait > 0 && wait <= WINDOW) throw new AppError('signInThrottled', { minutes: Math.ceil(wait / 60) })
    },

    async failed(username: string, address: string): Promise<void> {
      const at = now()
      await db
        .deleteFrom('sign_in_attempt')
        .where('first_at', '<', at - WINDOW)
        .where('until', '<', at)
        .execute()
      // Outside the window, or in the future because the clock was set back.
      const isOver = sql<boolean>`sign_in_attempt.first_at not between ${at - WINDOW}::bigint and ${at}::bigint`
      for (const { key, limit } of keysOf(username, address)) {
        const row = await db
          .insertInto('sign_in_attempt')
          .values({ key, failures: 1, first_at: at, until: 0 })
          .onConflict((oc) =>
            oc.column('key').doUpdateSet((eb) => ({
              failures: eb
                .case()
                .when(isOver)
                .then(1)
                .else(eb('sign_in_attempt.failures', '+', 1))
                .end(),
              first_at: eb.case().when(isOver).then(at).else(eb.ref('sign_in_attempt.first_at')).end(),
            })),
          )
          .returning('failures')
          .executeTakeFirstOrThrow()
        if (row.failures >= limit) {
          await db
            .updateTable('sign_in_attempt')
            .set({ until: at + WINDOW })
            .where('key', '=', key)
            .execute()
        }
      }
    },

    async succeeded(username: string, address: string): Promise<void> {
      await db.deleteFrom('sign_in_attempt').where('key', '=', `pair:${username.toLowerCase()}|${address}`).execute()
    },
  }
  return { guess: throttle.guess, succeeded: throttle.succeeded }
}

function gate(size: number, waitingMax: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < size) running++
    else if (waiting.length >= waitingMax) throw new AppError('tooMany')
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
