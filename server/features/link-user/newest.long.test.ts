import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type World, writeWorld } from '../../testing/tag-world.ts'
import { testWarehouse } from '../../testing/warehouse.ts'
import { type EventFilter, isUnfiltered } from './filter.ts'
import { newestPeople } from './newest.ts'
import { countListed, wholeDays } from './totals.ts'

const warehouse = await testWarehouse()
afterAll(() => warehouse.close())
beforeEach(() => warehouse.truncate())

const ADV = 7
const ZONE = 'Asia/Shanghai'
const START = Date.parse('2026-03-01T00:00:00+08:00') / 1000
const DAY = 86_400
const PEOPLE = 12

/** Moments meet often, as in files that have only days. */
const aMoment = fc
  .tuple(fc.nat(5), fc.constantFrom(0, 0, 1, 43_200, DAY - 1))
  .map(([day, second]) => START + day * DAY + second)
const anEvent = fc.record({
  uid: fc.nat(PEOPLE - 1),
  name: fc.constantFrom('browse', 'pay'),
  ts: aMoment,
  properties: fc.constant({}),
})
const aFilter: fc.Arbitrary<EventFilter> = fc.record({
  adv_id: fc.constant(ADV),
  from: fc.option(aMoment),
  to: fc.option(aMoment),
  names: fc.option(fc.constantFrom(['browse'], ['pay'], ['browse', 'pay'], [])),
})

/** What the list says, by plain loops. */
function listed({ events }: World, { from, to, names }: EventFilter) {
  const last = new Map<number, number>()
  for (const { uid, name, ts } of events) {
    if ((from !== null && ts < from) || (to !== null && ts > to) || (names !== null && !names.includes(name))) continue
    last.set(uid, Math.max(ts, last.get(uid) ?? 0))
  }
  return [...last]
    .map(([uid, ts]) => ({ uid, one_id: `p${uid}`, last: ts * 1000 }))
    .sort((one, other) => other.last - one.last || (one.one_id < other.one_id ? -1 : 1))
}

test('each page and each number equals the plain reading of all events', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anEvent, { maxLength: 40 }),
      fc.array(aFilter, { minLength: 1, maxLength: 4 }),
      fc.constantFrom([1], [3], [2, 5], [1000]),
      async (events, filters, windows) => {
        await warehouse.truncate()
        const world = { people: Array.from({ length: PEOPLE }, (_, uid) => ({ uid, rows: [] })), events }
        await writeWorld(warehouse.load.acrossShards, ADV, world, {}, ZONE)
        // Somebody else's people and events are never counted.
        const others = { people: [{ uid: 1, rows: [] }], events: events.slice(0, 3) }
        await writeWorld(warehouse.load.acrossShards, ADV + 1, others, {}, ZONE)
        for (const filter of filters) {
          const expected = listed(world, filter)
          const size = 3
          const pages = await Promise.all(
            [0, 3, 6, 9, 12].map((offset) =>
              newestPeople(warehouse.live.acrossShards, filter, { offset, size, zone: ZONE, windows }),
            ),
          )
          expect(pages.flat()).toEqual(expected)
          const total = await countListed(warehouse.live.everyShard, filter, ZONE)
          expect(total).toBe(isUnfiltered(filter) ? PEOPLE : expected.length)
        }
      },
    ),
    { numRuns: 25 },
  )
})

const at = (day: number, second = 0) => START + day * DAY + second
test.each([
  ['no end', null, null, { from: null, to: null }, []],
  ['whole days', at(0), at(2, DAY - 1), { from: '2026-03-01', to: '2026-03-03' }, []],
  [
    'hours at both ends',
    at(0, 5),
    at(2, 7),
    { from: '2026-03-02', to: '2026-03-02' },
    [
      [at(0, 5), at(1) - 1],
      [at(2), at(2, 7)],
    ],
  ],
  [
    'hours of neighbouring days',
    at(0, 5),
    at(1, 7),
    null,
    [
      [at(0, 5), at(1) - 1],
      [at(1), at(1, 7)],
    ],
  ],
  ['hours of one day', at(0, 5), at(0, 7), null, [[at(0, 5), at(0, 7)]]],
  ['from the first second of a day', at(0), at(0, 7), null, [[at(0), at(0, 7)]]],
  ['only a beginning', at(0, 5), null, { from: '2026-03-02', to: null }, [[at(0, 5), at(1) - 1]]],
] as const)('a time is cut into whole days and the hours around them: %s', (_, from, to, days, parts) => {
  expect(wholeDays(from, to, ZONE)).toEqual({ days, parts: parts.map(([from, to]) => ({ from, to })) })
})
