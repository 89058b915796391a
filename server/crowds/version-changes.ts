import type { Kysely } from 'kysely'
import type { RuleEvaluator } from '../clickhouse/rule/evaluate.ts'
import type { Database } from '../postgres/schema.ts'
import type { VersionSize } from './crowd-sizes.ts'

/** How many people entered and left a crowd from one version to another, and how many are in both. */
export interface VersionChanges {
  entered: number
  left: number
  stayed: number
}

/** These versions of a crowd, as far as there are any. */
export const versionsOf = (
  db: Kysely<Database>,
  crowd_id: number,
  versions: readonly number[],
): Promise<VersionSize[]> =>
  db
    .selectFrom('crowd_size')
    .select(['version', 'counted_at', 'count', 'has_members'])
    .where('crowd_id', '=', crowd_id)
    .where('version', 'in', [...versions])
    .execute()

/** Compares the people of two versions; null if those of one are cleared. */
export async function changesBetween(
  evaluator: RuleEvaluator,
  { id, adv_id }: { id: number; adv_id: number },
  { from, to }: { from: VersionSize; to: VersionSize },
  signal: AbortSignal,
): Promise<VersionChanges | null> {
  if (!from.has_members || !to.has_members) return null
  const setOf = ({ version, count }: VersionSize) => ({ kind: 'crowd' as const, id, version, count })
  const stayed =
    from.version === to.version ? from.count : await evaluator.countShared(adv_id, setOf(from), setOf(to), { signal })
  return { entered: to.count - stayed, left: from.count - stayed, stayed }
}
