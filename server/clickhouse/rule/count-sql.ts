import type { JoinedPlan, RulePlan, StoredSet } from './plan.ts'

/** The tables the sets are read from; over shards these are views or Distributed tables. */
export type MemberTables = { tag: string; crowd: string }
export const MEMBER_TABLES: MemberTables = { tag: 'tag_member', crowd: 'crowd_member' }

const FOLD = { n: 'bitmapAnd', u: 'bitmapOr', e: 'bitmapAndnot' } as const
const EMPTY = `bitmapBuild(CAST([], 'Array(UInt32)'))`

const whole = (value: number) => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is no id`)
  return String(value)
}

/** The numbers of crowds begin here, so that they differ from those of tags. Ids are below 2^31. */
const CROWDS_FROM = 2n ** 63n
const versionNumber = ({ id, version }: StoredSet) => BigInt(whole(id)) * 2n ** 32n + BigInt(whole(version))
/** A number for each version of a tag or crowd. */
const numberOf = (set: StoredSet) => (set.kind === 'crowd' ? CROWDS_FROM : 0n) + versionNumber(set)

/** A list as one literal: a rule may name thousands of sets, and separate numbers would be parsed one by one. */
const listOf = (numbers: readonly (number | bigint)[], type: string) =>
  `CAST('[${numbers.join(',')}]', 'Array(${type})')`

/** Rows (set, bucket, bitmap) of the sets, each at its fixed version. */
export function memberRows(adv_id: number, sets: readonly StoredSet[], tables: MemberTables): string {
  const ofKind = (kind: StoredSet['kind']) => {
    const pinned = sets.filter((set) => set.kind === kind)
    if (pinned.length === 0) return []
    const ids = listOf(
      pinned.map(({ id }) => Number(whole(id))),
      'UInt32',
    )
    const versions = listOf(pinned.map(versionNumber), 'UInt64')
    const number = `bitShiftLeft(toUInt64(${kind}_id), 32) + version`
    const set = kind === 'crowd' ? `${number} + toUInt64(${CROWDS_FROM})` : number
    return [
      `SELECT ${set} AS set, bucket, bitmap FROM ${tables[kind]} WHERE adv_id = ${whole(adv_id)} AND ${kind}_id IN ${ids} AND ${number} IN ${versions}`,
    ]
  }
  return [...ofKind('tag'), ...ofKind('crowd')].join(' UNION ALL ')
}

/** The index of a row's set in `sets`. */
export const setIndex = (sets: readonly StoredSet[]) =>
  `toUInt32(transform(set, ${listOf(sets.map(numberOf), 'UInt64')}, range(toUInt64(${sets.length})), toUInt64(0)))`

const slotName = (sets: number) => (at: number) => (at < sets ? `s${at}` : `n${at - sets}`)

/** Buckets from `from` on, up to but not including `to`. */
export type BucketRange = { from: number; to: number }

/** One row per bucket: a state s0, s1, … per set and n0, n1, … per node, each written once however deep the rule. */
function foldedBuckets(adv_id: number, { sets, steps }: RulePlan, tables: MemberTables, range?: BucketRange): string {
  const slot = slotName(sets.length)
  // One state per set (`=`, not `IN`), since the order of sets matters in a difference.
  const states = sets.map((set, at) => `groupBitmapMergeStateIf(bitmap, set = ${numberOf(set)}) AS s${at}`)
  const folds = steps.map(({ op, parts }, at) => {
    const folded =
      parts.length === 0 ? EMPTY : parts.map(slot).reduce((left, right) => `${FOLD[op]}(${left}, ${right})`)
    return `${folded} AS n${at}`
  })
  const within = range ? ` WHERE bucket >= ${whole(range.from)} AND bucket < ${whole(range.to)}` : ''
  return `SELECT bucket, ${sets.map((_, at) => `s${at}`).join(', ')}, ${folds.join(', ')}
FROM (SELECT bucket, ${states.join(', ')} FROM (${memberRows(adv_id, sets, tables)})${within} GROUP BY bucket)`
}

/** Answers one row: `sets`, the people of each set, and `nodes`, of each step. */
export function countSql(adv_id: number, plan: RulePlan, tables = MEMBER_TABLES): string {
  const sums = (names: string[]) =>
    `sumForEach([${names.map((name) => `toUInt64(bitmapCardinality(${name}))`).join(', ')}])`
  return `SELECT ${sums(plan.sets.map((_, at) => `s${at}`))} AS sets, ${sums(plan.steps.map((_, at) => `n${at}`))} AS nodes
FROM (${foldedBuckets(adv_id, plan, tables)})`
}

/** Writes the members of each root as a crowd's version, as far as they lie in these buckets. */
export function storeSql(
  adv_id: number,
  plan: JoinedPlan,
  into: readonly { crowd_id: number; version: number }[],
  range: BucketRange,
  tables = MEMBER_TABLES,
): string {
  const slot = slotName(plan.sets.length)
  const results = into.map(
    ({ crowd_id, version }, at) =>
      `(toUInt32(${whole(crowd_id)}), toUInt32(${whole(version)}), ${slot(plan.roots[at] as number)})`,
  )
  return `INSERT INTO crowd_member (adv_id, crowd_id, version, bucket, bitmap)
SELECT ${whole(adv_id)}, result.1, result.2, bucket, result.3
FROM (SELECT bucket, arrayJoin([${results.join(', ')}]) AS result FROM (${foldedBuckets(adv_id, plan, tables, range)}))
WHERE bitmapCardinality(result.3) > 0`
}
