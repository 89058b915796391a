import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { canonicalLine, type IdentifierType, PHONE } from '#contract/identifier.ts'
import { lineFault } from '#contract/line-fault.ts'
import { type Outcome, outcome, sentenceOf } from '#contract/outcome.ts'
import type { addSuppression, listSuppression, removeSuppression, setConsent } from '#contract/suppression.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { refusedSql } from '../../identifiers/exclusions.ts'
import { identifierSql } from '../../identifiers/identifier-sql.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  engine: AcrossShards
  personKey: Buffer
}

/** A plain phone is stored as both of its hashes, since neither can be derived from the other. */
const PHONE_FORMS = { HASH_MOBILE_PHONE: 'md5', SHA256_MOBILE_PHONE: 'sha256' } as const
const isPhone = (type: IdentifierType): type is keyof typeof PHONE_FORMS => type in PHONE_FORMS

/** Current entries of a type. Runs with the parameter adv_id. */
const LIST = 'suppression FINAL WHERE adv_id = {adv_id:UInt32} AND removed = 0'

/** People whom an advertiser's pushes always leave out: a list of identifiers, and people without consent. */
export function suppressionService({ db, engine, personKey }: Deps) {
  /** The identifiers of the lines, by type. */
  function entriesOf(type: IdentifierType, lines: readonly string[]) {
    const malformed: { line: number; reason: string; outcome: Outcome }[] = []
    const entries: { type: IdentifierType; text: string }[][] = []
    lines.forEach((line, index) => {
      const text = canonicalLine(type, line)
      if (isPhone(type) && PHONE.test(text)) {
        entries.push(
          Object.entries(PHONE_FORMS).map(([form, hash]) => ({
            type: form as IdentifierType,
            text: createHash(hash).update(text).digest('hex'),
          })),
        )
        return
      }
      const found = lineFault(type, line)
      if (found === null) {
        entries.push([{ type, text }])
        return
      }
      const isOther = isPhone(type) && found.code === 'line_malformed'
      const fault = isOther ? outcome('line_malformed_phone', { type }) : found
      malformed.push({ line: index + 1, reason: sentenceOf(fault), outcome: fault })
    })
    return { malformed, entries }
  }

  /** The given texts that are on the list. */
  async function listed(adv_id: number, type: IdentifierType, texts: readonly string[]): Promise<Set<string>> {
    if (texts.length === 0) return new Set()
    const rows = await engine.query<{ text: string }>(
      `SELECT ${identifierSql(type, personKey).text('value')} AS text FROM ${LIST} AND id_type = '${type}'
         AND value IN (SELECT ${identifierSql(type, personKey).stored('given')} FROM (SELECT arrayJoin({texts:Array(String)}) AS given))`,
      { adv_id, texts: [...texts] },
    )
    return new Set(rows.map((row) => row.text))
  }

  const write = (adv_id: number, type: IdentifierType, texts: readonly string[], note: string, removed: 0 | 1) =>
    engine.command(
      `INSERT INTO suppression (adv_id, id_type, value, note, added_at, removed, at)
       SELECT {adv_id:UInt32}, '${type}', ${identifierSql(type, personKey).stored('given')}, {note:String}, {at:UInt32}, ${removed}, now64(6)
       FROM (SELECT arrayJoin({texts:Array(String)}) AS given)`,
      { adv_id, texts: [...texts], note, at: now() },
    )

  return {
    async list(viewer: Viewer, { adv_id, page, page_size }: z.output<typeof listSuppression.query>) {
      viewer.mustBeMember(adv_id)
      const by_type = await engine.query<{ type: IdentifierType; count: number }>(
        `SELECT id_type AS type, toFloat64(count()) AS count FROM ${LIST} GROUP BY id_type ORDER BY id_type`,
        { adv_id },
      )
      const types = by_type.map((row) => `id_type = '${row.type}', ${identifierSql(row.type, personKey).text('value')}`)
      const rows = await engine.query<{ type: IdentifierType; text: string; note: string; added_at: number }>(
        `SELECT id_type AS type, ${types.length === 0 ? "''" : `multiIf(${types.join(', ')}, '')`} AS text, note, added_at
         FROM (SELECT id_type, value, note, added_at FROM ${LIST}
               ORDER BY added_at DESC, id_type, value LIMIT {size:UInt32} OFFSET {from:UInt32})
         ORDER BY added_at DESC, type, text`,
        { adv_id, size: page_size, from: (page - 1) * page_size },
      )
      return {
        total: by_type.reduce((sum, row) => sum + row.count, 0),
        by_type,
        list: rows.map(({ text, ...row }) => ({ ...row, value: text })),
      }
    },

    async add(viewer: Viewer, { adv_id, type, lines, note }: z.output<typeof addSuppression.body>) {
      viewer.mustBeMember(adv_id)
      const { malformed, entries } = entriesOf(type, lines)
      const known = new Map<IdentifierType, Set<string>>()
      for (const each of new Set(entries.flat().map((entry) => entry.type))) {
        const texts = entries.flat().filter((entry) => entry.type === each)
        known.set(each, await listed(adv_id, each, [...new Set(texts.map((entry) => entry.text))]))
      }
      const fresh = new Map<IdentifierType, Set<string>>()
      let added = 0
      for (const forms of entries) {
        const newForms = forms.filter(({ type, text }) => !known.get(type)?.has(text) && !fresh.get(type)?.has(text))
        if (newForms.length > 0) added++
        for (const { type, text } of newForms) fresh.set(type, (fresh.get(type) ?? new Set()).add(text))
      }
      if (added > 0) {
        await transaction(db, async (tx) => {
          await audit(tx, viewer, 'suppression.add', { adv_id, type, added })
          for (const [each, texts] of fresh) await write(adv_id, each, [...texts], note, 0)
        })
      }
      return { added, duplicate: entries.length - added, malformed }
    },

    async remove(viewer: Viewer, { adv_id, type, values }: z.output<typeof removeSuppression.body>) {
      viewer.mustBeMember(adv_id)
      const { entries } = entriesOf(type, values)
      let removed = 0
      await transaction(db, async (tx) => {
        for (const each of new Set(entries.flat().map((entry) => entry.type))) {
          const texts = entries.flat().flatMap((entry) => (entry.type === each ? [entry.text] : []))
          const found = await listed(adv_id, each, [...new Set(texts)])
          if (found.size === 0) continue
          if (each === type) removed = found.size
          await write(adv_id, each, [...found], '', 1)
        }
        await audit(tx, viewer, 'suppression.remove', { adv_id, type, removed })
      })
      return { removed }
    },

    async consent(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      const row = await db.selectFrom('consent').selectAll().where('adv_id', '=', adv_id).executeTakeFirst()
      const refused = await refusedSql(db, adv_id)
      const [people] = refused
        ? await engine.query<{ n: number }>(`SELECT toFloat64(count()) AS n FROM (${refused})`, { adv_id })
        : []
      return {
        attribute: row?.attribute ?? null,
        refused_values: row?.refused_values ?? [],
        refused_people: people?.n ?? 0,
      }
    },

    async setConsent(viewer: Viewer, { adv_id, attribute, refused_values }: z.output<typeof setConsent.body>) {
      viewer.mustBeMember(adv_id)
      const values = [...new Set(refused_values.map((value) => value.trim()).filter(Boolean))]
      await transaction(db, async (tx) => {
        if (attribute !== null) {
          const known = await tx
            .selectFrom('attribute')
            .select('id')
            .where('adv_id', '=', adv_id)
            .where('name', '=', attribute)
            .executeTakeFirst()
          if (!known) throw new AppError('badInput', { reason: outcome('consent_attribute_unknown', { attribute }) })
          if (values.length === 0) throw new AppError('badInput', { reason: outcome('consent_values_missing') })
        }
        const row = { attribute, refused_values: JSON.stringify(attribute === null ? [] : values) }
        await tx
          .insertInto('consent')
          .values({ adv_id, ...row })
          .onConflict((oc) => oc.column('adv_id').doUpdateSet(row))
          .execute()
        await audit(tx, viewer, 'consent.set', { adv_id, attribute, refused_values: values })
      })
    },
  }
}
export type SuppressionService = ReturnType<typeof suppressionService>
