import { z } from 'zod'
import type { IdentifierType } from '#contract/identifier.ts'
import { phoneOf } from '#contract/phone.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { anyTextSql, forgottenValueSql } from '../../identifiers/forgotten-values.ts'
import { comparedForms, formRowsSql, personTextSql } from '../../identifiers/forms-sql.ts'
import { idsOfPerson, peopleWith } from '../../identifiers/person-ids.ts'
import { unseal } from '../../identifiers/seal.ts'
import { forgottenOf, markedForm, type Tombstone, type TombstoneOf } from '../../identifiers/tombstones.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'

/** What is kept of a person, encrypted, until the last receipt is in. */
const Sealed = z.object({
  one_ids: z.array(z.string()),
  /** Identifiers and phones as they may stand in texts. */
  texts: z.array(z.string()),
})
export type SealedPerson = z.infer<typeof Sealed>
/** What stands for a person in texts and files. */
export type Named = Pick<SealedPerson, 'one_ids' | 'texts'>
export const openPerson = (deps: Pick<ForgetDeps, 'secrets'>, sealed: string): SealedPerson =>
  Sealed.parse(JSON.parse(deps.secrets.open(sealed)))
export const sealPerson = (deps: Pick<ForgetDeps, 'secrets'>, person: SealedPerson): string =>
  deps.secrets.seal(JSON.stringify(person))

export interface Gathered extends SealedPerson {
  uids: number[]
  attributes: string[]
  tombstones: Tombstone[]
}

/**
 * Looks up everything that identifies a person, while no import is under way. Nothing is changed but the tombstones in the
 * warehouse, which stand for the person from now on.
 */
