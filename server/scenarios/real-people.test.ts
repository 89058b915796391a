import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countOverlap } from '#contract/crowd-overlap.ts'
import { getCrowdProfile } from '#contract/crowd-profile.ts'
import { getLinkUser, LINK_USER_DOWNLOAD_PATH, listLinkUsers } from '#contract/link-user.ts'
import { importEvents, importUsers } from '../commands/import.ts'
import { aCrowd, leaf } from '../testing/builders.ts'
import { hasRealData, realFile, realRows } from '../testing/real-data.ts'
import { tagNamed, typeCommand } from '../testing/real-import.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'
import { timeText } from '../time/day.ts'

// Lists of people, timelines, totals, profiles and overlaps of real rows, and the same by plain loops over the file.

interface Source {
  title: string
  file: string
  id: string
  time: string
  /** Names the event of a row. */
  event: string
  /** Epoch seconds. */
  momentOf: (row: Row) => number
  /** Attributes of the same people. */
  people?: { file: string; attributes: readonly string[] }
}
type Row = Record<string, string>

const SHOP_TIME = (row: Row) => Date.parse(`${(row.InvoiceDate ?? '').replace(' ', 'T')}+08:00`) / 1000
const SOURCES: Source[] = [
  {
    title: 'two hours of a marketplace',
    file: 'taobao-userbehavior/userbehavior.csv.gz',
    ...{ id: 'user_id', time: 'ts', event: 'behavior' },
    momentOf: (row) => Number(row.ts),
  },
  {
    title: 'a year of a shop',
    file: 'online-retail/online-retail.csv.gz',
    ...{ id: 'CustomerID', time: 'InvoiceDate', event: 'Country' },
    momentOf: SHOP_TIME,
  },
  {
    title: 'a year of grocery households',
    file: 'complete-journey/transactions_sample.csv.gz',
    ...{ id: 'household_id', time: 'transaction_timestamp', event: 'week' },
    momentOf: (row) => Date.parse(row.transaction_timestamp ?? '') / 1000,
    people: {
      file: 'complete-journey/demographics.csv.gz',
      attributes: ['age', 'income', 'home_ownership', 'household_size', 'kids_count'],
    },
  },
]
const ADVERTISER = ['--advertiser', 'Real', '--create-advertiser']
const PAGE = 20
const TIME = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g

let app: TestApp
beforeAll(async () => {
  if (hasRealData) app = await testApp()
})
afterAll(() => app?.close())

const imported = ({ file, id, time, event }: Source) =>
  typeCommand(app, importEvents, file, ...ADVERTISER, '--id', id, '--event', event, '--time', time)

/** People as the list shows them: newest visit first, those of one moment by their ids. */
const listOf = (rows: readonly Row[], { id, momentOf }: Source) =>
  [...Map.groupBy(rows, (row) => row[id] ?? '')]
    .map(([oneID, own]) => ({
      oneID,
      enter_time: own.reduce((last, row) => Math.max(last, momentOf(row)), 0),
      total: own.length,
    }))
    .sort((one, other) => other.enter_time - one.enter_time || (one.oneID < other.oneID ? -1 : 1))

