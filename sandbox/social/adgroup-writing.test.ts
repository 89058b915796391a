import { beforeEach, expect, test } from 'vitest'
import { REAL_NAME_TOKEN } from './access.ts'
import { ACCOUNT, id, imeis, socialForTest } from './testing.ts'

const { bench, caller, anAudience, send } = await socialForTest()
beforeEach(() => bench.control('switches', { social_calls_per_minute: 0 }))

const ALWAYS = '1'.repeat(336)
let made = 0
/** The smallest ad group that the platform takes. */
const wanted = (more: object = {}) => ({
  ...{ account_id: id(ACCOUNT), adgroup_name: `广告${++made}`, marketing_goal: 'MARKETING_GOAL_LEAD_RETENTION' },
  ...{ marketing_carrier_type: 'MARKETING_CARRIER_TYPE_JUMP_PAGE', marketing_asset_id: 77 },
  ...{ begin_date: '2099-01-01', end_date: '2099-02-01', time_series: ALWAYS, automatic_site_enabled: true },
  ...{ bid_mode: 'BID_MODE_OCPM', smart_bid_type: 'SMART_BID_TYPE_CUSTOM', bid_amount: 3000 },
  ...{ optimization_goal: 'OPTIMIZATIONGOAL_LEADS', daily_budget: 50_000, targeting: { gender: ['MALE'] } },
  configured_status: 'AD_STATUS_SUSPEND',
  ...more,
})
const without = (name: string) => Object.fromEntries(Object.entries(wanted()).filter(([key]) => key !== name))
const call = (path: string, body: object, request?: string, user_token: string | null = REAL_NAME_TOKEN) =>
  caller.post(
    `adgroups/${path}`,
    body,
    request === undefined ? {} : { 'x-request-id': request },
    user_token === null ? {} : { user_token },
  )
const add = (body: object, request?: string) => call('add', body, request)
const adgroupOf = ({ data }: Awaited<ReturnType<typeof add>>) => data.adgroup_id
const change = (path: string, body: object) => call(path, { account_id: id(ACCOUNT), ...body })
async function rows(adgroup_name: string) {
  const filtering = [{ field: 'adgroup_name', operator: 'EQUALS', values: [adgroup_name] }]
  return (await caller.get('adgroups/get', { account_id: ACCOUNT, filtering })).data.list
}

test.each<[string, () => object, number]>([
  ...['adgroup_name', 'marketing_goal', 'marketing_carrier_type', 'begin_date', 'end_date', 'time_series'].map(
    (name): [string, () => object, number] => [`nothing as ${name}`, () => without(name), 18001],
  ),
  ['neither product', () => without('marketing_asset_id'), 18001],
  [
    'two products',
    () => wanted({ marketing_asset_outer_spec: { marketing_target_type: 'X', marketing_asset_outer_id: '1' } }),
    31002,
  ],
  ['an app without its id', () => wanted({ marketing_carrier_type: 'MARKETING_CARRIER_TYPE_APP_IOS' }), 18001],
  ['an unknown goal', () => wanted({ marketing_goal: 'MARKETING_GOAL_FAME' }), 18009],
  ['an unknown field', () => wanted({ colour: 'red' }), 31002],
  ['a name that is too wide', () => wanted({ adgroup_name: '字'.repeat(61) }), 18003],
  ['an empty name', () => wanted({ adgroup_name: '' }), 18004],
  ['an end before the begin', () => wanted({ end_date: '2098-12-31' }), 127003],
  ['an end that is over', () => wanted({ begin_date: '2020-01-01', end_date: '2020-01-02' }), 18004],
  ['a day that the calendar lacks', () => wanted({ begin_date: '2099-02-30' }), 31002],
  ['no hour at all', () => wanted({ time_series: '0'.repeat(336) }), 31002],
  ['335 signs of hours', () => wanted({ time_series: '1'.repeat(335) }), 31002],
  ['a budget of 49.99 yuan', () => wanted({ daily_budget: 4999 }), 18004],
  ['a budget with a fraction', () => wanted({ daily_budget: 5000.5 }), 18002],
  ['a manual bid without an amount', () => without('bid_amount'), 18001],
  ['no action to pay for', () => without('optimization_goal'), 18001],
  ['chosen and automatic places', () => wanted({ site_set: ['SITE_SET_MOMENTS'] }), 31002],
  ['a crowd that is not there', () => wanted({ targeting: { custom_audience: [9_007_199_254_740_993n] } }), 50005],
  ['behaviour, which the newer generation lacks', () => wanted({ targeting: { behavior_or_interest: {} } }), 31002],
])('is not made with %s', async (_, body, code) => expect((await add(body())).code).toBe(code))

