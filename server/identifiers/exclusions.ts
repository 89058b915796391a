import type { Kysely } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'
import { attributeValuesSql } from '../clickhouse/person-sql.ts'
import type { Database } from '../postgres/schema.ts'
import { comparable, deriveSql, meetingForm, personTextSql } from './forms-sql.ts'
import { identifierSql } from './identifier-sql.ts'

/** Who must be left out of an advertiser's pushes. */
export interface Exclusions {
  adv_id: number
  /** Types that the suppression list has entries of. */
  suppressed: readonly IdentifierType[]
  /** A select of the people who refuse; null when nobody was asked. */
  refused: string | null
  /** Types that these people have identifiers of. */
  refusedTypes: readonly IdentifierType[]
}

export async function exclusionsOf(db: Kysely<Database>, engine: Engine, adv_id: number): Promise<Exclusions> {
  const lists = await engine.query<{ id_type: IdentifierType }>(
    `SELECT DISTINCT id_type FROM suppression FINAL WHERE adv_id = {adv_id:UInt32} AND removed = 0`,
    { adv_id },
  )
  const refused = await refusedSql(db, adv_id)
  const refusedTypes = refused
    ? await engine.query<{ id_type: IdentifierType }>(
        `SELECT DISTINCT id_type FROM identifier WHERE adv_id = {adv_id:UInt32} AND uid IN (${refused})`,
        { adv_id },
      )
    : []
  return {
    adv_id,
    suppressed: lists.map((row) => row.id_type),
    refused,
    refusedTypes: refusedTypes.map((row) => row.id_type),
  }
}

/** A select of the uid of everyone whose newest value of the consent attribute is a refused one; null when there is no such rule. Runs with the parameter adv_id. */
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
  return `SELECT uid FROM ${attributeValuesSql(attribute.slot)} WHERE value IN (${consent.refused_values.map(quote).join(', ')})`
}

/** Conditions on the text `value` of a type: is it suppressed, does its owner refuse. `0` where nothing can match. */
export function exclusionConditions(type: IdentifierType, of: Exclusions, personKey: Buffer) {
  const { adv_id, refused } = of
  const against = (types: readonly IdentifierType[], list: (other: IdentifierType) => { from: string; text: string }) =>
    comparable(type)
      .filter((other) => types.includes(other))
      .map((other) => {
        const meet = meetingForm(type, other)
        const { from, text } = list(other)
        return `(${deriveSql(type, meet, 'value')}) IN (SELECT ${deriveSql(other, meet, text)} FROM (${from}))`
      })
      .join(' OR ') || '0'
  return {
    suppressed: against(of.suppressed, (other) => ({
      from: `SELECT value AS kept FROM suppression FINAL WHERE adv_id = ${adv_id} AND id_type = '${other}' AND removed = 0`,
      text: identifierSql(other, personKey).text('kept'),
    })),
    noConsent:
      refused === null
        ? '0'
        : against(of.refusedTypes, (other) => ({
            from: `SELECT value_hash AS kept FROM identifier
              WHERE adv_id = ${adv_id} AND id_type = '${other}' AND uid IN (${refused})`,
            text: personTextSql(other, 'kept', personKey),
          })),
  }
}