export async function gather(
  deps: ForgetDeps,
  { adv_id, token, sealed }: { adv_id: number; token: string; sealed: string | null },
): Promise<Gathered> {
  const { load, tokens, personKey } = deps
  const engine = load.acrossShards
  const at = now()
  const tombstoneOf = (what: TombstoneOf, text: string): Tombstone => ({
    ...{ adv_id, what, owner: token, at, key: tokens.keyName },
    token: tokens.of(adv_id, what, text),
  })

  const asked = sealed === null ? await idsByToken() : openPerson(deps, sealed).one_ids
  const one_ids = await idsOfPerson(engine, adv_id, asked)
  const people = await peopleWith(engine, adv_id, one_ids)
  const uids = [...new Set(people.map(({ uid }) => uid))]
  const before = sealed === null ? [] : openPerson(deps, sealed).texts
  const owned = await identifiersOf(uids)
  const own = await formsOf(uids, [...new Set(owned.map(({ type }) => type))])
  const tombstones = [
    ...one_ids.map((one_id) => tombstoneOf('one_id', one_id)),
    ...own.map(({ type, text }) => tombstoneOf(type, text)),
  ]
  await keepInWarehouse(deps, tombstones)
  // A phone on the suppression list has both of its hashes there, of which the person may have had one.
  const listed = await listedForms()
  const more = listed.map(({ type, text }) => tombstoneOf(type, text))
  await keepInWarehouse(deps, more)
  const texts = [
    ...before,
    ...owned.map(({ text }) => text),
    ...(await phonesOf(uids)),
    ...listed.map(({ text }) => text),
  ]
  return {
    one_ids,
    uids,
    texts: [...new Set(texts)].filter(Boolean),
    attributes: await attributesOf(uids),
    tombstones: [...tombstones, ...more],
  }

  /** After a restore only the token is known. */
  async function idsByToken(): Promise<string[]> {
    const rows = await engine.query<{ one_id: string }>(
      `SELECT one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND ${tokens.sql(adv_id, 'one_id', 'one_id')} = {token:String}`,
      { adv_id, token },
    )
    return rows.map(({ one_id }) => one_id)
  }

  async function identifiersOf(of: readonly number[]): Promise<{ type: IdentifierType; text: string }[]> {
    if (of.length === 0) return []
    const types = await engine.query<{ type: IdentifierType }>(
      `SELECT DISTINCT toString(id_type) AS type FROM identifier WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)}
       UNION DISTINCT SELECT DISTINCT toString(id_type) AS type FROM identifier_repeat
       WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)}`,
      { adv_id, uids: [...of] },
    )
    const found: { type: IdentifierType; text: string }[] = []
    for (const { type } of types) {
      const rows = await engine.query<{ text: string }>(
        `SELECT DISTINCT ${personTextSql(type, 'value_hash', personKey)} AS text FROM (${ownSql(type)})`,
        { adv_id, uids: [...of] },
      )
      found.push(...rows.map(({ text }) => ({ type, text })))
    }
    return found
  }

  /** The forms by which the person's identifiers are recognised, without those that somebody else has too. */
  async function formsOf(of: readonly number[], types: readonly IdentifierType[]) {
    const found = new Map<string, { type: IdentifierType; text: string }>()
    for (const type of types) {
      const marked = markedForm(type)
      const forms = formRowsSql(comparedForms(type, marked, personTextSql(type, 'value_hash', personKey)))
      const rows = await engine.query<{ text: string }>(
        `SELECT DISTINCT ${forms} AS text FROM (${ownSql(type)})
         WHERE text NOT IN (SELECT value_hash FROM identifier
           WHERE adv_id = {adv_id:UInt32} AND id_type = '${marked}' AND uid NOT IN {uids:Array(UInt32)})`,
        { adv_id, uids: [...of] },
      )
      for (const { text } of rows) found.set(`${marked} ${text}`, { type: marked, text })
    }
    return [...found.values()]
  }

  function ownSql(type: IdentifierType): string {
    const own = (table: string) =>
      `SELECT value_hash FROM ${table} WHERE adv_id = {adv_id:UInt32} AND id_type = '${type}' AND uid IN {uids:Array(UInt32)}`
    return `${own('identifier')} UNION ALL ${own('identifier_repeat')}`
  }

  async function phonesOf(of: readonly number[]): Promise<string[]> {
    if (of.length === 0) return []
    const rows = await engine.query<{ phone: string }>(
      `SELECT DISTINCT phone FROM person_row WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)} AND phone != ''`,
      { adv_id, uids: [...of] },
    )
    return rows.flatMap(({ phone }) => {
      const text = unseal(phone, personKey)
      const number = phoneOf(text)
      return number === null || number === text ? [text] : [text, number]
    })
  }

  async function listedForms(): Promise<{ type: IdentifierType; text: string }[]> {
    const condition = forgottenValueSql(await forgottenOf(engine, tokens, adv_id, token), personKey)
    if (condition === null) return []
    return engine.query<{ type: IdentifierType; text: string }>(
      `SELECT DISTINCT toString(id_type) AS type, ${anyTextSql(personKey)} AS text FROM suppression
       WHERE adv_id = {adv_id:UInt32} AND entry != '' AND entry IN (
         SELECT entry FROM suppression WHERE adv_id = {adv_id:UInt32} AND entry != '' AND ${condition})`,
      { adv_id },
    )
  }

  /** Attributes whose known values contain one of the person's. */
  async function attributesOf(of: readonly number[]): Promise<string[]> {
    const attributes = await deps.db
      .selectFrom('attribute')
      .select(['name', 'slot', 'values'])
      .where('adv_id', '=', adv_id)
      .orderBy('id')
      .execute()
    const known = attributes.filter(({ values }) => values.length > 0)
    if (of.length === 0 || known.length === 0) return []
    const [row] = await engine.query<{ values: string[][] }>(
      `SELECT [${known.map(({ slot }) => `groupUniqArray(${slotColumn(slot)})`).join(', ')}] AS values FROM person_row
       WHERE adv_id = {adv_id:UInt32} AND uid IN {uids:Array(UInt32)}`,
      { adv_id, uids: [...of] },
    )
    return known.flatMap(({ name, values }, at) => {
      const own = new Set(row?.values[at])
      return values.some((value) => own.has(value)) ? [name] : []
    })
  }
}

export async function keepInWarehouse(
  { load }: Pick<ForgetDeps, 'load'>,
  tombstones: readonly Tombstone[],
): Promise<void> {
  if (tombstones.length > 0) await load.oneNode.insert('tombstone', [...tombstones])
}
