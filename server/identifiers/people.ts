import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import { type Handles, sumOf } from '../clickhouse/handles.ts'
import { comparable, comparedForms, formRowsSql, personTextSql } from './forms-sql.ts'

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
  // The last form in the chain: both sides can be brought to it, and people always have it stored.
  const id_type = comparable(at.type).at(-1) ?? at.type
  const people = `identifier WHERE adv_id = ${adv_id} AND id_type = ${quote(id_type)}`
  const known = await acrossShards.query(`SELECT 1 FROM ${people} LIMIT 1`)
  if (known.length === 0) return 0
  // What people have of each earlier form is stored in the last one as well, but not in another spelling.
  const [plain = id_type] = comparable(at.type)
  const [, ...spellings] = comparedForms(plain, id_type, personTextSql(plain, 'value_hash', personKey))
  const spelt = spellings.map(
    (form) => `UNION ALL SELECT ${form}, uid FROM identifier WHERE adv_id = ${adv_id} AND id_type = ${quote(plain)}`,
  )
  await acrossShards.command(
    `INSERT INTO crowd_member (adv_id, crowd_id, version, bucket, bitmap)
     SELECT ${adv_id}, ${crowd_id}, ${members_version}, bitShiftRight(uid, 20) AS bucket, groupBitmapState(uid)
     FROM (SELECT value_hash, uid FROM ${people} ${spelt.join(' ')}) AS theirs
     SEMI LEFT JOIN (SELECT ${formRowsSql(comparedForms(at.type, id_type, 'value'))} AS value_hash FROM (${valuesSql})) AS ours USING value_hash
     GROUP BY bucket`,
    {},
    { signal, settings: { join_algorithm: 'grace_hash', max_bytes_in_join: JOIN_BYTES } },
  )
  const counts = await everyShard.query<{ n: number }>(
    `SELECT sum(bitmapCardinality(bitmap)) AS n FROM crowd_member WHERE ${where}`,
  )
  return sumOf(counts, 'n')
}

const JOIN_BYTES = 256 * 1024 * 1024
