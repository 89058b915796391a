import type { Kysely } from 'kysely'
import type { Handles } from '../clickhouse/handles.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import type { Database } from '../postgres/schema.ts'
import { EVENTS, eventDayInsert, eventInsert, sessionsOf } from './events-sql.ts'
import { ATTRIBUTES, PERSON_BASE, peopleInserts, type World } from './people-sql.ts'

const PEOPLE_AT_ONCE = 500_000
const SESSIONS_AT_ONCE = 1_000_000
const ROLLUP_AT_ONCE = 400_000

/** Fills the warehouse with a world's people and, by default, their events; the same world gives the same rows. */
export async function generate(
  { load, db }: { load: Handles; db: Kysely<Database> },
  world: World,
  options: { events?: boolean; key?: Buffer; signal?: AbortSignal | undefined; progress?(share: number): void } = {},
): Promise<void> {
  const { adv_id, people } = world
  const sessions = options.events === false ? 0 : sessionsOf(people)
  const steps = [
    ...chunks(0, people, PEOPLE_AT_ONCE).flatMap(([from, to]) => peopleInserts(world, from, to, options.key ?? null)),
    ...chunks(0, sessions, SESSIONS_AT_ONCE).map(([from, to]) => eventInsert(world, from, to)),
    ...(sessions === 0 ? [] : chunks(PERSON_BASE, PERSON_BASE + people, ROLLUP_AT_ONCE)).map(([from, to]) =>
      eventDayInsert(world, from, to),
    ),
  ]
  for (const slot of ATTRIBUTES.keys()) {
    await load.everyShard.command(`ALTER TABLE person_row ADD COLUMN IF NOT EXISTS ${slotColumn(slot)} String`)
  }
  for (const [index, step] of steps.entries()) {
    options.signal?.throwIfAborted()
    await load.acrossShards.command(step)
    options.progress?.((index + 1) / steps.length)
  }
  await db
    .insertInto('attribute')
    .values(ATTRIBUTES.map(({ name, type }, slot) => ({ adv_id, name, slot, type, display_name: name, values: '[]' })))
    .execute()
  if (sessions === 0) return
  await db
    .insertInto('event_name')
    .values(
      Object.entries(EVENTS).map(([name, properties]) => ({
        adv_id,
        name,
        display_name: name,
        properties: JSON.stringify(properties),
      })),
    )
    .execute()
}

function chunks(from: number, to: number, size: number): [from: number, to: number][] {
  const list: [number, number][] = []
  for (let at = from; at < to; at += size) list.push([at, Math.min(at + size, to)])
  return list
}

export const generatedFields = {
  attributes: ATTRIBUTES.map(({ name }) => ({ name })),
  events: Object.keys(EVENTS).map((name) => ({ name })),
}
