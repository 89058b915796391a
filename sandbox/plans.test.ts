import { afterAll, beforeAll, expect, test } from 'vitest'
import { REAL_NAME_TOKEN } from './social/access.ts'
import { SOCIAL_ACCOUNTS, sandboxForTest, socialCaller, VIDEO_ACCOUNTS, videoCaller } from './testing.ts'

const bench = await sandboxForTest()
afterAll(() => bench.close())
const [SOCIAL] = SOCIAL_ACCOUNTS
const [VIDEO] = VIDEO_ACCOUNTS
const tokens = { social: '', video: '' }
const social = socialCaller(bench, () => tokens.social)
const video = videoCaller(bench, () => tokens.video)
const ids = { social: 0n, project: 0n, ad: 0n, shop: 0n }
const made = async (platform: string, account_id: string) =>
  BigInt(String((await bench.control('plans', { platform, account_id, name: `计划 ${platform}` })).id))
beforeAll(async () => {
  const shop = await bench.control('accounts', { platform: 'video', login_id: '770001', name: '店', kind: 'QIANCHUAN' })
  ids.shop = BigInt(String(shop.id))
  tokens.social = await bench.token('social', [SOCIAL])
  tokens.video = await bench.token('video', [VIDEO, String(ids.shop)])
  ids.social = await made('social', SOCIAL)
  ids.project = await made('video', VIDEO)
  ids.ad = await made('commerce', String(ids.shop))
})

/** A change of social ad groups, with the operator's token unless another is given. */
const change = (path: string, body: object, user_token: string | null = REAL_NAME_TOKEN) =>
  social.post(
    `adgroups/${path}`,
    { account_id: BigInt(SOCIAL), ...body },
    {},
    user_token === null ? {} : { user_token },
  )
const turned = (configured_status: unknown) => ({
  update_configured_status_spec: [{ adgroup_id: ids.social, configured_status }],
})
const spent = (daily_budget: unknown) => ({ update_daily_budget_spec: [{ adgroup_id: ids.social, daily_budget }] })

test.each<[string, () => Promise<{ code: number }>, number]>([
  ['no real-name token', () => change('update_configured_status', turned('AD_STATUS_NORMAL'), null), 11101],
  ['an old one', () => change('update_configured_status', turned('AD_STATUS_NORMAL'), 'old'), 11102],
  ['no items', () => change('update_configured_status', {}), 18001],
  ['a status that only reads have', () => change('update_configured_status', turned('AD_STATUS_DENIED')), 18009],
  ['an unknown field', () => change('update_configured_status', { ...turned('AD_STATUS_NORMAL'), more: 1 }), 31002],
  ['a budget with a fraction', () => change('update_daily_budget', spent(5000.5)), 18002],
  ['a budget below 50 yuan', () => change('update_daily_budget', spent(4999)), 18004],
  ['a budget above 4,000,000 yuan', () => change('update_daily_budget', spent(400_000_001)), 18003],
])('the social platform refuses %s', async (_, call, code) => expect((await call()).code).toBe(code))

test('an item that fails is named although the social call succeeds', async () => {
  const spec = [ids.social, 77n].map((adgroup_id) => ({ adgroup_id, configured_status: 'AD_STATUS_SUSPEND' }))
  const { code, data } = await change('update_configured_status', { update_configured_status_spec: spec })
  expect(code).toBe(0)
  expect(data.list.map((one) => one.code)).toEqual([0, 1800307])
  expect(data).toMatchObject({ fail_id_list: [77] })
})

const projects = (path: string, item: object, account: unknown = BigInt(VIDEO)) =>
  video.post(`../v3.0/project/${path}/update/`, {
    advertiser_id: account,
    data: [{ project_id: ids.project, ...item }],
  })
const ads = (path: string, body: object) =>
  video.post(`../v1.0/qianchuan/ad/${path}/update/`, { advertiser_id: ids.shop, ...body })

test.each<[string, () => Promise<{ code: number }>, number]>([
  ['a project without a status', () => projects('status', {}), 40000],
  ['a status of another platform', () => projects('status', { opt_status: 'REVIVE' }), 40000],
  ['a budget without its mode', () => projects('budget', { budget: 300 }), 40000],
  ['three decimals', () => projects('budget', { budget_mode: 'BUDGET_MODE_DAY', budget: 300.001 }), 40000],
  ['an account of others', () => projects('status', { opt_status: 'ENABLE' }, 9_107_199_254_750_005n), 40002],
  [
    'eleven plans',
    () => ads('status', { ad_ids: Array.from({ length: 11 }, (_, no) => no + 1), opt_status: 'ENABLE' }),
    40000,
  ],
  ['a plan without a status', () => ads('status', { ad_ids: [ids.ad] }), 40000],
  ['a plan without a budget', () => ads('budget', { data: [{ ad_id: ids.ad }] }), 40000],
  [
    'a list without a goal',
    () => video.get('../v1.0/qianchuan/ad/get/', { advertiser_id: ids.shop, filtering: {} }),
    40000,
  ],
])('the video engine and the commerce platform refuse %s', async (_, call, code) =>
  expect((await call()).code).toBe(code),
)

test('items that fail are named although the call succeeds', async () => {
  const low = await projects('budget', { budget_mode: 'BUDGET_MODE_DAY', budget: 99 })
  expect(low).toMatchObject({ code: 0, data: { project_ids: [], errors: [{ error_message: expect.any(String) }] } })
  const cheap = await ads('budget', { data: [{ ad_id: ids.ad, budget: 299.99 }] })
  expect(cheap).toMatchObject({ code: 0, data: { ad_ids: [], errors: [{ error_message: expect.any(String) }] } })
  await bench.control('plans/set', { platform: 'video', id: String(ids.project), is_deleted: true })
  expect(await projects('status', { opt_status: 'ENABLE' })).toMatchObject({ data: { project_ids: [] } })
})
