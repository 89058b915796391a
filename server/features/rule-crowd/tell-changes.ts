import { type Kysely, sql, type Transaction } from 'kysely'
import { changedShare, isChangeTold } from '#contract/crowd-change.ts'
import type { RuleEvaluator } from '../../clickhouse/rule/evaluate.ts'
import type { VersionSize } from '../../crowds/crowd-sizes.ts'
import type { OnVersion } from '../../crowds/kinds.ts'
import { changesBetween, type VersionChanges } from '../../crowds/version-changes.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { lockCrowdsOf } from './computation.ts'

const TELL = 'rule-crowd.tell-changes'

/** A crowd that changed by more than the share that its owner set. */
export interface ToldChange {
  adv_id: number
  crowd_id: number
  crowd: string
  /** The version that is told, and the one it was compared with. */
  version: number
  since_version: number
  old_size: number
  new_size: number
  entered: number
  left: number
  /** Percent of the people before; null where there were none. */
  share: number | null
  /** The share that its owner set, percent. */
  over: number
  /** The times of the data of both versions, epoch seconds. */
  since: number
  at: number
}

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  evaluator: RuleEvaluator
  notify(tx: Transaction<Database>, change: ToldChange): Promise<void>
}

/** The next version to look at, and the one it is compared with. */
interface Comparison {
  id: number
  adv_id: number
  name: string
  share: number
  told: number
  checked: number
  from: VersionSize
  to: VersionSize
}

/**
 * Tells the webhooks of an advertiser when a crowd changed by more than its share since the version told last. Each version
 * is looked at once, in the order in which they came into force, and what is told is sent in the transaction that notes so.
 */
export function tellChanges({ jobs, evaluator, notify }: Deps): { onVersion: OnVersion } {
  jobs.handle<{ people_id: number }>(TELL, { concurrency: 2, retries: 5, retryDelaySeconds: 10 }, async (job) => {
    const { people_id } = job.data
    for (;;) {
      const next = await job.step((tx) => nextComparison(tx, people_id))
      if (next === 'done') return
      if (next === 'again') continue
      const changes = await changesBetween(evaluator, next, next, job.signal)
      await job.step((tx) => settle(tx, next, changes))
    }
  })

  async function settle(
    tx: Transaction<Database>,
    compared: Comparison,
    changes: VersionChanges | null,
  ): Promise<void> {
    const { id, adv_id, name, share, told, checked, from, to } = compared
    // One of the two was cleared meanwhile: the next look takes others.
    if (!changes) return
    await lockCrowdsOf(tx, id)
    const change = { before: from.count, entered: changes.entered, left: changes.left }
    const isTold = isChangeTold(change, share)
    const noted = await tx
      .updateTable('people')
      .set({ checked_version: to.version, ...(isTold ? { told_version: to.version } : {}) })
      .where('id', '=', id)
      // The owner may have changed the share meanwhile, or another run may have come first.
      .where('tell_share', '=', share)
      .where('told_version', '=', told)
      .where('checked_version', '=', checked)
      .returning('id')
      .executeTakeFirst()
    if (!noted || !isTold) return
    const percent = changedShare(change)
    await notify(tx, {
      ...{ adv_id, crowd_id: id, crowd: name, version: to.version, since_version: from.version },
      ...{ old_size: from.count, new_size: to.count, entered: changes.entered, left: changes.left },
      ...{ share: percent === null ? null : Math.round(percent * 100) / 100, over: share },
      ...{ since: from.counted_at, at: to.counted_at },
    })
  }

  return {
    async onVersion(tx, { kind, id }) {
      if (kind !== 'rule') return
      const crowd = await tx.selectFrom('people').select('tell_share').where('id', '=', id).executeTakeFirst()
      if (crowd?.tell_share == null) return
      await jobs.send(tx, TELL, { people_id: id }, { singletonKey: `people:${id}` })
    },
  }
}

/** What is to be compared next; `again` once a version to compare with was noted. */
async function nextComparison(tx: Transaction<Database>, id: number): Promise<Comparison | 'again' | 'done'> {
  const crowd = await tx
    .selectFrom('people')
    .select(['adv_id', 'name', 'version', 'tell_share as share', 'told_version as told', 'checked_version as checked'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!crowd || crowd.share === null || crowd.version === 0) return 'done'
  const { adv_id, name, share, told, checked } = crowd
  const begin = async (version: number) => {
    await lockCrowdsOf(tx, id)
    await tx
      .updateTable('people')
      .set({ told_version: version, checked_version: version })
      .where('id', '=', id)
      .where('tell_share', 'is not', null)
      .execute()
    return 'again' as const
  }
  // The first version tells nothing: the next ones are compared with it.
  if (told === null || checked === null) return begin(crowd.version)
  const [to] = await keptSince(tx, id, checked, '>')
  if (!to) return 'done'
  // Its people are cleared after 90 days; the oldest version that is left then takes its place.
  const [from] = await keptSince(tx, id, told, '>=')
  if (!from || from.version === to.version) return begin(to.version)
  return { id, adv_id, name, share, told, checked, from, to }
}

/** The first version with people that came into force after this one, or is this one. */
const keptSince = (tx: Transaction<Database>, crowd_id: number, version: number, than: '>' | '>=') =>
  tx
    .selectFrom('crowd_size')
    .select(['version', 'counted_at', 'count', 'has_members'])
    .where('crowd_id', '=', crowd_id)
    .where('has_members', '=', true)
    .where(
      'no',
      than,
      sql<number>`coalesce((select no from crowd_size as it where it.crowd_id = ${crowd_id} and it.version = ${version}), 0)`,
    )
    .orderBy('no')
    .limit(1)
    .execute()
