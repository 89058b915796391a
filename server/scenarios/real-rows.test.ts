import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countOverlap } from '#contract/crowd-overlap.ts'
import { getCrowdProfile } from '#contract/crowd-profile.ts'
import type { RuleNode } from '#contract/rule.ts'
import { countRule, getRuleCrowd, openRule } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, createTag, getTagTree } from '#contract/tag.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import { importEvents, importUsers } from '../commands/import.ts'
import { undoOneImport } from '../commands/imports.ts'
import { aCrowd, leaf, node } from '../testing/builders.ts'
import { hasRealData, realFile, realRows } from '../testing/real-data.ts'
import { tagNamed, typeCommand } from '../testing/real-import.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'

// Real rows, counted by the product and by plain loops over the file.

const has = (folder: string) => existsSync(realFile(folder))

let app: TestApp
beforeAll(async () => {
  if (hasRealData) app = await testApp()
})
beforeEach(() => app?.reset())
afterAll(() => app?.close())

type Row = Record<string, string>
/** The attributes in the e-mail test's data that have a tag for each value. */
const ENUMERATED = [
  'recency',
  'history_segment',
  'mens',
  'womens',
  'zip_code',
  'newbie',
  'channel',
  'segment',
  'visit',
  'conversion',
]

const typed = (command: typeof importUsers | typeof undoOneImport, ...argv: string[]) =>
  typeCommand(app, command, ...argv)
const db = () => app.stores.postgres.db
const tagOf = (category: string, name: string) => tagNamed(app, category, name)

async function newTag(adv_id: number, category: string, name: string, definition: TagDefinition) {
  const { id } = await db()
    .selectFrom('tag_category')
    .select('id')
    .where('name', '=', category)
    .executeTakeFirstOrThrow()
  await app.admin.get(createTag, { body: { adv_id, name, category_id: id, definition } })
  await app.settled()
  return tagOf(category, name)
}

/** The count of each tag of an attribute's value, by `attribute/value`. */
async function valueCounts(adv_id: number): Promise<Map<string, number | null>> {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return new Map(
    data.flatMap((category) => (category.group ?? []).map((tag) => [`${category.tag}/${tag.tag}`, tag.count] as const)),
  )
}

async function latestReport() {
  const { report } = await db().selectFrom('import').select('report').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return report
}

/** The live count of every node, and the root's count as a saved crowd. */
async function counted(adv_id: number, rule: RuleNode) {
  const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
  const { cnt } = await app.admin.get(countRule, { params: { rId }, body: { advId: adv_id, rule } })
  const crowd = await aCrowd(app, adv_id, rule)
  await app.settled()
  const { magnitude } = await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })
  expect(magnitude).toBe(cnt[rule.id])
  return cnt
}