test('is not made without who makes it', async () => {
  expect((await call('add', wanted(), undefined, null)).code).toBe(11101)
})

test('is made as it was wanted, once for a name', async () => {
  const crowd = await anAudience()
  await send(crowd, imeis(1, 2))
  await bench.control('settle')
  const body = wanted({ targeting: { custom_audience: [crowd] }, end_date: '' })
  const answer = await add(body)
  expect(answer.code).toBe(0)
  expect(await rows(body.adgroup_name)).toMatchObject([
    {
      ...{ adgroup_id: adgroupOf(answer), configured_status: 'AD_STATUS_SUSPEND', daily_budget: 50_000 },
      ...{ targeting: { custom_audience: [crowd] }, begin_date: '2099-01-01', end_date: '' },
    },
  ])
  expect(await add(body)).toMatchObject({ code: 31002, message: expect.stringContaining('adgroup_name') })
})

test('a request id stands for one body, and a body for one request id', async () => {
  const body = wanted()
  const first = await add(body, 'plan-1')
  expect(adgroupOf(await add(body, 'plan-1'))).toBe(adgroupOf(first))
  expect((await add(wanted(), 'plan-1')).code).toBe(31060)
  expect((await add(body, 'plan-2')).code).toBe(31060)
  expect(await rows(body.adgroup_name)).toHaveLength(1)
})

test('no more deliver than the account may have', async () => {
  await bench.control('switches', { social_plans: 1 })
  const on = await add(wanted({ configured_status: 'AD_STATUS_NORMAL' }))
  expect(on.code).toBe(0)
  expect((await add(wanted({ configured_status: 'AD_STATUS_NORMAL' }))).code).toBe(1901905)
  const off = adgroupOf(await add(wanted()))
  const spec = [{ adgroup_id: off, configured_status: 'AD_STATUS_NORMAL' }]
  const { data } = await change('update_configured_status', { update_configured_status_spec: spec })
  expect(data.list).toMatchObject([{ code: 1901905 }])
})

test('name, targeting, days and hours change; the purpose does not', async () => {
  const body = wanted()
  const adgroup_id = adgroupOf(await add(body))
  const name = `${body.adgroup_name}改`
  expect(await change('update', { adgroup_id, adgroup_name: name, targeting: { gender: ['FEMALE'] } })).toMatchObject({
    code: 0,
  })
  const hours = `0${'1'.repeat(335)}`
  const spec = [{ adgroup_id, end_date: '2099-03-01', time_series: hours }]
  expect((await change('update_datetime', { update_datetime_spec: spec })).data.list).toMatchObject([{ code: 0 }])
  expect(await rows(name)).toMatchObject([
    { targeting: { gender: ['FEMALE'] }, begin_date: '2099-01-01', end_date: '2099-03-01', time_series: hours },
  ])
  expect((await change('update', { adgroup_id, marketing_goal: 'MARKETING_GOAL_LEAD_RETENTION' })).code).toBe(31002)
  const early = [{ adgroup_id, end_date: '2098-01-01' }]
  expect((await change('update_datetime', { update_datetime_spec: early })).code).toBe(127003)
  const other = wanted()
  await add(other)
  expect((await change('update', { adgroup_id, adgroup_name: other.adgroup_name })).code).toBe(31002)
  expect((await change('update', { adgroup_id: 77, adgroup_name: '没有' })).code).toBe(1800307)
})
