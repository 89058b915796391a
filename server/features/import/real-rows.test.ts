import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportMapping, ImportReport } from '#contract/import.ts'
import type { RuleNode, RuleOp } from '#contract/rule.ts'
import { countRule, openRule } from '#contract/rule-crowd.ts'
import { getTagTree, type TagTreeNode } from '#contract/tag.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { hasRealData, realFile, realRows } from '../../testing/real-data.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

const HILLSTROM = 'hillstrom-email/hillstrom.csv.gz'
const JOURNEY = 'complete-journey'

const both = <T>(a: Set<T>, b: Set<T>) => new Set([...a].filter((one) => b.has(one)))
const without = <T>(a: Set<T>, b: Set<T>) => new Set([...a].filter((one) => !b.has(one)))

describe.skipIf(!hasRealData)('rows that nobody here wrote', { timeout: 180_000 }, () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(() => app?.close())

  async function importReal(adv_id: number, path: string, mapping: ImportMapping): Promise<ImportReport> {
    const { imports } = app.services
    const id = await imports.startFile(adv_id, realFile(path), mapping)
    const row = await imports.wait(id, new AbortController().signal, () => {})
    expect(row.error).toBeNull()
    await app.settled()
    if (!row.report) throw new Error('the import has no report')
    const { rows, stored, duplicate, refused } = row.report
    expect(stored + duplicate + refused).toBe(rows)
    return row.report
  }

  async function tagsOf(adv_id: number, tag_type: 1 | 2): Promise<Map<string, TagTreeNode>> {
    const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type } })
    return new Map(
      data.flatMap((category) => (category.group ?? []).map((tag) => [`${category.tag}/${tag.tag}`, tag] as const)),
    )
  }

  /** Counts a rule of tags, each leaf one or more of them by name. */
  async function counted(adv_id: number, rule: RuleNode) {
    const { rId } = await app.admin.get(openRule, { body: { advId: adv_id } })
    return (await app.admin.get(countRule, { params: { rId }, body: { advId: adv_id, rule } })).cnt
  }

  const numbersOf = (rows: readonly unknown[], holds: (row: never, at: number) => boolean) =>
    new Set(rows.flatMap((row, at) => (holds(row as never, at) ? [at] : [])))

  test('hillstrom: every value of every attribute, and crowds of them, count as the file does', async () => {
    const adv_id = await anAdvertiser(app, 'Hillstrom')
    const mapping: ImportMapping = { kind: 'users', id: 'row', identifiers: [], skip: [] }
    expect(await importReal(adv_id, HILLSTROM, mapping)).toMatchObject({
      rows: 64_000,
      stored: 64_000,
      new_people: 64_000,
    })
    const rows = realRows(HILLSTROM)
    const tags = await tagsOf(adv_id, 1)
    const has = (attribute: string, value: string) => {
      const tag = tags.get(`${attribute}/${value}`)
      if (!tag) throw new Error(`no tag ${attribute}/${value} among ${[...tags.keys()].join(' ')}`)
      return tag
    }
    for (const attribute of [
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
    ]) {
      const values = Map.groupBy(rows, (row) => row[attribute] ?? '')
      for (const [value, of] of values) expect(has(attribute, value).count, `${attribute} ${value}`).toBe(of.length)
    }

    const leaf = (id: string, op: RuleOp, ...of: [string, string][]): RuleNode => ({
      id,
      op,
      subTags: of.map(([attribute, value]) => ({ id: has(attribute, value).id, tag_type: 1 })),
      exps: [],
    })
    const node = (id: string, op: RuleOp, left: RuleNode, right: RuleNode): RuleNode => ({
      id,
      op,
      subTags: [],
      exps: [left, right],
    })
    const cnt = await counted(
      adv_id,
      node(
        'n5',
        'e',
        node(
          'n3',
          'n',
          leaf('n1', 'u', ['channel', 'Web'], ['channel', 'Phone']),
          leaf('n2', 'n', ['mens', '1'], ['womens', '1']),
        ),
        leaf('n4', 'u', ['segment', 'No E-Mail'], ['zip_code', 'Rural']),
      ),
    )
    type Row = Record<string, string>
    const n1 = numbersOf(rows, (row: Row) => row.channel === 'Web' || row.channel === 'Phone')
    const n2 = numbersOf(rows, (row: Row) => row.mens === '1' && row.womens === '1')
    const n4 = numbersOf(rows, (row: Row) => row.segment === 'No E-Mail' || row.zip_code === 'Rural')
    const n3 = both(n1, n2)
    expect(cnt).toEqual({ n1: n1.size, n2: n2.size, n3: n3.size, n4: n4.size, n5: without(n3, n4).size })

    expect(await importReal(adv_id, HILLSTROM, mapping)).toMatchObject({ stored: 0, duplicate: 64_000, new_people: 0 })
  })

  test('complete-journey: attributes, purchases and redemptions of the same households meet in one rule', async () => {
    const adv_id = await anAdvertiser(app, 'Complete Journey')
    const file = (name: string) => join(JOURNEY, `${name}.csv.gz`)
    const users = await importReal(adv_id, file('demographics'), {
      kind: 'users',
      id: 'household_id',
      identifiers: [],
      skip: [],
    })
    expect(users).toMatchObject({ rows: 801, stored: 801, new_people: 801 })
    const purchases = await importReal(adv_id, file('transactions_sample'), {
      kind: 'events',
      id: 'household_id',
      event: 'week',
      time: 'transaction_timestamp',
      skip: [],
    })
    const bought = realRows(file('transactions_sample'))
    const known = new Set(realRows(file('demographics')).map((row) => row.household_id))
    const buyers = new Set(bought.map((row) => row.household_id))
    expect(purchases).toMatchObject({ rows: 75_000, stored: 75_000, new_people: without(buyers, known).size })
    const redeemed = await importReal(adv_id, file('coupon_redemptions'), {
      kind: 'events',
      id: 'household_id',
      event: 'campaign_id',
      time: 'redemption_date',
      skip: [],
    })
    const redemptions = realRows(file('coupon_redemptions'))
    expect(redeemed).toMatchObject({ rows: 2102, stored: 2102 })

    const people = new Set([...known, ...buyers, ...redemptions.map((row) => row.household_id)])
    const attributes = await tagsOf(adv_id, 1)
    expect([...attributes.values()].find((tag) => tag.tag === '全部用户')?.count).toBe(people.size)
    const events = await app.stores.postgres.db
      .selectFrom('tag')
      .select(['id', 'count', 'definition'])
      .where('adv_id', '=', adv_id)
      .where('tag_type', '=', 2)
      .execute()
    // Weeks are buying events, campaigns are redemptions; both are numbers, so an event may be of either file.
    const doers = new Map<string, Set<string | undefined>>()
    for (const [name, id] of [
      ...bought.map((row) => [row.week, row.household_id]),
      ...redemptions.map((row) => [row.campaign_id, row.household_id]),
    ] as const) {
      doers.set(name ?? '', (doers.get(name ?? '') ?? new Set()).add(id))
    }
    expect(events).toHaveLength(doers.size)
    for (const { count, definition } of events) {
      if (definition.kind !== 'event') throw new Error('an event tag is about an event')
      expect(count, definition.event).toBe(doers.get(definition.event)?.size)
    }

    const married = attributes.get('marital_status/Married')
    const renter = attributes.get('home_ownership/Homeowner')
    const week = events.find(({ definition }) => definition.kind === 'event' && definition.event === '13')
    if (!married || !renter || !week) throw new Error('a tag is missing')
    const tag = (id: number, tag_type: 1 | 2) => ({ id, tag_type })
    const cnt = await counted(adv_id, {
      id: 'n3',
      op: 'n',
      subTags: [],
      exps: [
        { id: 'n1', op: 'n', subTags: [tag(married.id, 1), tag(renter.id, 1)], exps: [] },
        { id: 'n2', op: 'u', subTags: [tag(week.id, 2)], exps: [] },
      ],
    })
    const homes = new Set(
      realRows(file('demographics'))
        .filter((row) => row.marital_status === 'Married' && row.home_ownership === 'Homeowner')
        .map((row) => row.household_id),
    )
    const inWeek = doers.get('13') ?? new Set<string | undefined>()
    expect(cnt).toEqual({ n1: homes.size, n2: inWeek.size, n3: both(homes, inWeek).size })
  })
})