describe.skipIf(!has('hillstrom-email'))('an e-mail campaign test of 64,000 customers', { timeout: 180_000 }, () => {
  test('each node of a rule counts the customers that plain loops find', async () => {
    const file = 'hillstrom-email/hillstrom.csv.gz'
    const rows = realRows(file)
    const words = [file, '--advertiser', 'Hillstrom', '--id', 'row']
    const adv_id = await typed(importUsers, ...words, '--create-advertiser')
    const known = await valueCounts(adv_id)
    for (const attribute of ENUMERATED) {
      for (const [value, of] of Map.groupBy(rows, (row) => row[attribute] ?? '')) {
        expect(known.get(`${attribute}/${value}`), `${attribute} ${value}`).toBe(of.length)
      }
    }
    const history: TagDefinition = {
      kind: 'attribute',
      attribute: 'history',
      condition: { is: 'range', from: '200', to: '500.5', as: 'number' },
    }
    const spent = await newTag(adv_id, 'history', '200 到 500.5', history)
    const channels = leaf('channels', 'u', [await tagOf('channel', 'Web'), await tagOf('channel', 'Phone')])
    const mens = leaf('mens', 'n', [await tagOf('mens', '1'), spent])
    const quiet = leaf('quiet', 'e', [await tagOf('全部用户', '全部用户'), await tagOf('visit', '1')])
    const rule = node('all', 'n', node('left', 'n', channels, mens), quiet)

    const is: Record<string, (row: Row) => boolean> = {
      channels: (row) => row.channel === 'Web' || row.channel === 'Phone',
      mens: (row) => row.mens === '1' && Number(row.history) >= 200 && Number(row.history) < 500.5,
      quiet: (row) => row.visit !== '1',
    }
    is.left = (row) => is.channels?.(row) === true && is.mens?.(row) === true
    is.all = (row) => is.left?.(row) === true && is.quiet?.(row) === true
    const expected = Object.fromEntries(Object.entries(is).map(([id, holds]) => [id, rows.filter(holds).length]))
    expect(await counted(adv_id, rule)).toEqual(expected)
    expect(expected.all).toBeGreaterThan(1000)

    const before = await valueCounts(adv_id)
    await typed(importUsers, ...words)
    expect(await latestReport()).toMatchObject({
      rows: 64_000,
      stored: 0,
      duplicate: 64_000,
      refused: 0,
      new_people: 0,
    })
    expect(await valueCounts(adv_id)).toEqual(before)
  })

  test('profiles and overlaps of crowds count the customers that plain loops find', async () => {
    const file = 'hillstrom-email/hillstrom.csv.gz'
    const rows = realRows(file)
    const adv_id = await typed(importUsers, file, '--advertiser', 'Hillstrom', '--id', 'row', '--create-advertiser')
    const shapes: [attribute: string, value: string][] = [
      ['channel', 'Web'],
      ['mens', '1'],
      ['visit', '1'],
    ]
    const crowds: number[] = []
    for (const [attribute, value] of shapes) {
      const { id } = await aCrowd(app, adv_id, leaf('a', 'n', [await tagOf(attribute, value)]), { name: attribute })
      crowds.push(id)
    }
    await app.settled()
    const isIn = (row: Row, at: number) => row[shapes[at]?.[0] ?? ''] === shapes[at]?.[1]

    const [web = 0, mens = 0] = crowds
    const profile = await app.admin.get(getCrowdProfile, { params: { id: web }, query: { against: mens } })
    const inWeb = rows.filter((row) => isIn(row, 0))
    const inMens = rows.filter((row) => isIn(row, 1))
    expect(profile).toMatchObject({ crowd: { count: inWeb.length }, base: { count: inMens.length } })
    expect(profile.both).toBe(inWeb.filter((row) => isIn(row, 1)).length)
    let compared = 0
    for (const { name: attribute, values } of profile.groups.filter(({ name }) => ENUMERATED.includes(name)))
      for (const { name, count, base_count, tgi } of values) {
        const of = (group: readonly Row[]) => group.filter((row) => row[attribute] === name).length
        if (of(rows) === 0) continue
        expect([count, base_count], `${attribute} ${name}`).toEqual([of(inWeb), of(inMens)])
        const share = of(inWeb) / inWeb.length / (of(inMens) / inMens.length)
        if (tgi !== null) expect(tgi).toBeCloseTo(share * 100, 6)
        compared++
      }
    expect(compared).toBeGreaterThan(30)

    const { parts } = await app.admin.get(countOverlap, { body: { ids: crowds } })
    expect(parts).toHaveLength(7)
    for (const { ids, count } of parts) {
      const exact = rows.filter((row) => crowds.every((id, at) => ids.includes(id) === isIn(row, at)))
      expect(count, ids.join()).toBe(exact.length)
    }
  })
})

