import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'

const md5 = (text: string) => `lower(hex(MD5(${text})))`
const sha256 = (text: string) => `lower(hex(SHA256(${text})))`

/**
 * The form of people's identifiers that a crowd's can be compared with: the most derived one, which is kept beside every
 * other that it can be made of. `text` is a crowd's value.
 */
export function comparable(type: IdentifierType, text: string): { id_type: IdentifierType; value: string } {
  const { form, subject } = IDENTIFIERS[type]
  switch (subject) {
    case 'IDFA':
    case 'IMEI':
    case 'OAID': {
      const id_type = `MD5_SHA256_${subject}` as const
      if (form === 'plain') return { id_type, value: sha256(md5(text)) }
      return { id_type, value: form === 'md5' ? sha256(text) : text }
    }
    case 'MAC':
      return { id_type: 'HASH_MAC', value: form === 'plain' ? md5(`replaceAll(${text}, ':', '')`) : text }
    case 'QQ':
      return { id_type: 'HASH_QQ', value: form === 'plain' ? md5(text) : text }
    case 'MOBILE_PHONE':
      return { id_type: type, value: text }
  }
}

/** Writes the people that have one of the values as a version of the crowd's members; answers how many they are. */
export async function storePeople(
  load: Engine,
  at: { adv_id: number; crowd_id: number; members_version: number; type: IdentifierType },
  valuesSql: string,
  signal?: AbortSignal,
): Promise<number> {
  const { adv_id, crowd_id, members_version } = at
  const where = `adv_id = ${adv_id} AND crowd_id = ${crowd_id} AND version = ${members_version}`
  const [had] = await load.query<{ n: number }>(`SELECT count() AS n FROM crowd_member WHERE ${where}`)
  if (had && had.n > 0) await load.command(`DELETE FROM crowd_member WHERE ${where}`)
  const { id_type, value } = comparable(at.type, 'value')
  const people = `identifier WHERE adv_id = ${adv_id} AND id_type = ${quote(id_type)}`
  const known = await load.query(`SELECT 1 FROM ${people} LIMIT 1`)
  if (known.length === 0) return 0
  await load.command(
    `INSERT INTO crowd_member (adv_id, crowd_id, version, bucket, bitmap)
     SELECT ${adv_id}, ${crowd_id}, ${members_version}, bitShiftRight(uid, 20) AS bucket, groupBitmapState(uid)
     FROM (SELECT value_hash, uid FROM ${people}) AS theirs
     SEMI LEFT JOIN (SELECT ${value} AS value_hash FROM (${valuesSql})) AS ours USING value_hash
     GROUP BY bucket`,
    {},
    { signal, settings: { join_algorithm: 'grace_hash', max_bytes_in_join: JOIN_BYTES } },
  )
  const [count] = await load.query<{ n: number }>(
    `SELECT sum(bitmapCardinality(bitmap)) AS n FROM crowd_member WHERE ${where}`,
  )
  return count?.n ?? 0
}

const JOIN_BYTES = 256 * 1024 * 1024
