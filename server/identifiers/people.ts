import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import { type Handles, sumOf } from '../clickhouse/handles.ts'
import { comparable, comparedForms, formRowsSql, personTextSql } from './forms-sql.ts'

/** For joins of a crowd's values with our people's identifiers, of which there may be tens of millions. */
export const LONG_JOINS = { join_algorithm: 'grace_hash', max_bytes_in_join: 256 * 1024 * 1024 }

/**
 * How values of a type meet our people's identifiers: `of`, a column of the text `value` in the compared form, which may
 * make several rows of one; `theirs`, a select of the people's (value_hash, uid) in that form.
 */
export function comparedWithPeople(adv_id: number, type: IdentifierType, personKey: Buffer) {
  // The last form in the chain: both sides can be brought to it, and people always have it stored.
  const id_type = comparable(type).at(-1) ?? type
  const theirsOf = (one: IdentifierType) => `identifier WHERE adv_id = ${adv_id} AND id_type = ${quote(one)}`
  // What people have of each earlier form is stored in the last one as well, but not in another spelling.
  const [plain = id_type] = comparable(type)
  const [, ...spellings] = comparedForms(plain, id_type, personTextSql(plain, 'value_hash', personKey))
  const spelt = spellings.map((form) => `UNION ALL SELECT ${form}, uid FROM ${theirsOf(plain)}`)
  return {
    of: formRowsSql(comparedForms(type, id_type, 'value')),
    theirs: `SELECT value_hash, uid FROM ${theirsOf(id_type)} ${spelt.join(' ')}`,
    /** Empty where nobody has an identifier that can be compared. */
    anyOfTheirs: `SELECT 1 FROM ${theirsOf(id_type)} LIMIT 1`,
  }
}

/** Writes the people with one of the values as a version of the crowd's members; returns their count. */
export async function storePeople(
  { everyShard, acrossShards }: Handles,
  at: { adv_id: number; crowd_id: number; members_version: number; type: IdentifierType },
  valuesSql: string,
  personKey: Buffer,
  signal?: AbortSignal,
): Promise<number> {
  const { adv_id, crowd_id, members_version } = at
  const where = `adv_id = ${adv_id} AND crowd_id = ${crowd_id} AND version = ${members_version}`
  const had = await everyShard.query<{ n: number }>(`SELECT count() AS n FROM crowd_member WHERE ${where}`)
  if (sumOf(had, 'n') > 0) await everyShard.command(`DELETE FROM crowd_member WHERE ${where}`)
  const { of, theirs, anyOfTheirs } = comparedWithPeople(adv_id, at.type, personKey)
  const known = await acrossShards.query(anyOfTheirs)
  if (known.length === 0) return 0
  await acrossShards.command(
    `INSERT INTO crowd_member (adv_id, crowd_id, version, bucket, bitmap)
     SELECT ${adv_id}, ${crowd_id}, ${members_version}, bitShiftRight(uid, 20) AS bucket, groupBitmapState(uid)
     FROM (${theirs}) AS theirs
     SEMI LEFT JOIN (SELECT ${of} AS value_hash FROM (${valuesSql})) AS ours USING value_hash
     GROUP BY bucket`,
    {},
    { signal, settings: LONG_JOINS },
  )
  const counts = await everyShard.query<{ n: number }>(
    `SELECT sum(bitmapCardinality(bitmap)) AS n FROM crowd_member WHERE ${where}`,
  )
  return sumOf(counts, 'n')
}
