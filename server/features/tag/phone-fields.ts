import type { Kysely } from 'kysely'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { ENCODED, NO_DIGIT, PHONE_RUN } from '#contract/phone-runs.ts'
import type { ValueCondition } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import { quote } from '../../clickhouse/bind.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { AppError } from '../../errors.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { mustKnowField } from './field-lists.ts'

/** An attribute, or a property of an event. */
export type ValueField = { attribute: string } | { event: string; property: string }

/** As long as a preview may take. */
const SECONDS_MAX = 20
const ANSWERS_MAX = 10_000
/** The shortest phone, in bytes: most values are shorter and need no search. */
const PHONE_BYTES = 11

/** RE2 cannot look around, so the characters beside a number are part of the match. Bytes that are no text stand for themselves. */
export const holdsPhoneSql = (value: string) =>
  `length(${value}) >= ${PHONE_BYTES} AND match(toValidUTF8(${value}), ${quote(`(?:^|${NO_DIGIT}|${ENCODED})${PHONE_RUN}(?:${NO_DIGIT}|$)`)})`

/**
 * Fields whose values hold phones. A viewer who may not see phones may not ask for such a field's values: with 开头为 and
 * the count of people a phone could be found digit by digit. 有值 and 为空 tell nothing about a value.
 */
export function phoneFields({ db, live }: { db: Kysely<Database>; live: AcrossShards }) {
  /** What was found, with the rows of the advertiser at that time: all of them are read again only after an import. */
  const answers = new Map<string, { at: string; holds: boolean }>()

  async function sourceOf(adv_id: number, field: ValueField) {
    if ('event' in field) {
      const where = `adv_id = {adv_id:UInt32} AND name = ${quote(field.event)}`
      return { table: 'event', value: `properties[${quote(field.property)}]`, where }
    }
    const attribute = await db
      .selectFrom('attribute')
      .select('slot')
      .where('adv_id', '=', adv_id)
      .where('name', '=', field.attribute)
      .executeTakeFirst()
    return attribute && { table: 'person_row', value: slotColumn(attribute.slot), where: 'adv_id = {adv_id:UInt32}' }
  }

  /** Whether any stored value of the field would be shown masked. Also true of values that newer rows have replaced. */
  async function holdPhones(adv_id: number, field: ValueField, signal?: AbortSignal): Promise<boolean> {
    const source = await sourceOf(adv_id, field)
    if (!source) return false
    const { table, value, where } = source
    const [rows] = await live.query<{ at: string }>(
      `SELECT concat(toString(count()), ' ', toString(max(import_id))) AS at FROM ${table} WHERE adv_id = {adv_id:UInt32}`,
      { adv_id },
      { signal },
    )
    const at = rows?.at ?? ''
    const key = JSON.stringify([adv_id, field])
    const known = answers.get(key)
    if (known?.at === at) return known.holds
    const found = await live.query(
      `SELECT 1 AS found FROM ${table} WHERE ${where} AND ${holdsPhoneSql(value)} LIMIT 1`,
      { adv_id },
      { settings: { max_execution_time: SECONDS_MAX }, signal },
    )
    if (answers.size >= ANSWERS_MAX) answers.clear()
    answers.set(key, { at, holds: found.length > 0 })
    return found.length > 0
  }

  /** Why the viewer may not ask for the values of a field; null if they may. */
  async function closed(viewer: Viewer, adv_id: number, field: ValueField, signal?: AbortSignal) {
    if (viewer.see_phones) return null
    try {
      const isClosed = await holdPhones(adv_id, field, signal)
      const name = 'event' in field ? field.property : field.attribute
      return isClosed ? outcome('field_holds_phones', { name: maskPhones(name) }) : null
    } catch (error) {
      // Unknown is not allowed.
      if (isEngineError(error, 'timeout')) throw new AppError('countTimedOut')
      throw error
    }
  }

  return {
    closed: (viewer: Viewer, adv_id: number, field: ValueField, signal?: AbortSignal): Promise<Outcome | null> =>
      closed(viewer, adv_id, field, signal),

    /** Refuses a definition with a field that has a phone as its name, or with values of one that holds phones. */
    async mustBeOpen(viewer: Viewer, adv_id: number, definition: TagDefinition, signal?: AbortSignal): Promise<void> {
      for (const field of fieldsNamed(definition)) mustKnowField(viewer, field)
      for (const field of fieldsAskedFor(definition)) {
        const reason = await closed(viewer, adv_id, field, signal)
        if (reason) throw new AppError('phonesHidden', { reason })
      }
    },
  }
}
export type PhoneFields = ReturnType<typeof phoneFields>

function fieldsNamed(definition: TagDefinition) {
  if (definition.kind === 'everyone') return []
  if (definition.kind === 'attribute') return [{ attribute: definition.attribute }]
  const { event, properties, measure } = definition
  const measured = measure && 'property' in measure ? [measure.property] : []
  const named = [...properties.map(({ property }) => property), ...measured]
  return [{ event }, ...named.map((property) => ({ event, property }))]
}

const asksForValue = ({ is }: ValueCondition) => is !== 'exists' && is !== 'empty'

/** The fields with whose values the definition compares something. */
function fieldsAskedFor(definition: TagDefinition): ValueField[] {
  if (definition.kind === 'everyone') return []
  if (definition.kind === 'attribute') {
    return asksForValue(definition.condition) ? [{ attribute: definition.attribute }] : []
  }
  const { event, properties, measure } = definition
  const compared = properties.filter(({ condition }) => asksForValue(condition)).map(({ property }) => property)
  // The smallest value between two ends tells as much as a condition.
  if (measure && 'property' in measure) compared.push(measure.property)
  return [...new Set(compared)].map((property) => ({ event, property }))
}
