import { type Kysely, sql, type Transaction } from 'kysely'
import type { StoredSet } from '../clickhouse/rule/plan.ts'
import type { Database } from '../postgres/schema.ts'

/** Seconds. A hold that is not renewed, because its process died, ends after this time. */
export const HOLD_SECONDS = 300
const RENEW_EVERY_MS = 60_000
/** Less than a hold lasts: the statement that renews it takes time too. */
const SURE_FOR_MS = (HOLD_SECONDS - 30) * 1000
/** A reader who stopped reading does not keep replaced people on the disk for ever. */
const LONGEST_MS = 6 * 3_600_000

const UNTIL = sql<number>`extract(epoch from now())::bigint + ${HOLD_SECONDS}`
const IS_OVER = sql<boolean>`until <= extract(epoch from now())::bigint`

/**
 * Keeps versions from being dropped. In the transaction that read which versions are in force: a version that is replaced
 * meanwhile stays for its grace period, which is longer than any transaction.
 */
export async function holdVersions(
  tx: Transaction<Database>,
  adv_id: number,
  sets: readonly StoredSet[],
): Promise<number> {
  await tx.deleteFrom('member_hold').where(IS_OVER).execute()
  const held = sets.map(({ kind, id, version }) => ({ kind, id, version }))
  const { id } = await tx
    .insertInto('member_hold')
    .values({ adv_id, sets: JSON.stringify(held), until: UNTIL })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Gives up a hold, so that what was replaced is dropped. */
export async function endHold(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('member_hold').where('id', '=', id).execute()
}

/** Renews a hold until `end`. `mustHold` throws once the versions may have been dropped. */
export function keepHold(db: Kysely<Database>, id: number) {
  const began = performance.now()
  let renewedAt = began
  const renew = async () => {
    const at = performance.now()
    if (at - began > LONGEST_MS) return
    const row = await db
      .updateTable('member_hold')
      .set({ until: UNTIL })
      .where('id', '=', id)
      .where(sql<boolean>`not (${IS_OVER})`)
      .returning('id')
      .executeTakeFirst()
    if (row) renewedAt = at
  }
  // Without an answer of the database the hold is lost after a while, which `mustHold` tells.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS)
  timer.unref()
  return {
    mustHold() {
      if (performance.now() - renewedAt > SURE_FOR_MS) throw new Error(`the hold ${id} of versions was lost`)
    },
    async end() {
      clearInterval(timer)
      await endHold(db, id)
    },
  }
}

/** Which versions of an advertiser are held now. */
export async function heldVersions(db: Kysely<Database>, adv_id: number): Promise<(set: StoredSet) => boolean> {
  const rows = await db
    .selectFrom('member_hold')
    .select('sets')
    .where('adv_id', '=', adv_id)
    .where(sql<boolean>`not (${IS_OVER})`)
    .execute()
  const nameOf = ({ kind, id, version }: StoredSet) => `${kind} ${id} ${version}`
  const held = new Set(rows.flatMap(({ sets }) => sets.map(nameOf)))
  return (set) => held.has(nameOf(set))
}
