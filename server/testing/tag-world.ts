import type { ValueCondition } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import type { EventDefinition } from '#contract/tag-event.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { dayOf } from '../features/tag/day-window.ts'

/** Rows as an import stores them, few enough to count by hand; the tag tests build from them and compare with them. */
export interface World {
  people: { uid: number; rows: { ts: number; values: Record<string, string> }[] }[]
  events: { uid: number; name: string; ts: number; properties: Record<string, string> }[]
}

export async function writeWorld(
  load: AcrossShards,
  adv_id: number,
  world: World,
  slots: Record<string, number>,
  zone: string,
) {
  for (const slot of Object.values(slots)) {
    await load.command(`ALTER TABLE person_row ADD COLUMN IF NOT EXISTS ${slotColumn(slot)} String`)
  }
  const bucketOf = (uid: number) => Math.floor(uid / 2 ** 20)
  await load.insert(
    'person_key',
    world.people.map(({ uid }) => ({ adv_id, one_id: `p${uid}`, uid })),
  )
  await load.insert(
    'person_row',
    world.people.flatMap(({ uid, rows }) =>
      rows.map(({ ts, values }, line) => ({
        adv_id,
        uid,
        bucket: bucketOf(uid),
        ts: new Date(ts * 1000).toISOString().replace('T', ' ').replace('Z', ''),
        line,
        ...Object.fromEntries(Object.entries(slots).map(([name, slot]) => [slotColumn(slot), values[name] ?? ''])),
      })),
    ),
  )
  await load.insert(
    'event',
    world.events.map(({ uid, name, ts, properties }, index) => ({
      adv_id,
      bucket: bucketOf(uid),
      uid,
      ts: new Date(ts * 1000).toISOString().replace('T', ' ').replace('Z', ''),
      name,
      properties,
      row_id: index + 1,
    })),
  )
  await load.insert(
    'event_day',
    world.events.map(({ uid, name, ts }) => ({
      adv_id,
      name,
      day: dayOf(ts, zone),
      bucket: bucketOf(uid),
      uid,
      n: 1,
    })),
  )
}

/** The people of a definition, found by plain loops. */
export function membersOf(world: World, definition: TagDefinition, at: Moment): number[] {
  const meets = (uid: number): boolean => {
    switch (definition.kind) {
      case 'everyone':
        return true
      case 'attribute':
        return holds(definition.condition, newest(world, uid, definition.attribute), at)
      case 'event':
        return measures(world, uid, definition, at) !== definition.negated
    }
  }
  return world.people.map(({ uid }) => uid).filter(meets)
}

/** `now` in epoch seconds. */
interface Moment {
  now: number
  zone: string
}

function newest(world: World, uid: number, attribute: string): string {
  let best = { ts: Number.NEGATIVE_INFINITY, value: '' }
  for (const { ts, values } of world.people.find((p) => p.uid === uid)?.rows ?? []) {
    const value = values[attribute] ?? ''
    if (value !== '' && ts >= best.ts) best = { ts, value }
  }
  return best.value
}