for (const source of SOURCES) {
  describe.skipIf(!existsSync(realFile(source.file)))(source.title, { timeout: 300_000 }, () => {
    let rows: Row[] = []
    let adv_id = 0
    beforeAll(async () => {
      await app.reset()
      rows = realRows(source.file).filter((row) => row[source.id] !== '')
      adv_id = await imported(source)
    }, 300_000)

    test('the list of people, with filters and without, is that of the file', async () => {
      const see = async (query: object, kept: readonly Row[]) => {
        const expected = listOf(kept, source)
        for (const page of [1, 2]) {
          const { data, total } = await app.admin.get(listLinkUsers, {
            query: { adv_id, page, per_page: PAGE, ...query },
          })
          expect(total).toBe(expected.length)
          const shown = data.map(({ oneID, enter_time, total }) => ({ oneID, enter_time, total }))
          expect(shown).toEqual(expected.slice((page - 1) * PAGE, page * PAGE))
        }
      }
      await see({}, rows)

      const { event } = await app.admin.get(listLinkUsers, { query: { adv_id, page: 1, per_page: 1 } })
      const names = new Set(rows.map((row) => row[source.event]))
      expect(new Set(event.map(({ name }) => name))).toEqual(names)
      const rarest = [...Map.groupBy(rows, (row) => row[source.event] ?? '')].sort(
        (one, other) => one[1].length - other[1].length,
      )[0]
      const [name = '', of = []] = rarest ?? []
      const chosen = event.find((one) => one.name === name)?.id
      await see({ event: String(chosen) }, of)

      const moments = rows.map(source.momentOf).sort((one, other) => one - other)
      const startTime = moments[Math.floor(moments.length / 3)] ?? 0
      const endTime = moments[Math.floor(moments.length / 2)] ?? 0
      const within = (row: Row) => source.momentOf(row) >= startTime && source.momentOf(row) <= endTime
      await see({ startTime, endTime }, rows.filter(within))
      await see({ startTime, endTime, event: String(chosen) }, of.filter(within))
    })

    test('the timeline, the totals and the download of the busiest person are those of the file', async () => {
      const busiest = [...Map.groupBy(rows, (row) => row[source.id] ?? '')].sort(
        (one, other) => other[1].length - one[1].length,
      )[0]
      const [oneID = '', own = []] = busiest ?? []
      const { timezone } = app.stores.settings
      const times = own
        .map(source.momentOf)
        .sort((one, other) => other - one)
        .map((moment) => timeText(moment, timezone))
      const first = await app.admin.get(getLinkUser, { query: { adv_id, oneID } })
      expect([first.total, first.total_page]).toEqual([own.length, Math.ceil(own.length / PAGE)])
      expect(first.day_total.reduce((sum, day) => sum + day.total, 0)).toBe(own.length)
      for (const page of new Set([1, Math.ceil(first.total_page / 2), first.total_page])) {
        const { list } = await app.admin.get(getLinkUser, { query: { adv_id, oneID, page, as_of: first.as_of } })
        expect(list.map(({ date }) => date)).toEqual(times.slice((page - 1) * PAGE, page * PAGE))
      }

      const query = new URLSearchParams({ adv_id: String(adv_id), oneID })
      const answer = await app.app.inject({
        method: 'GET',
        url: `${LINK_USER_DOWNLOAD_PATH}?${query}`,
        headers: { cookie: app.admin.cookie, 'sec-fetch-site': 'same-origin' },
      })
      expect(answer.statusCode).toBe(200)
      // Each event's time stands in its line.
      const written = answer.body.match(TIME) ?? []
      expect(written.sort()).toEqual([...times].sort())
    })

    test('profiles and overlaps of crowds by event are those of the file', async () => {
      const byEvent = [...Map.groupBy(rows, (row) => row[source.event] ?? '')]
        .sort((one, other) => other[1].length - one[1].length)
        .slice(0, 4)
        .map(([name, of]) => ({ name, people: new Set(of.map((row) => row[source.id])) }))
      const ids: number[] = []
      for (const [no, { name }] of byEvent.entries()) {
        const rule = leaf('a', 'n', [await tagNamed(app, name, `做过 ${name}`)])
        const crowd = await aCrowd(app, adv_id, rule, { name: `人群${no}` })
        ids.push(crowd.id)
      }
      await app.settled()

      const everyone = new Set(rows.map((row) => row[source.id]))
      const { parts } = await app.admin.get(countOverlap, { body: { ids } })
      expect(parts.length).toBeGreaterThan(3)
      for (const part of parts) {
        const exact = [...everyone].filter((one) =>
          byEvent.every(({ people }, at) => people.has(one) === part.ids.includes(ids[at] ?? 0)),
        )
        expect(part.count, part.ids.join()).toBe(exact.length)
      }
      const [one, other] = byEvent
      const [id = 0, against = 0] = ids
      const profile = await app.admin.get(getCrowdProfile, { params: { id }, query: { against } })
      expect([profile.crowd.count, profile.base.count]).toEqual([one?.people.size, other?.people.size])
      expect(profile.both).toBe([...(one?.people ?? [])].filter((person) => other?.people.has(person)).length)
    })

    test.skipIf(!source.people)('profiles of crowds by attribute are those of both files', async () => {
      const { file = '', attributes = [] } = source.people ?? {}
      await typeCommand(app, importUsers, file, '--advertiser', 'Real', '--id', source.id)
      const known = new Map(realRows(file).map((row) => [row[source.id] ?? '', row]))
      const [name = '', of = []] =
        [...Map.groupBy(rows, (row) => row[source.event] ?? '')].sort(
          (one, other) => other[1].length - one[1].length,
        )[0] ?? []
      const crowd = await aCrowd(app, adv_id, leaf('a', 'n', [await tagNamed(app, name, `做过 ${name}`)]), {
        name: '其中的家庭',
      })
      await app.settled()
      const { groups } = await app.admin.get(getCrowdProfile, { params: { id: crowd.id }, query: {} })
      const inside = new Set(of.map((row) => row[source.id] ?? ''))
      const everyone = new Set([...known.keys(), ...rows.map((row) => row[source.id] ?? '')])
      const count = (people: ReadonlySet<string>, attribute: string, value: string) =>
        [...people].filter((id) => known.get(id)?.[attribute] === value).length
      for (const attribute of attributes) {
        const values = groups.find((group) => group.name === attribute)?.values ?? []
        expect(values.length, attribute).toBeGreaterThan(1)
        for (const { name, count: counted, base_count } of values)
          expect([counted, base_count], `${attribute} ${name}`).toEqual([
            count(inside, attribute, name),
            count(everyone, attribute, name),
          ])
      }
    })
  })
}
