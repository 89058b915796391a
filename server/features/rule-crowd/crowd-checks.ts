import type { Kysely } from 'kysely'
import { crowdChecks } from '../../crowds/crowd-checks.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { crowdRows, present } from './store.ts'

/** `capacity`: how many rule crowds an advertiser may have. */
export function ruleCrowdChecks(db: Kysely<Database>, capacity: number) {
  async function used(tx: Kysely<Database>, adv_id: number): Promise<number> {
    const row = await tx
      .selectFrom('people')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('adv_id', '=', adv_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return row.n
  }

  return {
    ...crowdChecks(db, 'rule', async (tx, ids) => {
      const at = now()
      const rows = await crowdRows(tx, at)
        .where('people.id', 'in', [...ids])
        .orderBy('people.id')
        .execute()
      return rows.map((row) => present(row, at))
    }),
    used,
    async mustHaveRoom(tx: Kysely<Database>, adv_id: number, more: number) {
      if ((await used(tx, adv_id)) + more > capacity) throw new AppError('quotaFull', { capacity })
    },
  }
}
export type RuleCrowdChecks = ReturnType<typeof ruleCrowdChecks>
