import type { EventDefinition, TagDefinition, ValueCondition } from '#contract/tag.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { dayOf, pastDays } from '../features/tag/day-window.ts'

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
export function membersOf(world: World, definition: TagDefinition, at: { now: number; zone: string }): number[] {
  const meets = (uid: number): boolean => {
    switch (definition.kind) {
      case 'everyone':
        return true
      case 'attribute': {
        const value = newest(world, uid, definition.attribute)
        return value !== '' && holds(definition.condition, value, at.zone)
      }
      case 'event':
        return timesDone(world, uid, definition, at) >= definition.at_least !== definition.negated
    }
  }
  return world.people.map(({ uid }) => uid).filter(meets)
}

function newest(world: World, uid: number, attribute: string): string {
  let best = { ts: Number.NEGATIVE_INFINITY, value: '' }
  for (const { ts, values } of world.people.find((p) => p.uid === uid)?.rows ?? []) {
    const value = values[attribute] ?? ''
    if (value !== '' && ts >= best.ts) best = { ts, value }
  }
  return best.value
}

function timesDone(
  world: World,
  uid: number,
  definition: EventDefinition,
  { now, zone }: { now: number; zone: string },
) {
  const window = definition.window_days === null ? null : pastDays(definition.window_days, dayOf(now, zone))
  return world.events.filter((event) => {
    const day = dayOf(event.ts, zone)
    return (
      event.uid === uid &&
      event.name === definition.event &&
      (window === null || (day >= window.from && day <= window.to)) &&
      definition.properties.every(({ property, condition }) => {
        const value = event.properties[property] ?? ''
        return value !== '' && holds(condition, value, zone)
      })
    )
  }).length
}

function holds(condition: ValueCondition, value: string, zone: string): boolean {
  switch (condition.is) {
    case 'exists':
      return true
    case 'equals':
      return value === condition.value
    case 'in':
      return condition.values.includes(value)
    case 'range': {
      const read = condition.as === 'number' ? numberOf : (text: string) => timeOf(text, zone)
      const n = read(value)
      if (n === null) return false
      const from = condition.from === null ? null : read(condition.from)
      const to = condition.to === null ? null : read(condition.to)
      return (from === null || n >= from) && (to === null || n < to)
    }
  }
}

const numberOf = (text: string) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null)

/** Dates and times of one zone compare as text; an instant with an offset is first converted to the zone. */
function timeOf(text: string, zone: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2})(Z)?)?$/.exec(text)
  if (!parts) return null
  const [, day, time = '00:00:00', utc] = parts
  if (utc) return Date.parse(text)
  // The zones in the tests have a constant offset in the years used.
  const offset = { 'Asia/Shanghai': '+08:00', UTC: 'Z', 'America/Bogota': '-05:00' }[zone]
  return Date.parse(`${day}T${time}${offset}`)
}
