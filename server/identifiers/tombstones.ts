import { createHmac } from 'node:crypto'
import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { comparable, comparedForms } from './forms-sql.ts'

/** The purpose from which the key of tombstones is derived. */
export const TOMBSTONE_PURPOSE = 'tombstone'

/** What a tombstone is of: a One ID, or an identifier of a type in the form in which it is compared. */
export type TombstoneOf = 'one_id' | IdentifierType

export interface Tombstone {
  adv_id: number
  token: string
  what: TombstoneOf
  /** The token of the request that it is of. */
  owner: string
  /** Names the secret that made the token. */
  key: string
  /** Epoch seconds. */
  at: number
}

/** The form whose tombstone stands for a value of the type: the last one in its chain, which all others lead to. */
export const markedForm = (type: IdentifierType): IdentifierType => comparable(type).at(-1) ?? type

const BLOCK_BYTES = 64
const textOf = (adv_id: number, what: TombstoneOf) => `${adv_id}\n${what}\n`

/** Makes tombstones' tokens: HMAC-SHA256, in this process and in the engine, which has only hashes. */
export function tombstoneTokens(key: Buffer) {
  const block = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)])
  const padded = (byte: number) => `unhex('${Buffer.from(block.map((one) => one ^ byte)).toString('hex')}')`
  const [inner, outer] = [padded(0x36), padded(0x5c)]
  return {
    of: (adv_id: number, what: TombstoneOf, text: string): string =>
      createHmac('sha256', key)
        .update(textOf(adv_id, what) + text)
        .digest('hex'),

    sql: (adv_id: number, what: TombstoneOf, text: string): string =>
      `lower(hex(SHA256(concat(${outer}, SHA256(concat(${inner}, ${quote(textOf(adv_id, what))}, ${text}))))))`,

    /** Shows whether a tombstone was made with this key, and nothing else. */
    keyName: createHmac('sha256', key).update('name').digest('hex').slice(0, 16),
  }
}
export type TombstoneTokens = ReturnType<typeof tombstoneTokens>

/** Who of an advertiser was forgotten, as conditions on texts. */
export interface Forgotten {
  /** How many tombstones there were: they are only added. */
  count: number
  /** A condition on a One ID; null where nobody was forgotten. */
  oneId: ((text: string) => string) | null
  /** A condition on a valid text of the type; null where no forgotten person had an identifier that it could equal. */
  identifier(type: IdentifierType, text: string): string | null
}

/** `whats`: what there are tombstones of. `tokens`: a select of the advertiser's tokens. */
function forgottenConditions(
  tokens: TombstoneTokens,
  adv_id: number,
  whats: ReadonlyMap<TombstoneOf, number>,
  select: string,
): Forgotten {
  const isAmong = (what: TombstoneOf, text: string) => `${tokens.sql(adv_id, what, text)} IN (${select})`
  return {
    count: [...whats.values()].reduce((sum, n) => sum + n, 0),
    oneId: whats.has('one_id') ? (text) => isAmong('one_id', text) : null,
    identifier(type, text) {
      const marked = markedForm(type)
      if (!whats.has(marked)) return null
      return `(${comparedForms(type, marked, text)
        .map((form) => isAmong(marked, form))
        .join(' OR ')})`
    },
  }
}

/** Reads who of an advertiser was forgotten. `owner`: the token of one request. */
export async function forgottenOf(
  engine: AcrossShards,
  tokens: TombstoneTokens,
  adv_id: number,
  owner?: string,
): Promise<Forgotten> {
  const mine = owner === undefined ? '' : ` AND owner = ${quote(owner)}`
  const rows = await engine.query<{ what: TombstoneOf; n: number }>(
    `SELECT toString(what) AS what, toFloat64(uniqExact(token)) AS n FROM tombstone WHERE adv_id = {adv_id:UInt32}${mine} GROUP BY what`,
    { adv_id },
  )
  const whats = new Map(rows.map(({ what, n }) => [what, n]))
  return forgottenConditions(
    tokens,
    adv_id,
    whats,
    `SELECT token FROM tombstone WHERE adv_id = ${Number(adv_id)}${mine}`,
  )
}
