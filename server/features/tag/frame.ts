import type { TagDefinition } from '#contract/tag-definition.ts'

/** A tag to build; its definition's attribute has a slot in `Frame.attributes`. */
export interface Definition<D extends TagDefinition = TagDefinition> {
  id: number
  definition: D
}

/** What the statements of one build share. */
export interface Frame extends Calendar {
  adv_id: number
  /** By attribute name; `hasLong`: some of its values are too long for a tag. */
  attributes: ReadonlyMap<string, { slot: number; distinct: number; hasLong: boolean }>
  rows: PersonRows
}

/** Where days begin and which day it is. */
export interface Calendar {
  timezone: string
  /** Day of TIMEZONE at which relative days end (it is not part of them), as YYYY-MM-DD. */
  today: string
}

/**
 * `several`: a subquery of one bitmap, the people with several rows in person_row; null if there are none. Only they
 * need a search for the newest value, which takes ten times as long as reading it.
 */
export interface PersonRows {
  adv_id: number
  count: number
  /** Number of buckets, empty ones included. */
  buckets: number
  several: string | null
}

export const severalRows = (adv_id: number) =>
  `SELECT groupBitmapState(uid) AS bitmap FROM (
     SELECT uid FROM person_row WHERE adv_id = ${adv_id} GROUP BY adv_id, uid HAVING count() > 1)`

/** person_row is ordered by person, so groups by person can be built while reading. */
export const IN_ORDER = { optimize_aggregation_in_order: 1 }

const idsOf = (tags: readonly Definition[]) => tags.map((tag) => tag.id)
export const idsSql = (tags: readonly Definition[]) => `[${idsOf(tags).join(', ')}]::Array(UInt32)`

/** A statement of (tag_id, bucket, bitmap), and the tags whose people it selects. */
export interface MemberSelect {
  sql: string
  ids: readonly number[]
  /** Runs after the others, in order. */
  isLast: boolean
}
export const first = (sql: string, tags: readonly Definition[]) => ({ sql, ids: idsOf(tags), isLast: false })
export const last = (sql: string, tags: readonly Definition[]) => ({ sql, ids: idsOf(tags), isLast: true })

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  return [...Map.groupBy(items, keyOf).values()]
}
