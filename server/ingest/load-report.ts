import type { Engine } from '../clickhouse/open.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { AppError } from '../errors.ts'
import type { AttributeSlots } from './attribute-slots.ts'
import { type FileValues, typedValues, type ValueLists, withoutLongValues } from './attribute-values.ts'
import { storeDaysSql } from './events.ts'
import type { Loaded } from './loaded.ts'
import type { EventsPlan, UsersPlan } from './plan.ts'

const EVENT_NAMES_MAX = 10_000

/** How many rows a stage holds; throws where the report would not close, or a row is of a person who was not numbered. */
export async function storedRows(
  load: Engine,
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

/** The attributes of a file of users, with what their values are. */
export async function attributesOf(
  load: Engine,
  plan: UsersPlan,
  { rows, slots, values }: { rows: string; slots: AttributeSlots; values: ValueLists },
  signal?: AbortSignal,
): Promise<Loaded['attributes']> {
  const found = await typedValues(load, rows, values, signal)
  return plan.rest.map(({ name }) => {
    const slot = slots.slotOf(name)
    return { name, slot, ...withoutLongValues(found.get(slotColumn(slot)) as FileValues) }
  })
}

/** The events of a file by name, and their days; fills the stage of the rollup by day. */
export async function eventsOf(
  load: Engine,
  plan: EventsPlan,
  { rows, days, timezone }: { rows: string; days: string; timezone: string },
  signal?: AbortSignal,
): Promise<Pick<Loaded, 'events' | 'days'>> {
  await load.command(storeDaysSql(days, rows, timezone), {}, { signal, settings: { optimize_on_insert: 0 } })
  const found = await load.query<{ name: string; days: string[] }>(
    `SELECT name, arrayMap(day -> toString(day), groupUniqArray(day)) AS days FROM ${days} GROUP BY name ORDER BY name`,
  )
  if (found.length > EVENT_NAMES_MAX) {
    throw new AppError('importMapping', { reason: `事件名超过 ${EVENT_NAMES_MAX} 种，请检查事件列` })
  }
  const properties = plan.rest.map(({ name }) => name)
  return {
    events: found.map(({ name }) => ({ name, properties })),
    days: [...new Set(found.flatMap((one) => one.days))].sort(),
  }
}

/** Counts by reason, the most rows first. */
export const byRows = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows - a.rows)
