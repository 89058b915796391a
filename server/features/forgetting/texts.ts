import { type Kysely, sql } from 'kysely'
import type { Database } from '../../postgres/schema.ts'
import type { SealedPerson } from './gather.ts'

/** Stands in place of what was removed. */
export const REMOVED = '[已删除的用户]'
/** Shorter ids may be part of any text, so they are removed only where they are the whole of a value. */
const SHORTEST_IN_TEXT = 6

/** Where texts may name a person: a table, its column, and whether that is JSON. */
const PLACES = [
  { table: 'audit', column: 'detail', isJson: true },
  { table: 'task', column: 'title', isJson: false },
  { table: 'task', column: 'stage', isJson: false },
  { table: 'task', column: 'link', isJson: false },
  { table: 'task', column: 'stage_outcome', isJson: true },
  { table: 'task', column: 'error', isJson: true },
  { table: 'task', column: 'job', isJson: true },
  { table: 'task', column: 'result', isJson: true },
  { table: 'pgboss.job', column: 'data', isJson: true },
  { table: 'pgboss.job', column: 'output', isJson: true },
  { table: 'custom_log', column: 'what', isJson: false },
  { table: 'import', column: 'error', isJson: true },
] as const

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** A pattern for what stands for the person in a column; null where nothing does. */
export function patternOf({ one_ids, texts }: SealedPerson, isJson: boolean): string | null {
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

/** How many texts name the person. */
export async function countTexts(db: Kysely<Database>, person: SealedPerson): Promise<number> {
  let found = 0
  for (const { table, column, isJson } of PLACES) {
    const pattern = patternOf(person, isJson)
    if (pattern === null) continue
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)}::text ~* ${pattern}`.execute(db)
    found += rows[0]?.n ?? 0
  }
  return found
}

/** Takes the person's ids and identifiers out of the texts. May be repeated. */
export async function eraseTexts(db: Kysely<Database>, person: SealedPerson): Promise<number> {
  let found = 0
  for (const { table, column, isJson } of PLACES) {
    const pattern = patternOf(person, isJson)
    if (pattern === null) continue
    const text = sql`regexp_replace(${sql.ref(column)}::text, ${pattern}, ${REMOVED}, 'gi')`
    const { rows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${isJson ? sql`(${text})::jsonb` : text}
      where ${sql.ref(column)}::text ~* ${pattern} returning 1`.execute(db)
    found += rows.length
  }
  return found
}
