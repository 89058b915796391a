import type { Kysely } from 'kysely'
import { now } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'

const WINDOW = 15 * 60
/** Failures within the window before a key must wait: one name from one address, one address, one name from anywhere. */
const LIMITS = { pair: 5, address: 30, name: 100 } as const

const keysOf = (username: string, address: string) => [
  { key: `pair:${username.toLowerCase()}|${address}`, limit: LIMITS.pair },
  { key: `address:${address}`, limit: LIMITS.address },
  { key: `name:${username.toLowerCase()}`, limit: LIMITS.name },
]

/** Sign-in failures, kept in the store so that a restart does not forget them. */
export function signInThrottle(db: Kysely<Database>) {
  return {
    async check(username: string, address: string): Promise<void> {
      const keys = keysOf(username, address).map((k) => k.key)
      const held = await db
        .selectFrom('sign_in_attempt')
        .select((eb) => eb.fn.max('until').as('until'))
        .where('key', 'in', keys)
        .executeTakeFirst()
      const wait = (held?.until ?? 0) - now()
      if (wait > 0) throw new AppError('signInThrottled', { minutes: Math.ceil(wait / 60) })
    },

    async failed(username: string, address: string): Promise<void> {
      const at = now()
      await db
        .deleteFrom('sign_in_attempt')
        .where('first_at', '<', at - WINDOW)
        .where('until', '<', at)
        .execute()
      for (const { key, limit } of keysOf(username, address)) {
        const row = await db
          .insertInto('sign_in_attempt')
          .values({ key, failures: 1, first_at: at, until: 0 })
          .onConflict((oc) =>
            oc.column('key').doUpdateSet((eb) => ({
              failures: eb
                .case()
                .when('sign_in_attempt.first_at', '<', at - WINDOW)
                .then(1)
                .else(eb('sign_in_attempt.failures', '+', 1))
                .end(),
              first_at: eb
                .case()
                .when('sign_in_attempt.first_at', '<', at - WINDOW)
                .then(at)
                .else(eb.ref('sign_in_attempt.first_at'))
                .end(),
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
}
