import type { Kysely } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { LONG_LISTS } from '../clickhouse/long-lists.ts'
import { attributeValuesSql } from '../clickhouse/person-sql.ts'
import type { Database } from '../postgres/schema.ts'
import { commonForm, comparable, comparedForms, formRowsSql, isPlain, personTextSql } from './forms-sql.ts'
import { identifierSql } from './identifier-sql.ts'

/** People who must be left out of an advertiser's pushes. */
export interface Exclusions {
  adv_id: number
  /** Types that have entries in the suppression list. */
  suppressed: readonly IdentifierType[]
  /** A select of the people who have an identifier on the list; null when the list is empty. */
  suppressedPeople: string | null
  /** Types that these people have identifiers of. */
  suppressedTypes: readonly IdentifierType[]
  /** A select of the people who refuse consent; null when the advertiser has no consent attribute. */
  refused: string | null
  /** Types that these people have identifiers of. */
  refusedTypes: readonly IdentifierType[]
}

/** The types that have entries in the suppression list. */
export async function suppressedTypes(engine: AcrossShards, adv_id: number): Promise<IdentifierType[]> {
  const rows = await engine.query<{ id_type: IdentifierType }>(
    `SELECT DISTINCT id_type FROM suppression FINAL WHERE adv_id = {adv_id:UInt32} AND removed = 0`,
    { adv_id },
  )
  return rows.map((row) => row.id_type)
}

export async function exclusionsOf(
  db: Kysely<Database>,
  engine: AcrossShards,
  adv_id: number,
  personKey: Buffer,
): Promise<Exclusions> {
  const typesOf = async (people: string | null) => {
    if (people === null) return []
    const rows = await engine.query<{ id_type: IdentifierType }>(
      `SELECT DISTINCT id_type FROM identifier WHERE adv_id = {adv_id:UInt32} AND uid IN (${people})`,
      { adv_id },
      { settings: LONG_LISTS },
    )
    return rows.map((row) => row.id_type)
  }
  const suppressed = await suppressedTypes(engine, adv_id)
  const suppressedPeople = suppressedSql(adv_id, suppressed, personKey)
  const refused = await refusedSql(db, adv_id)
  return {
    adv_id,
    suppressed,
    suppressedPeople,
    suppressedTypes: await typesOf(suppressedPeople),
    refused,
    refusedTypes: await typesOf(refused),
  }
}

/** Whether one of the texts is in a select of texts. */
const isAmong = (forms: readonly string[], select: string) =>
  forms.map((form) => `(${form}) IN (${select})`).join(' OR ')

const entriesSql = (adv_id: number, type: IdentifierType) =>
  `SELECT value AS kept FROM suppression FINAL WHERE adv_id = ${adv_id} AND id_type = '${type}' AND removed = 0`

/** A select of the uid of everyone with an identifier on the list, in any form that can be compared; null for an empty list. */
export const suppressedSql = (adv_id: number, listed: readonly IdentifierType[], personKey: Buffer): string | null =>
  ownersSql(adv_id, listed, (type) => entriesSql(adv_id, type), personKey)

/**
 * A select of the uid of everyone with one of these identifiers, in any form that can be compared; null where there are
 * none. `valuesOf`: a select of `kept`, the stored values of a type.
 */
export function ownersSql(
  adv_id: number,
  listed: readonly IdentifierType[],
  valuesOf: (type: IdentifierType) => string,
  personKey: Buffer,
): string | null {
  const owners = [...new Set(listed.flatMap(comparable))].map((type) => {
    const isListed = comparable(type)
      .filter((other) => listed.includes(other))
      .map((other) => {
        // A text has only one sealed form, so values of the same type are compared without decrypting them all.
        const isAlike = type === other && isPlain(type) && comparedForms(type, other, '').length === 1
        if (isAlike) return `value_hash IN (SELECT base64Encode(kept) FROM (${valuesOf(other)}))`
        const meet = commonForm(type, other)
        const entries = comparedForms(other, meet, identifierSql(other, personKey).text('kept'))
        const held = comparedForms(type, meet, personTextSql(type, 'value_hash', personKey))
        return isAmong(held, `SELECT ${formRowsSql(entries)} FROM (${valuesOf(other)})`)
      })
      .join(' OR ')
    return `SELECT uid FROM identifier WHERE adv_id = ${adv_id} AND id_type = '${type}' AND (${isListed})`
  })
  return owners.length === 0 ? null : owners.join(' UNION ALL ')
}

/** A select of the uid of everyone whose newest value of the consent attribute refuses; null without a rule. Runs with the parameter adv_id. */
export async function refusedSql(db: Kysely<Database>, adv_id: number): Promise<string | null> {
  const consent = await db.selectFrom('consent').selectAll().where('adv_id', '=', adv_id).executeTakeFirst()
  if (!consent?.attribute || consent.refused_values.length === 0) return null
  const attribute = await db
    .selectFrom('attribute')
    .select('slot')
    .where('adv_id', '=', adv_id)
    .where('name', '=', consent.attribute)
    .executeTakeFirst()
  if (!attribute) return null
  // Keeps one bit per person in memory instead of the value, which may be long.
  const isRefused = (value: string) => `${value} IN (${consent.refused_values.map(quote).join(', ')})`
  return `SELECT uid FROM ${attributeValuesSql(attribute.slot, isRefused)} WHERE value`
}

/** Conditions on the text `value` of a type: whether it is suppressed, whether its owner refuses. `0` when nothing can match. */
export function exclusionConditions(type: IdentifierType, of: Exclusions, personKey: Buffer) {
  const { adv_id, suppressedPeople, refused } = of
  const against = (types: readonly IdentifierType[], list: (other: IdentifierType) => { from: string; text: string }) =>
    comparable(type)
      .filter((other) => types.includes(other))
      .map((other) => {
        const meet = commonForm(type, other)
        const { from, text } = list(other)
        const entries = formRowsSql(comparedForms(other, meet, text))
        return isAmong(comparedForms(type, meet, 'value'), `SELECT ${entries} FROM (${from})`)
      })
      .join(' OR ') || '0'
  const ownedBy = (people: string | null, types: readonly IdentifierType[]) =>
    people === null
      ? '0'
      : against(types, (other) => ({
          from: `SELECT value_hash AS kept FROM identifier
            WHERE adv_id = ${adv_id} AND id_type = '${other}' AND uid IN (${people})`,
          text: personTextSql(other, 'kept', personKey),
        }))
  const isListed = against(of.suppressed, (other) => ({
    from: entriesSql(adv_id, other),
    text: identifierSql(other, personKey).text('kept'),
  }))
  const isTheirs = ownedBy(suppressedPeople, of.suppressedTypes)
  return {
    // A person on the list is left out by every known identifier.
    suppressed: isTheirs === '0' ? isListed : isListed === '0' ? isTheirs : `${isListed} OR ${isTheirs}`,
    noConsent: ownedBy(refused, of.refusedTypes),
  }
}
