import type { Kysely } from 'kysely'
import type { Handles } from '../../clickhouse/handles.ts'
import { heldVersions } from '../../crowds/member-holds.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'

/** How long a replaced version stays, for counts that still use it. */
const GRACE_SECONDS = 3600
/** Seconds. No build takes longer, so older unfinished rows belong to no running build. */
const BUILD_SECONDS_MAX = 12 * 3600
const DROP_AT_ONCE = 5000

export type DropVersions = (
  adv_id: number,
  sets: readonly { kind: 'tag'; id: number; version: number }[],
) => Promise<void>

interface Deps {
  db: Kysely<Database>
  load: Handles
  dropVersions: DropVersions
  clock: () => number
}

/** Drops replaced versions of tags, and the rows of builds that did not finish. */
export function leftoverRemoval({ db, load, dropVersions, clock }: Deps) {
  return async function dropLeftovers(): Promise<void> {
    const at = clock()
    await notAfterNow(db, 'tag_leftover', 'since', at)
    const rows = await db
      .selectFrom('tag_leftover')
      .select(['id', 'adv_id', 'tag_id', 'version'])
      .where((eb) =>
        eb.or([
          eb.and([eb('tag_id', 'is not', null), eb('since', '<=', at - GRACE_SECONDS)]),
          eb.and([eb('tag_id', 'is', null), eb('since', '<=', at - BUILD_SECONDS_MAX)]),
        ]),
      )
      .orderBy('id')
      .limit(DROP_AT_ONCE)
      .execute()
    for (const [adv_id, due] of Map.groupBy(rows, (row) => row.adv_id)) {
      const isHeld = await heldVersions(db, adv_id)
      const mine = due.filter(({ tag_id, version }) => tag_id === null || !isHeld({ kind: 'tag', id: tag_id, version }))
      if (mine.length === 0) continue
      const sets = mine.flatMap(({ tag_id, version }) =>
        tag_id === null ? [] : [{ kind: 'tag' as const, id: tag_id, version }],
      )
      if (sets.length > 0) await dropVersions(adv_id, sets)
      const dead = mine.filter((row) => row.tag_id === null).map((row) => row.version)
      if (dead.length > 0) {
        await load.everyShard.command(
          'DELETE FROM tag_member WHERE adv_id = {adv_id:UInt32} AND version IN {dead:Array(UInt32)}',
          {
            adv_id,
            dead,
          },
        )
      }
      await db
        .deleteFrom('tag_leftover')
        .where(
          'id',
          'in',
          mine.map((row) => row.id),
        )
        .execute()
    }
  }
}
