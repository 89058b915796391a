import type { IdentifierType } from '#contract/identifier.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { ROW_ORDER, slotColumn } from '../../clickhouse/person-sql.ts'
import { personTextSql } from '../../identifiers/forms-sql.ts'
import type { ChosenColumns } from './columns.ts'

/** Identifiers of one type in a cell; a spreadsheet cuts cells of 32,767 characters. */
const IDENTIFIERS_MAX = 100
const BUCKET_BITS = 20

/** What a file says of a person. */
export interface Described {
  one_id: string
  name: string
  /** Sealed. */
  phone: string
  /** The newest values of the attributes, in the order of their slots. */
  values: string[]
  identifiers: Map<IdentifierType, { total: number; some: string[] }>
  visits: { first: number; last: number; n: number } | undefined
  /** Ids of the tags held. */
  tags: ReadonlySet<number>
}

interface Members {
  adv_id: number
  crowd_id: number
  version: number
}

const MEMBERS = 'adv_id = {adv_id:UInt32} AND crowd_id = {crowd_id:UInt32} AND version = {version:UInt32}'

/** How many people of the version are in each bucket, and of how many of them the person's row is there. */
export async function sizesOf(engine: AcrossShards, members: Members) {
  const buckets = await engine.query<{ bucket: number; people: number }>(
    `SELECT bucket, toFloat64(groupBitmapMerge(bitmap)) AS people FROM crowd_member
     WHERE ${MEMBERS} GROUP BY bucket ORDER BY bucket`,
    { ...members },
  )
  const [known] = await engine.query<{ n: number }>(
    `SELECT toFloat64(sum(bitmapAndCardinality(members, known))) AS n FROM
       (SELECT bucket, groupBitmapMergeState(bitmap) AS members FROM crowd_member WHERE ${MEMBERS} GROUP BY bucket) AS one
       INNER JOIN (
         SELECT toUInt16(bitShiftRight(uid, ${BUCKET_BITS})) AS bucket, groupBitmapState(uid) AS known FROM person_key
         WHERE adv_id = {adv_id:UInt32} GROUP BY bucket
       ) AS other USING (bucket)`,
    { ...members },
  )
  return { buckets, known: known?.n ?? 0 }
}

/** People of the version in the order of their numbers, at most `atOnce` at a time. */
export async function* peopleOf(
  engine: AcrossShards,
  members: Members,
  buckets: readonly { bucket: number; people: number }[],
  atOnce: number,
): AsyncGenerator<number[]> {
  for (const { from, to, people } of joined(buckets, atOnce)) {
    let first = from * 2 ** BUCKET_BITS
    for (let left = people; left > 0; ) {
      const [row] = await engine.query<{ uids: number[] }>(
        `SELECT bitmapToArray(bitmapSubsetLimit(groupBitmapMergeState(bitmap), {first:UInt32}, {limit:UInt32})) AS uids
         FROM crowd_member WHERE ${MEMBERS} AND bucket BETWEEN {from:UInt16} AND {to:UInt16}`,
        { ...members, from, to, first, limit: Math.min(left, atOnce) },
      )
      const uids = (row?.uids ?? []).toSorted((one, other) => one - other)
      const last = uids.at(-1)
      if (last === undefined) return
      yield uids
      left -= uids.length
      first = last + 1
    }
  }
}

/** Neighbouring buckets with few people are read together. */
function joined(buckets: readonly { bucket: number; people: number }[], atOnce: number) {
  const all: { from: number; to: number; people: number }[] = []
  for (const { bucket, people } of buckets) {
    const before = all.at(-1)
    if (before && before.people + people <= atOnce)
      Object.assign(before, { to: bucket, people: before.people + people })
    else all.push({ from: bucket, to: bucket, people })
  }
  return all
}