describe.skipIf(!has('complete-journey'))('a year of grocery households', { timeout: 180_000 }, () => {
  test('attributes, baskets and coupons are joined on the same people', async () => {
    const households = realRows('complete-journey/demographics.csv.gz')
    const baskets = withEvent('complete-journey/transactions_sample.csv.gz', 'purchase')
    const coupons = withEvent('complete-journey/coupon_redemptions.csv.gz', 'redeem')
    const to = ['--advertiser', 'Journey', '--id', 'household_id']
    await typed(importUsers, 'complete-journey/demographics.csv.gz', ...to, '--create-advertiser')
    await typed(importEvents, baskets.path, ...to, '--event', 'event', '--time', 'transaction_timestamp')
    expect(await latestReport()).toMatchObject({ rows: 75_000, stored: 75_000, duplicate: 0, refused: 0 })
    const adv_id = await typed(importEvents, coupons.path, ...to, '--event', 'event', '--time', 'redemption_date')
    expect(await latestReport()).toMatchObject({ rows: 2102, stored: 2102, duplicate: 0, refused: 0 })

    const bigSpender: TagDefinition = {
      kind: 'event',
      event: 'purchase',
      window_days: null,
      at_least: 3,
      properties: [{ property: 'sales_value', condition: { is: 'range', from: '10', to: null, as: 'number' } }],
      negated: false,
    }
    const never: TagDefinition = { ...bigSpender, event: 'redeem', at_least: 1, properties: [], negated: true }
    const often = await newTag(adv_id, 'purchase', '三次十元以上', bigSpender)
    const without = await newTag(adv_id, 'redeem', '未用券', never)
    const bought = await tagOf('purchase', '做过 purchase')
    const income = leaf('income', 'u', [await tagOf('income', '50-74K'), await tagOf('income', '75-99K')])
    const rule = node(
      'all',
      'u',
      node('left', 'n', income, leaf('bigSpender', 'n', [often])),
      leaf('rest', 'n', [bought, without]),
    )

    const everyone = new Set([...households, ...baskets.rows, ...coupons.rows].map((row) => row.household_id ?? ''))
    expect((await valueCounts(adv_id)).get('全部用户/全部用户')).toBe(everyone.size)
    const incomes = new Set(
      households.filter((row) => row.income === '50-74K' || row.income === '75-99K').map((row) => row.household_id),
    )
    const times = new Map<string, number>()
    for (const row of baskets.rows) {
      const id = row.household_id ?? ''
      times.set(id, (times.get(id) ?? 0) + (Number(row.sales_value) >= 10 ? 1 : 0))
    }
    const redeemers = new Set(coupons.rows.map((row) => row.household_id))
    const isBigSpender = (id: string) => (times.get(id) ?? 0) >= 3
    const isRest = (id: string) => times.has(id) && !redeemers.has(id)
    const count = (holds: (id: string) => boolean) => [...everyone].filter(holds).length
    const expected = {
      income: count((id) => incomes.has(id)),
      bigSpender: count(isBigSpender),
      left: count((id) => incomes.has(id) && isBigSpender(id)),
      rest: count(isRest),
      all: count((id) => (incomes.has(id) && isBigSpender(id)) || isRest(id)),
    }
    expect(await counted(adv_id, rule)).toEqual(expected)
    expect(expected.left).toBeGreaterThan(10)
  })

  /** Adds an event column: a file with one kind of event does not name it. */
  function withEvent(file: string, event: string) {
    const text = gunzipSync(readFileSync(realFile(file))).toString('utf8')
    const [header, ...lines] = text.trimEnd().split('\n')
    const path = join(app.stores.settings.dataDir, `${event}.csv`)
    writeFileSync(path, [`event,${header}`, ...lines.map((line) => `${event},${line}`)].join('\n'))
    return { path, rows: realRows(file) }
  }
})

describe.skipIf(!has('online-retail'))('a year of a shop, each row an event', { timeout: 300_000 }, () => {
  test('an undo leaves nothing of half a million rows, and the same file counts again', async () => {
    const file = 'online-retail/online-retail.csv.gz'
    const words = [file, '--advertiser', 'Retail', '--id', 'CustomerID', '--event', 'Country', '--time', 'InvoiceDate']
    const rows = realRows(file)
    const named = rows.filter((row) => row.CustomerID !== '')
    const customers = new Set(named.map((row) => row.CustomerID)).size
    await typed(importEvents, ...words, '--create-advertiser')
    const report = {
      rows: rows.length,
      stored: named.length,
      refused: rows.length - named.length,
      new_people: customers,
    }
    expect(await latestReport()).toMatchObject({ ...report, duplicate: 0 })

    const { id } = await db().selectFrom('import').select('id').executeTakeFirstOrThrow()
    const adv_id = await typed(undoOneImport, String(id))
    expect(await valueCounts(adv_id)).toEqual(new Map([['全部用户/全部用户', 0]]))
    const load = app.stores.warehouse.load.acrossShards
    for (const table of ['event', 'event_day', 'event_repeat', 'person_key']) {
      expect(await load.query(`SELECT count() AS n FROM ${table} WHERE adv_id = ${adv_id}`), table).toEqual([{ n: 0 }])
    }
    expect(await db().selectFrom('event_name').select('name').execute()).toEqual([])

    await typed(importEvents, ...words)
    expect(await latestReport()).toMatchObject({ ...report, duplicate: 0 })
    expect(await valueCounts(adv_id)).toEqual(new Map([['全部用户/全部用户', customers]]))
  })
})
