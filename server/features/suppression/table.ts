import { createHmac } from 'node:crypto'
import { IdentifierType, identifierLineOf } from '#contract/identifier.ts'
import { MASKED_PHONE, phoneOf } from '#contract/phone.ts'
import type { SuppressionFilter } from '#contract/suppression.ts'
import { quote, type SqlParams } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { anyTextSql } from '../../identifiers/forgotten-values.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import { sealSql, unseal, unsealedSql } from '../../identifiers/seal.ts'
import { now } from '../../time/clock.ts'
import { type Form, isPhoneType, type Named, phoneForms } from './lines.ts'

/** Current values. Runs with the parameter adv_id. */
export const LIST = 'suppression FINAL WHERE adv_id = {adv_id:UInt32} AND removed = 0'
/** The entry of a value: the forms of a phone are one. */
export const KEY = "if(entry = '', concat(id_type, ':', lower(hex(value))), entry)"

/** Reads and writes the list of an advertiser in the warehouse. */
export function suppressionTable(engine: AcrossShards, personKey: Buffer) {
  // A key of its own, so that nothing else that is sealed can be handed in as an entry.
  const entryKey = createHmac('sha256', personKey).update('suppression entry').digest()
  const phoneSql = `if(phone = '', '', ${unsealedSql('tryBase64Decode(phone)', personKey)})`
  const textSql = (type: IdentifierType, value: string) => identifierSql(type, personKey).text(value)
  const storedSql = (type: IdentifierType, text: string) => identifierSql(type, personKey).stored(text)

  return {
    /** A condition for the values that a filter finds; `1` without one. */
    conditionOf({ keyword = '', type }: SuppressionFilter): string {
      const all = [
        ...(keyword === '' ? [] : [found(keyword)]),
        ...(type === undefined ? [] : [`${KEY} IN (SELECT ${KEY} FROM ${LIST} AND id_type = ${quote(type)})`]),
      ]
      return all.length === 0 ? '1' : all.join(' AND ')
    },

    /** The text of a row's value, whatever its type. */
    anyTextSql: () => anyTextSql(personKey),
    phoneSql,
    /** The entry as callers name it. It is sealed: KEY holds the hash of a phone, which gives the phone to whoever tries. */
    handleSql: sealSql(KEY, entryKey),
    /** The entries that callers name; what is no name of an entry is left out. */
    keysOf: (handles: readonly string[]): string[] =>
      handles.flatMap((handle) => {
        try {
          return [unseal(handle, entryKey)].filter(Boolean)
        } catch {
          return []
        }
      }),

    /** The given texts that are on the list. */
    async listed(adv_id: number, type: IdentifierType, texts: readonly string[]): Promise<Set<string>> {
      if (texts.length === 0) return new Set()
      const rows = await engine.query<{ text: string }>(
        `SELECT ${textSql(type, 'value')} AS text FROM ${LIST} AND id_type = ${quote(type)}
           AND value IN (SELECT ${storedSql(type, 'given')} FROM (SELECT arrayJoin({texts:Array(String)}) AS given))`,
        { adv_id, texts: [...texts] },
      )
      return new Set(rows.map((row) => row.text))
    },

    /** How many entries the condition finds. */
    async count(adv_id: number, condition: string, params: SqlParams = {}): Promise<number> {
      const [row] = await engine.query<{ n: number }>(
        `SELECT toFloat64(uniqExact(${KEY})) AS n FROM ${LIST} AND (${condition})`,
        { ...params, adv_id },
      )
      return row?.n ?? 0
    },

    /** Adds what the lines name. */
    async add(adv_id: number, named: readonly Named[], note: string): Promise<void> {
      for (const [type, rows] of byType(named)) {
        await engine.command(
          `INSERT INTO suppression (adv_id, id_type, value, note, added_at, removed, at, entry, phone)
           SELECT {adv_id:UInt32}, ${quote(type)}, ${storedSql(type, 'given.1')}, {note:String}, {at:UInt32}, 0, now64(6),
             given.2, ${sealSql('given.3', personKey)}
           FROM (SELECT arrayJoin(arrayZip({texts:Array(String)}, {entries:Array(String)}, {phones:Array(String)})) AS given)`,
          {
            adv_id,
            note,
            at: now(),
            texts: rows.map((row) => row.text),
            entries: rows.map((row) => row.entry),
            phones: rows.map((row) => row.phone),
          },
        )
      }
    },

    /** Takes the values off the list that the condition finds. */
    async remove(adv_id: number, condition: string, params: SqlParams = {}): Promise<void> {
      await engine.command(
        `INSERT INTO suppression (adv_id, id_type, value, note, added_at, removed, at, entry, phone)
         SELECT adv_id, id_type, value, '', {at:UInt32}, 1, now64(6), '', '' FROM ${LIST} AND (${condition})`,
        { ...params, adv_id, at: now() },
      )
    },

    /** A select of `kept`, the stored values of a type among these forms, with the parameter of that type. */
    formsSql: (type: IdentifierType) =>
      `SELECT ${storedSql(type, 'given')} AS kept FROM (SELECT arrayJoin({texts_${type}:Array(String)}) AS given)`,
    formsParams: (forms: readonly Form[]): SqlParams =>
      Object.fromEntries(
        [...new Set(forms.map((form) => form.type))].map((type) => [
          `texts_${type}`,
          forms.filter((form) => form.type === type).map((form) => form.text),
        ]),
      ),
  }

  /** A condition for the entries of an identifier in any form, or of a masked phone. */
  function found(keyword: string): string {
    if (MASKED_PHONE.test(keyword)) {
      const masked = `concat(substring(${phoneSql}, 1, 3), '****', substring(${phoneSql}, 8))`
      return `(phone != '' AND ${masked} = ${quote(keyword)})`
    }
    const phone = phoneOf(keyword)
    const forms: Form[] = phone === null ? [] : [...phoneForms(phone).forms]
    for (const type of IdentifierType.options) {
      const text = identifierLineOf(type, isPhoneType(type) ? keyword.toLowerCase() : keyword)
      if (text !== null) forms.push({ type, text })
    }
    const each = forms.map(({ type, text }) => `(id_type = ${quote(type)} AND value = ${storedSql(type, quote(text))})`)
    return each.length === 0 ? '0' : `${KEY} IN (SELECT ${KEY} FROM ${LIST} AND (${each.join(' OR ')}))`
  }
}
export type SuppressionTable = ReturnType<typeof suppressionTable>

function byType(named: readonly Named[]): Map<IdentifierType, { text: string; entry: string; phone: string }[]> {
  const rows = new Map<IdentifierType, { text: string; entry: string; phone: string }[]>()
  for (const { forms, entry, phone } of named) {
    for (const { type, text } of forms) {
      const list = rows.get(type) ?? []
      list.push({ text, entry, phone })
      rows.set(type, list)
    }
  }
  return rows
}
