import { type Kysely, sql, type Transaction } from 'kysely'
import type { Jobs } from '../jobs/open.ts'
import type { Database } from '../postgres/schema.ts'
import { transaction } from '../postgres/transaction.ts'
import { now } from '../time/clock.ts'
import { versionsToClear } from './kept-versions.ts'
import type { CrowdKind } from './kinds.ts'
import type { DropLater } from './replaced-members.ts'

const CLEAR = 'crowd.clear-members'
/** Crowds of one transaction. */
const AT_ONCE = 200

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  timezone: string
  dropLater: Record<CrowdKind, DropLater>
}

/** Clears the people of versions that were replaced long ago; how many people each had is kept for ever. */
export function oldMembers({ db, jobs, timezone, dropLater }: Deps) {
  async function clear(signal?: AbortSignal): Promise<void> {
    for (let after: number | null = 0; after !== null; ) {
      signal?.throwIfAborted()
      const from: number = after
      after = await transaction(db, (tx) => clearNext(tx, from))
    }
  }
  jobs.handle(CLEAR, { concurrency: 1 }, ({ signal }) => clear(signal))
  // Hourly, so that a crowd that changes often never has many more than it keeps.
  jobs.schedule(CLEAR, '20 * * * *', 'UTC')

  /** Clears what the next crowds keep no longer; answers the last of them, or null at the end. */
  async function clearNext(tx: Transaction<Database>, after: number): Promise<number | null> {
    const crowds = await crowdsAfter(tx, after)
    const last = crowds.at(-1)
    if (!last) return null
    const ids = crowds.map((crowd) => crowd.id)
    const rows = await tx
      .selectFrom('crowd_size')
      .select(['crowd_id', 'version', 'replaced_at'])
      .select(sql<string>`(to_timestamp(counted_at) at time zone ${timezone})::date::text`.as('day'))
      .where('crowd_id', 'in', ids)
      .where('has_members', '=', true)
      .where('replaced_at', 'is not', null)
      .orderBy('no')
      .execute()
    const compared = await comparedVersions(tx, ids)
    const at = now()
    const versions = Map.groupBy(rows, (row) => row.crowd_id)
    const cleared = crowds.flatMap(({ id, adv_id, kind, told_version }) => {
      const replaced = (versions.get(id) ?? []).map((row) => ({ ...row, replaced_at: row.replaced_at ?? at }))
      return versionsToClear(replaced, at, [told_version, compared.get(id) ?? null]).map((version) => ({
        id,
        adv_id,
        kind,
        version,
      }))
    })
    if (cleared.length === 0) return last.id
    await sql`update crowd_size set has_members = false
      from unnest(${cleared.map((one) => one.id)}::int[], ${cleared.map((one) => one.version)}::bigint[])
        as cleared (crowd_id, version)
      where crowd_size.crowd_id = cleared.crowd_id and crowd_size.version = cleared.version`.execute(tx)
    for (const [adv_id, own] of Map.groupBy(cleared, (one) => one.adv_id)) {
      for (const [kind, those] of Map.groupBy(own, (one) => one.kind)) await dropLater[kind](tx, adv_id, those)
    }
    return last.id
  }

  return { clear: () => clear() }
}

/** Versions that control groups compare: the people whom their crowds had at the first push. */
async function comparedVersions(tx: Transaction<Database>, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('control_group')
    .select((eb) => [eb.fn.coalesce('custom_id', 'people_id').as('crowd_id'), 'members_version'])
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('custom_id', 'in', [...ids]), eb('people_id', 'in', [...ids])]))
    .execute()
  return new Map(rows.map(({ crowd_id, members_version }) => [crowd_id, members_version]))
}

/** The next crowds with replaced versions that have people, deleted ones too. */
const crowdsAfter = (tx: Transaction<Database>, after: number) =>
  tx
    .selectFrom(
      tx
        .selectFrom('people')
        .select((eb) => ['id', 'adv_id', 'told_version', eb.val('rule').$castTo<CrowdKind>().as('kind')])
        .unionAll(
          tx
            .selectFrom('custom_crowd')
            .select((eb) => [
              'id',
              'adv_id',
              eb.lit(null).$castTo<number | null>().as('told_version'),
              eb.val('custom').$castTo<CrowdKind>().as('kind'),
            ]),
        )
        .as('crowd'),
    )
    .selectAll()
    .where('id', '>', after)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('crowd_size')
          .select('crowd_size.version')
          .whereRef('crowd_size.crowd_id', '=', 'crowd.id')
          .where('crowd_size.has_members', '=', true)
          .where('crowd_size.replaced_at', 'is not', null),
      ),
    )
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