/** Whether the person's events meet the definition, its negation left aside. */
function measures(world: World, uid: number, definition: EventDefinition, at: Moment): boolean {
  const { event, window_days, before_days, dates, properties, measure, at_least, at_most } = definition
  const today = dayOf(at.now, at.zone)
  const daysAgo = (day: string) => (Date.parse(today) - Date.parse(day)) / 86_400_000
  const inTime = (day: string) => {
    if (window_days !== null) return daysAgo(day) >= 1 && daysAgo(day) <= window_days
    if (before_days !== undefined) return daysAgo(day) > before_days
    return day >= (dates?.from ?? '') && day <= (dates?.to ?? '9999-12-31')
  }
  const fitting = world.events
    .filter((one) => one.uid === uid && one.name === event)
    .filter((one) => properties.every((p) => holds(p.condition, one.properties[p.property] ?? '', at)))
    .map((one) => ({ ...one, day: dayOf(one.ts, at.zone) }))
  const counted = fitting.filter(({ day }) => inTime(day))
  const isCount = (n: number) => n >= at_least && n <= (at_most ?? Number.POSITIVE_INFINITY)
  if (!measure) return isCount(counted.length)
  switch (measure.of) {
    case 'days':
      return isCount(new Set(counted.map(({ day }) => day)).size)
    case 'first':
    case 'last': {
      const isRelative = window_days !== null || before_days !== undefined
      const days = fitting.map(({ day }) => day).filter((day) => !isRelative || day < today)
      const moment = days.toSorted().at(measure.of === 'first' ? 0 : -1)
      return moment !== undefined && inTime(moment)
    }
    default: {
      const numbers = counted.flatMap((one) => millionths(one.properties[measure.property] ?? '') ?? [])
      if (numbers.length === 0) return false
      const sum = numbers.reduce((all, one) => all + one, 0n)
      const sorted = numbers.toSorted((one, other) => Number(one - other))
      const of = { sum, average: sum, smallest: sorted[0] ?? 0n, largest: sorted.at(-1) ?? 0n }[measure.of]
      const end = (text: string) => (millionths(text) ?? 0n) * (measure.of === 'average' ? BigInt(numbers.length) : 1n)
      return (measure.from === null || of >= end(measure.from)) && (measure.to === null || of < end(measure.to))
    }
  }
}

/** Whole millionths of a number, so that sums are exact; null when the text is no number. */
function millionths(text: string): bigint | null {
  const n = numberOf(text)
  return n === null ? null : BigInt(Math.round(n * 1e6))
}

function holds(condition: ValueCondition, value: string, at: Moment): boolean {
  // A missing value meets nothing but 为空.
  if (value === '') return condition.is === 'empty'
  const today = dayOf(at.now, at.zone)
  const moment = timeOf(value, at.zone)
  const day = moment === null ? null : dayOf(moment / 1000, at.zone)
  switch (condition.is) {
    case 'exists':
      return true
    case 'empty':
      return false
    case 'equals':
      return value === condition.value
    case 'not_equals':
      return value !== condition.value
    case 'in':
      return condition.values.includes(value)
    case 'not_in':
      return !condition.values.includes(value)
    case 'contains':
      return value.includes(condition.value)
    case 'starts_with':
      return value.startsWith(condition.value)
    case 'range': {
      const read = condition.as === 'number' ? numberOf : (text: string) => timeOf(text, at.zone)
      const n = read(value)
      if (n === null) return false
      const from = condition.from === null ? null : read(condition.from)
      const to = condition.to === null ? null : read(condition.to)
      return (from === null || n >= from) && (to === null || n < to)
    }
    case 'on':
      return day !== null && day >= condition.from && day <= condition.to
    case 'not_before':
      return day !== null && day >= condition.date
    case 'before':
      return day !== null && day < condition.date
    case 'days': {
      if (day === null) return false
      const ago = (Date.parse(today) - Date.parse(day)) / 86_400_000
      if (condition.when === 'past') return ago >= 1 && ago <= condition.days
      return condition.when === 'before' ? ago > condition.days : ago <= 0 && ago > -condition.days
    }
  }
}

const numberOf = (text: string) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null)

/** Dates and times of one zone compare as text; an instant with an offset is first converted to the zone. */
function timeOf(text: string, zone: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(Z)?)?$/.exec(text)
  if (!parts) return null
  const [, day = '', time = '00:00:00', utc] = parts
  // February 30 would be read as a day of March.
  if (Number.isNaN(Date.parse(day)) || new Date(Date.parse(day)).toISOString().slice(0, 10) !== day) return null
  if (utc) return Date.parse(text)
  // The zones in the tests have a constant offset in the years used.
  const offset = { 'Asia/Shanghai': '+08:00', UTC: 'Z', 'America/Bogota': '-05:00' }[zone]
  return Date.parse(`${day}T${time}${offset}`)
}