/** What the columns say of people; null for somebody whose row is gone. */
export async function describedPeople(
  engine: AcrossShards,
  { adv_id, uids, personKey }: { adv_id: number; uids: readonly number[]; personKey: Buffer },
  { slots, types, tags, needs }: Pick<ChosenColumns, 'slots' | 'types' | 'tags' | 'needs'>,
): Promise<(Described | null)[]> {
  const [first = 0] = uids
  const last = uids.at(-1) ?? 0
  const THEIRS =
    'adv_id = {adv_id:UInt32} AND uid BETWEEN {first:UInt32} AND {last:UInt32} AND uid IN {uids:Array(UInt32)}'
  const params = { adv_id, first, last, uids }
  const newest = [...(['name', 'phone'] as const).filter((field) => needs.has(field)), ...slots.map(slotColumn)]
  const values = newest.map((column) => `argMaxIf(${column}, ${ROW_ORDER}, ${column} != '')`)
  const texts = types.map((type) => `id_type = '${type}', ${personTextSql(type, 'value_hash', personKey)}`)
  const asksVisits = needs.has('first_event') || needs.has('last_event') || needs.has('events')
  const ask = <T>(isAsked: boolean, sql: string, more = {}) =>
    isAsked ? engine.query<T>(sql, { ...params, ...more }) : Promise.resolve([] as T[])

  const [keys, rows, identifiers, visits, held] = await Promise.all([
    ask<{ uid: number; one_id: string }>(true, `SELECT uid, one_id FROM person_key WHERE ${THEIRS}`),
    ask<{ uid: number; found: string[] }>(
      newest.length > 0,
      `SELECT uid, [${values.join(', ')}] AS found FROM person_row WHERE ${THEIRS} GROUP BY uid`,
    ),
    ask<{ uid: number; id_type: IdentifierType; total: number; some: string[] }>(
      types.length > 0,
      `SELECT uid, id_type, toFloat64(count()) AS total,
         arraySlice(arraySort(groupArray(text)), 1, ${IDENTIFIERS_MAX}) AS some
       FROM (SELECT DISTINCT uid, toString(id_type) AS id_type, multiIf(${texts.join(', ')}, '') AS text FROM identifier
             WHERE ${THEIRS} AND id_type IN {types:Array(String)})
       GROUP BY uid, id_type`,
      { types },
    ),
    ask<{ uid: number; first: number; last: number; n: number }>(
      asksVisits,
      `SELECT uid, toFloat64(count()) AS n, intDiv(toUnixTimestamp64Milli(min(ts)), 1000) AS first,
         intDiv(toUnixTimestamp64Milli(max(ts)), 1000) AS last FROM event WHERE ${THEIRS} GROUP BY uid`,
    ),
    ask<{ uid: number; held: number[] }>(
      tags.length > 0,
      `SELECT uid, groupUniqArray(tag_id) AS held FROM (
         SELECT tag_id, arrayJoin(bitmapToArray(bitmapAnd(bitmap, bitmapBuild({uids:Array(UInt32)})))) AS uid
         FROM tag_member WHERE adv_id = {adv_id:UInt32}
           AND bucket BETWEEN bitShiftRight({first:UInt32}, ${BUCKET_BITS}) AND bitShiftRight({last:UInt32}, ${BUCKET_BITS})
           AND (tag_id, version) IN (SELECT arrayJoin(arrayZip({ids:Array(UInt32)}, {versions:Array(UInt32)})))
       ) GROUP BY uid`,
      { ids: tags.map(({ id }) => id), versions: tags.map(({ version }) => version) },
    ),
  ])

  const people = new Map(keys.map(({ uid, one_id }) => [uid, somebody(one_id)]))
  for (const { uid, found } of rows) {
    const person = people.get(uid)
    if (!person) continue
    const of = new Map(newest.map((column, at) => [column, found[at] ?? '']))
    person.name = of.get('name') ?? ''
    person.phone = of.get('phone') ?? ''
    person.values = slots.map((slot) => of.get(slotColumn(slot)) ?? '')
  }
  for (const { uid, id_type, total, some } of identifiers) people.get(uid)?.identifiers.set(id_type, { total, some })
  for (const { uid, ...visited } of visits) Object.assign(people.get(uid) ?? {}, { visits: visited })
  for (const { uid, held: ids } of held) Object.assign(people.get(uid) ?? {}, { tags: new Set(ids) })
  return uids.map((uid) => people.get(uid) ?? null)
}

const NO_TAGS: ReadonlySet<number> = new Set()
const somebody = (one_id: string): Described => ({
  ...{ one_id, name: '', phone: '', values: [], identifiers: new Map(), visits: undefined, tags: NO_TAGS },
})
