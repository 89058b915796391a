import { expect, test } from 'vitest'
import { adv, videoForTest } from './testing.ts'

const { bench, caller, anAudience } = await videoForTest()

let made = 0
const setting = (more: object = {}) => ({
  ...{ bid_type: 'CUSTOM', budget_mode: 'BUDGET_MODE_DAY', budget: 300 },
  ...{ schedule_type: 'SCHEDULE_START_END', start_time: '2099-01-01', end_time: '2099-02-01' },
  ...more,
})
/** The smallest project for leads on the platform's own page. */
const wanted = (more: object = {}) => ({
  ...{ ...adv, name: `项目${++made}`, operation: 'DISABLE', landing_type: 'LINK', marketing_goal: 'VIDEO_AND_IMAGE' },
  ...{ ad_type: 'ALL', delivery_mode: 'MANUAL', asset_type: 'ORANGE' },
  ...{ optimize_goal: { external_action: 'AD_CONVERT_TYPE_FORM' } },
  ...{ delivery_range: { inventory_catalog: 'UNIVERSAL_SMART' }, delivery_setting: setting() },
  audience: { gender: 'GENDER_MALE' },
  ...more,
})
const without = (name: string) => Object.fromEntries(Object.entries(wanted()).filter(([key]) => key !== name))
const post = (path: string, body: object) => caller.post(`../v3.0/project/${path}/`, body)
const create = (body: object) => post('create', body)
const projectOf = ({ data }: Awaited<ReturnType<typeof create>>) => data.project_id
const found = async (name: string) =>
  (await caller.get('../v3.0/project/list/', { ...adv, filtering: { name }, page_size: 100 })).data.list

const CLICKS = { optimize_goal: { external_action: 'AD_CONVERT_TYPE_CLICK_NUM' } }
test.each<[string, () => object]>([
  ...['name', 'landing_type', 'marketing_goal', 'ad_type', 'delivery_range', 'delivery_setting', 'asset_type'].map(
    (name): [string, () => object] => [`nothing as ${name}`, () => without(name)],
  ),
  ['no action that counts', () => without('optimize_goal')],
  ['a name that is too wide', () => wanted({ name: '字'.repeat(51) })],
  ['an unknown field', () => wanted({ colour: 'red' })],
  ['an unknown field of its setting', () => wanted({ delivery_setting: setting({ colour: 'red' }) })],
  ['a budget below 300 yuan', () => wanted({ delivery_setting: setting({ budget: 299.99 }) })],
  ['a budget with three decimals', () => wanted({ delivery_setting: setting({ budget: 300.001 }) })],
  ['no budget a day', () => wanted({ delivery_setting: setting({ budget: undefined }) })],
  ['a start without an end', () => wanted({ delivery_setting: setting({ end_time: undefined }) })],
  ['days for what runs from now', () => wanted({ delivery_setting: setting({ schedule_type: 'SCHEDULE_FROM_NOW' }) })],
  ['a start in the past', () => wanted({ delivery_setting: setting({ start_time: '2020-01-01' }) })],
  ['335 signs of hours', () => wanted({ delivery_setting: setting({ schedule_time: '1'.repeat(335) }) })],
  ['clicks paid for as actions', () => wanted(CLICKS)],
  ['a bid where there is none', () => wanted({ delivery_setting: setting({ bid_type: 'NO_BID', cpa_bid: 1 }) })],
  [
    'an event asset beside its own page',
    () => wanted({ optimize_goal: { external_action: 'AD_CONVERT_TYPE_FORM', asset_ids: [7] } }),
  ],
  [
    'chosen places without a choice',
    () => wanted({ delivery_range: { inventory_catalog: 'UNIVERSAL_SMART', inventory_type: ['INVENTORY_FEED'] } }),
  ],
  ['a package that is not there', () => wanted({ audience: { audience_package_id: 77 } })],
  ['a crowd that is not there', () => wanted({ audience: { retargeting_tags_include: [77] } })],
  [
    'an older division of regions',
    () => wanted({ audience: { district: 'REGION', city: [110000], location_type: 'ALL', region_version: '1.0.0' } }),
  ],
  ['an account of others', () => wanted({ advertiser_id: 9_107_199_254_750_023n })],
])('no project is made with %s', async (_, body) => expect([40000, 40002]).toContain((await create(body())).code))

