import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Viewer } from '../../http/viewer.ts'
import { writeWorld } from '../../testing/tag-world.ts'
import { testWarehouse } from '../../testing/warehouse.ts'
import type { KnownEvents } from './events.ts'
import { exportEvents } from './export.ts'

const warehouse = await testWarehouse()
afterAll(() => warehouse.close())
beforeEach(() => warehouse.truncate())

const ADV = 7
const ZONE = 'Asia/Shanghai'
const START = Date.parse('2026-03-01T00:00:00+08:00') / 1000
const MANY = 12_345
const VIEWER = { see_phones: true } as Viewer
const EVENTS: KnownEvents = {
  list: [],
  namesOf: () => [],
  namesBut: () => [],
  nameOf: (name) => name,
  settingsOf: () => ({}),
}

/** One person with more events than a part of the file holds, at three moments only. */
const events = Array.from({ length: MANY }, (_, no) => ({
  uid: 1,
  name: 'browse',
  ts: START + (no % 3),
  properties: { no: String(no) },
}))
const write = (written: typeof events) =>
  writeWorld(warehouse.load.acrossShards, ADV, { people: [], events: written }, {}, ZONE)

const file = () =>
  exportEvents(
    warehouse.live.acrossShards,
    VIEWER,
    { uid: 1, filter: { adv_id: ADV, from: null, to: null, names: null }, as_of: START },
    { events: EVENTS, timezone: ZONE },
  )

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

test('events of equal moments stand in the file once each, the newest moments first', async () => {
  await write(events)
  const lines = (await textOf(file())).trim().split('\n').slice(1)
  expect(new Set(lines.map((line) => line.split('no：')[1])).size).toBe(MANY)
  expect(lines).toHaveLength(MANY)
  const moments = lines.map((line) => line.slice(0, 19))
  expect(moments).toEqual(moments.toSorted().toReversed())
})

test.each([
  ['came to the person', () => write([{ uid: 1, name: 'browse', ts: START + 9, properties: { no: 'late' } }])],
  [
    'went away',
    () => warehouse.load.acrossShards.command(`ALTER TABLE event DELETE WHERE row_id = 1 SETTINGS mutations_sync = 2`),
  ],
] as const)('the file breaks off where an event %s while it is written', async (_, change) => {
  await write(events)
  const parts = file()
  await parts.next()
  await parts.next()
  await change()
  await expect(textOf(parts)).rejects.toThrow('events of a person changed')
})
