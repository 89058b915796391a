import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { sentenceOrNull } from '#contract/outcome.ts'
import { FIELD_KINDS } from '#contract/outcomes/tag.ts'
import { type listFieldValues, SUGGESTED_VALUES_MAX } from '#contract/tag-field.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { canBeTagSql } from '../../ingest/attribute-values.ts'
import type { Database } from '../../postgres/schema.ts'
import { mustKnowField } from './field-lists.ts'
import type { PhoneFields } from './phone-fields.ts'

type Query = z.output<typeof listFieldValues.query>

/** Rows whose values are counted: more would make a form wait, and the frequent values are the same. */
const SAMPLE_ROWS = 200_000
const SECONDS_MAX = 5

/** The values of attributes and of events' properties, as forms suggest them. */
export function fieldValues({ db, live, phones }: { db: Kysely<Database>; live: AcrossShards; phones: PhoneFields }) {
  /** Values of the rows that hold `column`, most frequent first; none if the search takes too long. */
  async function inRows(adv_id: number, { column, where }: Source, keyword: string, signal: AbortSignal | undefined) {
    const params = { adv_id, keyword, ...column.params, ...where.params }
    const rows = await live
      .query<{ value: string }>(
        `SELECT value FROM (
           SELECT ${column.sql} AS value FROM ${where.sql} AND value != ''
             AND ({keyword:String} = '' OR positionCaseInsensitiveUTF8(value, {keyword:String}) > 0)
           LIMIT ${SAMPLE_ROWS})
         WHERE ${canBeTagSql('value')} GROUP BY value ORDER BY count() DESC, value LIMIT ${SUGGESTED_VALUES_MAX}`,
        params,
        { settings: { max_execution_time: SECONDS_MAX }, signal },
      )
      .catch((error: unknown) => {
        if (isEngineError(error, 'timeout', 'memory')) return []
        throw error
      })
    return rows.map((row) => row.value)
  }

  async function ofAttribute(adv_id: number, name: string, keyword: string, signal: AbortSignal | undefined) {
    const attribute = await db
      .selectFrom('attribute')
      .select(['slot', 'values', 'distinct_values', 'dictionary'])
      .where('adv_id', '=', adv_id)
      .where('name', '=', name)
      .executeTakeFirst()
    if (!attribute) throw new AppError('tagUnknownField', { what: FIELD_KINDS.attribute, name })
    const labels = new Map(attribute.dictionary.map(({ value, label }) => [value, label]))
    const known = [...new Set([...attribute.values, ...labels.keys()])].filter(
      (value) => holds(keyword, value) || holds(keyword, labels.get(value) ?? ''),
    )
    // The known values are all of them, or the most frequent ones, which are wanted if nothing is searched for.
    if (known.length > 0 || attribute.distinct_values <= attribute.values.length) return { values: known, labels }
    const where = { sql: 'person_row WHERE adv_id = {adv_id:UInt32}', params: {} }
    const column = { sql: slotColumn(attribute.slot), params: {} }
    return { values: await inRows(adv_id, { column, where }, keyword, signal), labels }
  }

  async function ofProperty(query: Query, event: string, property: string, signal: AbortSignal | undefined) {
    const { adv_id, keyword } = query
    const known = await db
      .selectFrom('event_name')
      .select('property_settings')
      .where('adv_id', '=', adv_id)
      .where('name', '=', event)
      .executeTakeFirst()
    if (!known) throw new AppError('tagUnknownField', { what: FIELD_KINDS.event, name: event })
    const column = { sql: 'properties[{property:String}]', params: { property } }
    const where = { sql: 'event WHERE adv_id = {adv_id:UInt32} AND name = {event:String}', params: { event } }
    const labels = new Map(
      (known.property_settings[property]?.dictionary ?? []).map(({ value, label }) => [value, label]),
    )
    const named = keyword === '' ? [] : [...labels].flatMap(([value, label]) => (holds(keyword, label) ? [value] : []))
    const found = await inRows(adv_id, { column, where }, keyword, signal)
    return { values: [...new Set([...named, ...found])], labels }
  }

  return {
    async suggest(viewer: Viewer, query: Query, signal?: AbortSignal) {
      const { adv_id, attribute, event = '', property = '', keyword } = query
      viewer.mustBeMember(adv_id)
      const field = attribute === undefined ? { event, property } : { attribute }
      mustKnowField(viewer, field)
      const [found, closed] = await Promise.all([
        attribute === undefined
          ? ofProperty(query, event, property, signal)
          : ofAttribute(adv_id, attribute, keyword, signal),
        phones.closed(viewer, adv_id, field, signal),
      ])
      const list = shown(found, viewer, keyword).slice(0, SUGGESTED_VALUES_MAX)
      return { list, closed: sentenceOrNull(closed), closed_outcome: closed }
    },
  }
}
export type FieldValues = ReturnType<typeof fieldValues>

interface Source {
  column: { sql: string; params: Record<string, string> }
  where: { sql: string; params: Record<string, string> }
}

type Labels = ReadonlyMap<string, string>

const holds = (keyword: string, text: string) => text.toLowerCase().includes(keyword.toLowerCase())

/** Values with masked phones for viewers who may not see them, whose keyword must not find hidden digits either. */
function shown({ values, labels }: { values: readonly string[]; labels: Labels }, viewer: Viewer, keyword: string) {
  const say = phonesFor(viewer)
  return values
    .map((value) => {
      const [seen, label] = [say(value), labels.get(value)]
      return { value: seen, label: label === undefined ? null : say(label), is_masked: seen !== value }
    })
    .filter(({ value, label, is_masked }) => !is_masked || holds(keyword, value) || holds(keyword, label ?? ''))
}
