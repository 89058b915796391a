import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import type { Named } from './gather.ts'

/** Stands in place of what was removed. */
export const REMOVED = '[已删除的用户]'
/** Shorter ids may be part of any text, so they are removed only where they are the whole of a value. */
const SHORTEST_IN_TEXT = 6

/** The advertiser of a row whose JSON says so. */
const saidIn = (column: string) =>
  `case when jsonb_typeof(${column} -> 'adv_id') = 'number' then ${column} ->> 'adv_id' end`

/**
 * Where texts may name a person: a table, its column, and whether that is JSON. `owner`: the advertiser of a row, or null
 * where it belongs to none; what equals the person's id in another advertiser's rows is somebody else.
 */
const PLACES = [
  { table: 'audit', column: 'detail', isJson: true, owner: saidIn('detail') },
  { table: 'task', column: 'title', isJson: false, owner: 'adv_id' },
  { table: 'task', column: 'stage', isJson: false, owner: 'adv_id' },
  { table: 'task', column: 'link', isJson: false, owner: 'adv_id' },
  { table: 'task', column: 'stage_outcome', isJson: true, owner: 'adv_id' },
  { table: 'task', column: 'error', isJson: true, owner: 'adv_id' },
  { table: 'task', column: 'job', isJson: true, owner: 'adv_id' },
  { table: 'task', column: 'result', isJson: true, owner: 'adv_id' },
  { table: 'pgboss.job', column: 'data', isJson: true, owner: saidIn('data') },
  { table: 'pgboss.job', column: 'output', isJson: true, owner: saidIn('data') },
  {
    ...{ table: 'custom_log', column: 'what', isJson: false },
    owner: '(select adv_id from custom_crowd where id = custom_log.crowd_id)',
  },
  { table: 'import', column: 'error', isJson: true, owner: 'adv_id' },
] as const
type Place = (typeof PLACES)[number]

/** A job's row changes while it runs, and so does a task's. */
const TRIES = 5

/** The text as a part of a pattern. */
export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** A pattern for what stands for the person in a column; null where nothing does. */
export function patternOf({ one_ids, texts }: Named, isJson: boolean): string | null {
  const all = [...new Set([...one_ids, ...texts])].filter(Boolean)
  const written = (text: string) => escaped(isJson ? inJson(text) : text)
  const long = all.filter((text) => text.length >= SHORTEST_IN_TEXT).map(written)
  const short = all.filter((text) => text.length < SHORTEST_IN_TEXT).map(written)
  const each = [
    ...(long.length === 0 ? [] : [`(?<![0-9A-Za-z_])(?:${long.join('|')})(?![0-9A-Za-z_])`]),
    ...(short.length === 0 ? [] : [isJson ? `(?<=")(?:${short.join('|')})(?=")` : `^(?:${short.join('|')})$`]),
  ]
  return each.length === 0 ? null : each.join('|')
}

/** What stands for the person in a text: ids exactly as written, identifiers in either case. */
function replaced({ one_ids, texts }: Named): (text: string) => string {
  const ids = patternOf({ one_ids, texts: [] }, false)
  const identifiers = patternOf({ one_ids: [], texts }, false)
  const patterns = [
    ...(ids === null ? [] : [new RegExp(ids, 'g')]),
    ...(identifiers === null ? [] : [new RegExp(identifiers, 'gi')]),
  ]
  const clean = (text: string) => patterns.reduce((left, pattern) => left.replace(pattern, REMOVED), text)
  // An id may be a part of what stands for those who were removed.
  return (text) => text.split(REMOVED).map(clean).join(REMOVED)
}

/** The same in all texts of a JSON value. Its keys and numbers stand for nobody. */
export function withoutPerson(value: unknown, person: Named): unknown {
  const clean = replaced(person)
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, below]) => [key, walk(below)]))
  }
  return walk(value)
}

/** A person of an advertiser. */
interface OneOf {
  adv_id: number
  person: Named
}

interface Row {
  /** Of the partition that holds it. */
  oid: string
  tid: string
  text: string
}
const ROWS_AT_ONCE = 500

/** The rows of a column that may name the person, a number of them at a time. */
async function* rowsNaming(
  db: Kysely<Database>,
  { table, column, owner }: Place,
  { pattern, adv_id }: { pattern: string; adv_id: number },
): AsyncGenerator<Row[]> {
  const { rows: found } = await sql<{ oid: string; tids: string[] }>`
    select tableoid::text as oid, array_agg(ctid::text) as tids from ${sql.table(table)}
    where ${sql.ref(column)}::text ~* ${pattern} and coalesce((${sql.raw(owner)})::text, ${String(adv_id)}) = ${String(adv_id)}
    group by tableoid`.execute(db)
  for (const { oid, tids } of found) {
    for (let from = 0; from < tids.length; from += ROWS_AT_ONCE) {
      const some = tids.slice(from, from + ROWS_AT_ONCE)
      const { rows } = await sql<Row>`
        select tableoid::text as oid, ctid::text as tid, ${sql.ref(column)}::text as text from ${sql.table(table)}
        where tableoid = ${oid}::oid and ctid = any(${some}::tid[])`.execute(db)
      yield rows
    }
  }
}

/** The rows of a column that name the person, each with what it is without that. */
async function* naming(db: Kysely<Database>, place: Place, { adv_id, person }: OneOf) {
  const pattern = patternOf(person, place.isJson)
  if (pattern === null) return
  const clean = replaced(person)
  for await (const rows of rowsNaming(db, place, { pattern, adv_id })) {
    for (const row of rows) {
      if (!place.isJson) {
        const next = clean(row.text)
        if (next !== row.text) yield { ...row, next }
        continue
      }
      const value: unknown = JSON.parse(row.text)
      const next = withoutPerson(value, person)
      if (!isDeepStrictEqual(next, value)) yield { ...row, next: JSON.stringify(next) }
    }
  }
}

/** How many texts name the person. */
export async function countTexts(db: Kysely<Database>, whom: OneOf): Promise<number> {
  let found = 0
  for (const place of PLACES) for await (const _ of naming(db, place, whom)) found += 1
  return found
}

/** Takes the person's ids and identifiers out of the texts. May be repeated: a row that changed meanwhile is found again. */
export async function eraseTexts(db: Kysely<Database>, whom: OneOf): Promise<number> {
  let found = 0
  for (let tries = 0; tries < TRIES; tries += 1) {
    for (const place of PLACES) {
      const { table, column } = place
      const made = sql.raw(place.isJson ? 'jsonb' : 'text')
      for await (const { oid, tid, text, next } of naming(db, place, whom)) {
        const { rows } = await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = ${next}::${made}
          where tableoid = ${oid}::oid and ctid = ${tid}::tid and ${sql.ref(column)}::text = ${text}
          returning 1`.execute(db)
        found += rows.length
      }
    }
    if ((await countTexts(db, whom)) === 0) return found
  }
  throw new Error('texts that name a person changed while they were removed')
}
