import { outcome } from '#contract/outcome.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { AppError } from '../../errors.ts'
import type { AttributeSlots } from '../attribute-slots.ts'
import { type FileValues, typedValues, type ValueLists, withoutLongValues } from '../attribute-values.ts'
import type { LoadedData } from '../load-types.ts'
import type { EventsPlan, UsersPlan } from '../reading/plan.ts'
import { storeDaysSql } from './events.ts'

const EVENT_NAMES_MAX = 10_000

/** The number of rows in a stage; throws if the report would not add up, or a row's person has no number. */
export async function storedRows(
  load: AcrossShards,
  stage: string,
  total: { rows: number; refused: number; duplicate: number; lastPerson: number },
): Promise<number> {
  const [kept] = await load.query<{ n: number; last: number }>(`SELECT count() AS n, max(uid) AS last FROM ${stage}`)
  const stored = kept?.n ?? 0
  if (stored > 0 && (kept?.last ?? 0) > total.lastPerson) {
    throw new Error(`rows of person ${kept?.last}, where ${total.lastPerson} is the last`)
  }
  if (stored + total.duplicate + total.refused !== total.rows) {
    throw new Error(`the report does not close: ${JSON.stringify({ ...total, stored })}`)
  }
  return stored
}

/**
 * The attributes of a file of users with their values. `areKeys`: columns come from the rows' keys, not from a header,
 * and one that only refused rows have is no attribute.
 */
export async function attributesOf(
  load: AcrossShards,
  plan: UsersPlan,
  { rows, slots, values, areKeys }: { rows: string; slots: AttributeSlots; values: ValueLists; areKeys: boolean },
  signal?: AbortSignal,
): Promise<LoadedData['attributes']> {
  const found = await typedValues(load, rows, values, signal)
  const attributes = plan.rest.map(({ name }) => {
    const slot = slots.slotOf(name)
    return { name, slot, ...withoutLongValues(found.get(slotColumn(slot)) as FileValues) }
  })
  return areKeys ? attributes.filter(({ type }) => type !== null) : attributes
}

/** The events of a file by name, and their days; fills the stage of the rollup by day. `areKeys` as for attributes. */
export async function eventsOf(
  load: AcrossShards,
  plan: EventsPlan,
  { rows, days, timezone, areKeys }: { rows: string; days: string; timezone: string; areKeys: boolean },
  signal?: AbortSignal,
): Promise<Pick<LoadedData, 'events' | 'days'>> {
  await load.command(storeDaysSql(days, rows, timezone), {}, { signal, settings: { optimize_on_insert: 0 } })
  const found = await load.query<{ name: string; days: string[] }>(
    `SELECT name, arrayMap(day -> toString(day), groupUniqArray(day)) AS days FROM ${days} GROUP BY name ORDER BY name`,
  )
  if (found.length > EVENT_NAMES_MAX) {
    throw new AppError('importMapping', { reason: outcome('import_too_many_events', { max: EVENT_NAMES_MAX }) })
  }
  const used = areKeys ? await usedProperties(load, rows, signal) : null
  const properties = plan.rest.map(({ name }) => name).filter((name) => used?.has(name) ?? true)
  return {
    events: found.map(({ name }) => ({ name, properties })),
    days: [...new Set(found.flatMap((one) => one.days))].sort(),
  }
}

/** The events among the repeated rows of a file. */
export async function repeatedEvents(
  load: AcrossShards,
  plan: EventsPlan,
  stage: string,
): Promise<LoadedData['events']> {
  const rows = await load.query<{ name: string }>(`SELECT DISTINCT name FROM ${stage} ORDER BY name`)
  const properties = plan.rest.map(({ name }) => name)
  return rows.map(({ name }) => ({ name, properties }))
}

async function usedProperties(load: AcrossShards, rows: string, signal?: AbortSignal): Promise<Set<string>> {
  const [row] = await load.query<{ used: string[] }>(
    `SELECT groupUniqArrayArray(mapKeys(properties)) AS used FROM ${rows}`,
    {},
    { signal },
  )
  return new Set(row?.used)
}
