import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type {
  removeSuppression,
  removeSuppressionEntries,
  SuppressionExportQuery,
  SuppressionFilter,
  setConsent,
} from '#contract/suppression.ts'
import type { SqlParams } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { AppError } from '../../errors.ts'
import { maskLines, phonesFor } from '../../files/mask-phones.ts'
import { keptText } from '../../files/written-names.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { refusedSql } from '../../identifiers/exclusions.ts'
import type { CrowdVersion } from '../../identifiers/types.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { suppressionAdding } from './adding.ts'
import { readLines } from './lines.ts'
import { suppressionListing } from './listing.ts'
import { suppressionQuestion } from './question.ts'
import { KEY, suppressionTable } from './table.ts'

interface Deps {
  db: Kysely<Database>
  engine: AcrossShards
  jobs: Jobs
  timezone: string
  personKey: Buffer
  /** A select of `value`: the text of each identifier of an uploaded crowd's version. */
  crowdValuesSql(at: CrowdVersion): string
}

/** People whom an advertiser's pushes always leave out: a list of identifiers, and people without consent. */
export function suppressionService({ db, engine, jobs, timezone, personKey, crowdValuesSql }: Deps) {
  const table = suppressionTable(engine, personKey)
  const ask = suppressionQuestion({ db, engine, personKey })
  const listing = suppressionListing(engine, table, timezone)

  return {
    ...suppressionAdding({ db, engine, jobs, personKey, table, ask, crowdValuesSql }),
    list: listing.list,

    async remove(viewer: Viewer, { adv_id, type, values }: z.output<typeof removeSuppression.body>) {
      viewer.mustBeMember(adv_id)
      const forms = readLines(type, values).named.flatMap((one) => one.forms)
      const types = [...new Set(forms.map((form) => form.type))]
      let removed = 0
      await transaction(db, async (tx) => {
        for (const each of types) {
          const texts = forms.flatMap((form) => (form.type === each ? [form.text] : []))
          const found = await table.listed(adv_id, each, [...new Set(texts)])
          if (each === type) removed = found.size
        }
        await audit(tx, viewer, 'suppression.remove', { adv_id, type, removed })
        if (types.length === 0) return
        const each = types.map((one) => `(id_type = '${one}' AND value IN (${table.formsSql(one)}))`)
        await table.remove(adv_id, each.join(' OR '), table.formsParams(forms))
      })
      return { removed }
    },

    /** Removes the chosen entries, or all that a filter finds, if they are as many as the viewer was told. */
    async removeEntries(viewer: Viewer, given: z.output<typeof removeSuppressionEntries.body>) {
      const { adv_id, keys, count, ...filter } = given
      viewer.mustBeMember(adv_id)
      if (keys && Object.values(filter).some((one) => one !== undefined)) {
        throw new AppError('badInput', { reason: outcome('entries_or_filter') })
      }
      const chosen = keys && `${KEY} IN {keys:Array(String)}`
      const params: SqlParams = keys ? { keys: [...new Set(table.keysOf(keys))] } : {}
      const removed = chosen ? await table.count(adv_id, chosen, params) : await listing.count(adv_id, filter)
      if (removed !== count) throw new AppError('suppressionChanged', { count: removed })
      await transaction(db, async (tx) => {
        await audit(tx, viewer, 'suppression.remove', {
          adv_id,
          removed,
          ...(keys ? {} : { filter: auditedFilter(filter) }),
        })
        await table.remove(adv_id, chosen ?? table.conditionOf(filter), params)
      })
      return { removed }
    },

    /** The list, or what a filter finds of it, as a csv. */
    async export(viewer: Viewer, { adv_id, ...filter }: z.output<typeof SuppressionExportQuery>): Promise<SentFile> {
      viewer.mustBeMember(adv_id)
      const count = await listing.count(adv_id, filter)
      // Not `suppression.…`: that would count as a change of the list.
      await audit(db, viewer, 'export.suppression', {
        ...{ adv_id, count, filter: auditedFilter(filter), phones: viewer.see_phones },
      })
      return { name: '屏蔽名单.csv', content: listing.lines(viewer, adv_id, filter) }
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
        refused_values: (row?.refused_values ?? []).map(phonesFor(viewer)),
        refused_people: people?.n ?? 0,
      }
    },

    async setConsent(viewer: Viewer, { adv_id, refused_values, ...wanted }: z.output<typeof setConsent.body>) {
      viewer.mustBeMember(adv_id)
      const given = refused_values.map((value) => value.trim()).filter(Boolean)
      await transaction(db, async (tx) => {
        const before = await tx.selectFrom('consent').selectAll().where('adv_id', '=', adv_id).executeTakeFirst()
        const shown = before?.attribute ?? null
        const attribute =
          wanted.attribute === null || shown === null ? wanted.attribute : keptText(viewer, wanted.attribute, shown)
        // A phone that the viewer was shown masked comes back masked, and stays what it is.
        const kept = new Map((before?.refused_values ?? []).map((value) => [phonesFor(viewer)(value), value]))
        const values = [...new Set(given.map((value) => kept.get(value) ?? value))]
        const known = new Set(before?.refused_values)
        // The number of people without consent would tell whether somebody has a guessed phone.
        if (values.some((value) => !known.has(value) && phonesFor(viewer)(value) !== value)) {
          throw new AppError('phonesHidden', { reason: outcome('phone_as_value') })
        }
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
/** The keyword may be a phone, or a hash of one. */
const auditedFilter = ({ keyword, ...filter }: SuppressionFilter) => ({
  ...filter,
  ...(keyword === undefined ? {} : { keyword: maskLines(keyword) }),
})

export type SuppressionService = ReturnType<typeof suppressionService>
