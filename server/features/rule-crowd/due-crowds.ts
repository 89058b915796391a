import type { Transaction } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { isAskedFor, RECOMPUTE_EVERY } from './compute-queue.ts'

/** Seconds. A crowd that was opened within them goes before others. */
const LOOKED_AT_LATELY = 7 * 86_400

/** Crowds that are due. A time further ahead than it is ever set was written before the clock was set back. */
const dueCrowds = (tx: Transaction<Database>, adv_id: number) =>
  tx
    .selectFrom('people')
    .where('people.adv_id', '=', adv_id)
    .where('people.is_dirty', '=', true)
    .where('people.deleted_at', 'is', null)
    .where('people.invalid_time', '>=', now())
    .where((eb) => eb.or([eb('people.due_at', '<=', now()), eb('people.due_at', '>', now() + RECOMPUTE_EVERY)]))

export const dueCount = (tx: Transaction<Database>, adv_id: number) =>
  dueCrowds(tx, adv_id)
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()

/**
 * The next crowds to recompute, those without a result first, then those that are pushed or were opened lately. None that
 * a person's computation holds, and none that uses another one that is due.
 */
export async function nextDue(tx: Transaction<Database>, adv_id: number, limit: number): Promise<number[]> {
  const since = now() - LOOKED_AT_LATELY
  const rows = await dueCrowds(tx, adv_id)
    .select('people.id')
    .where((eb) => eb.not(isAskedFor(eb)))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('crowd_use')
            .innerJoin(dueCrowds(tx, adv_id).select('people.id as due_id').as('due'), 'due.due_id', 'crowd_use.uses_id')
            .select('crowd_use.people_id')
            .whereRef('crowd_use.people_id', '=', 'people.id')
            .where('crowd_use.uses_kind', '=', 'crowd'),
        ),
      ),
    )
    .orderBy((eb) => eb('people.version', '=', 0), 'desc')
    .orderBy(
      (eb) =>
        eb.or([
          eb(eb.fn.coalesce('people.looked_at', eb.lit(0)), '>', since),
          eb.exists(
            eb
              .selectFrom('audience')
              .select('audience.id')
              .whereRef('audience.people_id', '=', 'people.id')
              .where('audience.deleted_at', 'is', null)
              .where('audience.keeps_step', '=', true),
          ),
        ]),
      'desc',
    )
    .orderBy('people.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
