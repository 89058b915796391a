import type { AttributeDefinition } from '#contract/tag-definition.ts'
import { quote } from '../../clickhouse/bind.ts'
import { ROW_ORDER, slotColumn } from '../../clickhouse/person-sql.ts'
import { conditionSql, equalValues } from './condition-sql.ts'
import { othersSelect } from './everyone-sql.ts'
import {
  type Definition,
  type Frame,
  first,
  groupBy,
  idsSql,
  last,
  type MemberSelect,
  type PersonRows,
} from './frame.ts'

type AttributeTag = Definition<AttributeDefinition>

/** With more distinct values, a bitmap for each is slower: with 5,000 values three times as slow. */
const GROUPED_VALUES_MAX = 400
/** Up to this many buckets, of 2^20 people each, get a statement each. */
const BUCKETS_APART_MAX = 8
const BUCKET_PEOPLE = 2 ** 20

/** One pass over the data for all tags of an attribute, and one for its tag 为空. */
export function attributeSelects(frame: Frame, tags: readonly AttributeTag[]): MemberSelect[] {
  const groups = (asksEmpty: boolean) =>
    groupBy(
      tags.filter((tag) => (tag.definition.condition.is === 'empty') === asksEmpty),
      (tag) => tag.definition.attribute,
    )
  return [
    ...longestFirst(frame, groups(false)).map((group) => first(attributeSelect(frame, group), group)),
    ...groups(true).map((group) => last(withoutValue(frame, group), group)),
  ]
}

/** More values take longer, so these groups start first. */
const longestFirst = (frame: Frame, groups: readonly AttributeTag[][]) =>
  groups.toSorted((one, other) => distinctOf(frame, other) - distinctOf(frame, one))

const distinctOf = ({ attributes }: Frame, [tag]: readonly AttributeTag[]) =>
  attributes.get(tag?.definition.attribute ?? '')?.distinct ?? 0

const withoutValue = (frame: Frame, tags: readonly AttributeTag[]) =>
  othersSelect(frame, tags, [
    attributeSelect(
      frame,
      tags.map((tag) => ({ ...tag, definition: { ...tag.definition, condition: { is: 'exists' } } })),
    ),
  ])

function attributeSelect(frame: Frame, tags: readonly AttributeTag[]): string {
  const attribute = frame.attributes.get(tags[0]?.definition.attribute ?? '')
  if (!attribute) throw new Error('an attribute without a slot')
  const people = newestValues(frame.rows, attribute.slot)
  const ids = matchingIds(frame, tags)
  // Long values are not grouped: each group keeps its value in memory.
  if (attribute.distinct > GROUPED_VALUES_MAX || attribute.hasLong) {
    return `SELECT tag_id, bucket, groupBitmapState(uid) AS bitmap
      FROM (${people}) ARRAY JOIN ${ids} AS tag_id GROUP BY tag_id, bucket`
  }
  const { buckets } = frame.rows
  const states =
    frame.rows.several !== null || buckets > BUCKETS_APART_MAX
      ? `SELECT value, bucket, groupBitmapState(uid) AS state FROM (${people}) GROUP BY value, bucket`
      : Array.from({ length: buckets }, (_, bucket) => bucketStates(frame.rows, attribute.slot, bucket)).join(
          '\nUNION ALL\n',
        )
  return `SELECT tag_id, bucket, groupBitmapMergeState(state) AS bitmap FROM (${states})
    ARRAY JOIN ${ids} AS tag_id GROUP BY tag_id, bucket`
}

/** The people of each value in one bucket: grouping by a text alone is cheaper than by a text and a number. */
function bucketStates(rows: PersonRows, slot: number, bucket: number): string {
  // By uid, since the table is ordered by it.
  const within = `uid BETWEEN ${bucket * BUCKET_PEOPLE} AND ${(bucket + 1) * BUCKET_PEOPLE - 1}`
  return `SELECT value, toUInt16(${bucket}) AS bucket, groupBitmapState(uid) AS state
    FROM (${newestValues(rows, slot, within)}) GROUP BY value`
}

/** (uid, bucket, value) of the people who have the attribute; the same values as `attributeValuesSql`. */
export function newestValues({ adv_id, several }: PersonRows, slot: number, only = '1'): string {
  const column = slotColumn(slot)
  const rows = `FROM person_row WHERE adv_id = ${adv_id} AND ${column} != '' AND ${only}`
  const single = `SELECT uid, bucket, ${column} AS value ${rows}`
  if (several === null) return single
  return `${single} AND NOT bitmapContains((${several}), uid)
    UNION ALL
    SELECT uid, any(bucket) AS bucket, argMax(${column}, ${ROW_ORDER}) AS value ${rows} AND bitmapContains((${several}), uid)
    GROUP BY adv_id, uid`
}

/** An array of the tags whose condition `value` meets: equality by hash lookup, other conditions one by one. */
function matchingIds(frame: Frame, tags: readonly AttributeTag[]): string {
  const byValue = new Map<string, Set<number>>()
  const others: AttributeTag[] = []
  for (const tag of tags) {
    const values = equalValues(tag.definition.condition)
    if (!values) others.push(tag)
    for (const value of values ?? []) byValue.set(value, (byValue.get(value) ?? new Set()).add(tag.id))
  }
  const parts: string[] = []
  if (byValue.size > 0) {
    const values = [...byValue.keys()].map(quote)
    const places = values.map((_, index) => index + 2)
    const lists = [...byValue.values()].map((ids) => `[${[...ids].join(', ')}]`)
    parts.push(
      `arrayElement([[], ${lists.join(', ')}]::Array(Array(UInt32)), transform(value, [${values.join(', ')}], [${places.join(', ')}], 1))`,
    )
  }
  if (others.length > 0) {
    const hits = others.map((tag) => conditionSql(tag.definition.condition, 'value', frame))
    parts.push(`arrayFilter((id, hit) -> hit, ${idsSql(others)}, [${hits.join(', ')}])`)
  }
  return parts.length === 1 ? (parts[0] as string) : `arrayConcat(${parts.join(', ')})`
}