test('a project is made as it was wanted; its name may be taken twice', async () => {
  const crowd = await anAudience(1, 2, 3, 4, 5, 6)
  const body = wanted({ audience: { retargeting_tags_include: [crowd] } })
  const answer = await create(body)
  expect(answer).toMatchObject({ code: 0, data: { project_id: expect.anything() } })
  expect(await found(body.name)).toMatchObject([
    {
      ...{ project_id: projectOf(answer), opt_status: 'DISABLE', landing_type: 'LINK' },
      delivery_setting: { budget: 300, budget_mode: 'BUDGET_MODE_DAY', start_time: '2099-01-01', bid_type: 'CUSTOM' },
    },
  ])
  expect((await create(body)).code).toBe(0)
  expect(await found(body.name)).toHaveLength(2)
  await bench.control('switches', { video_project_names_unique: true })
  expect(await create(body)).toMatchObject({ code: 40000, message: expect.stringContaining('名称已存在') })
})

test('a project is on unless it is said otherwise, and clicks have less of a budget', async () => {
  const { operation: _, ...body } = wanted({
    ...CLICKS,
    delivery_setting: { bid_type: 'CUSTOM', pricing: 'PRICING_CPC', budget_mode: 'BUDGET_MODE_DAY', budget: 100 },
  })
  expect((await create(body)).code).toBe(0)
  expect(await found(body.name)).toMatchObject([{ opt_status: 'ENABLE' }])
})

test('an account has so many projects at most', async () => {
  await bench.control('switches', { video_projects: 1 })
  expect(await create(wanted())).toMatchObject({ code: 40000, message: expect.stringContaining('上限') })
})

test('name, targeting, end and hours change', async () => {
  const { data } = await caller.post('audience_package/create/', {
    ...{ ...adv, name: `包${++made}`, description: '说明', landing_type: 'EXTERNAL', gender: 'GENDER_FEMALE' },
  })
  const { audience_package_id } = data
  const body = wanted()
  const project_id = projectOf(await create(body))
  const name = `${body.name}改`
  expect(await post('update', { ...adv, project_id, name, audience: { audience_package_id } })).toMatchObject({
    code: 0,
    data: { error_list: [] },
  })
  expect(await found(name)).toMatchObject([{ audience: { audience_package_id } }])
  // What stands beside a package does not count.
  await post('update', { ...adv, project_id, audience: { gender: 'GENDER_FEMALE' } })
  expect(await found(name)).toMatchObject([{ audience: { audience_package_id } }])
  await post('update', { ...adv, project_id, audience: { audience_package_id: 0, gender: 'GENDER_FEMALE' } })
  expect(await found(name)).toMatchObject([{ audience: {} }])
  const one = (item: object) => ({ ...adv, data: [{ project_id, ...item }] })
  const end = Date.parse('2099-03-01T00:00:00+08:00') / 1000
  expect(await post('schedule_time/update', one({ schedule_type: 'SCHEDULE_START_END', end_time: end }))).toMatchObject(
    { data: { errors: [] } },
  )
  const hours = `0${'1'.repeat(335)}`
  expect(await post('week_schedule/update', one({ schedule_time: hours }))).toMatchObject({ data: { errors: [] } })
  expect(await found(name)).toMatchObject([
    { delivery_setting: { start_time: '2099-01-01', end_time: '2099-03-01 00:00:00', schedule_time: hours } },
  ])
  expect((await post('week_schedule/update', one({ schedule_time: '1' }))).code).toBe(40000)
  expect(await post('schedule_time/update', one({ schedule_type: 'SCHEDULE_START_END', end_time: 1 }))).toMatchObject({
    data: { errors: [{ error_message: expect.any(String) }] },
  })
})
