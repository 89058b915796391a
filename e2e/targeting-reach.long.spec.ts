import { COMMERCE, SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const PACKAGES = '/api/v1/gdtcrowd/custom/targetings'
const GOALS = '/api/v1/gdtcrowd/custom/estimation/goals'

let adv_id = 0
const accounts: Record<number, number> = {}
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '预估品牌')).id
  for (const platform of [SOCIAL, VIDEO, COMMERCE]) {
    await authorise(admin, { adv_id, platform, accounts: /./ })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { id: number }[] }>(admin, 'get', path)
    accounts[platform] = data[0]?.id ?? 0
  }
})

let made = 0
/** Stores a package and opens its editor. */
async function opened(page: Page, platform: 1 | 2 | 3, targeting: object) {
  await selectAdvertiser(page, adv_id)
  const body = { targeting_name: `预估${++made}`, dir_id: 1, advertiser_id: accounts[platform] }
  const { id } = await api<{ id: number }>(page, 'post', `${PACKAGES}/add`, {
    ...{ ...body, targeting: platform === SOCIAL ? targeting : { landing_type: 'LIVE', ...targeting } },
  })
  const social = `/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`
  await page.goto(platform === SOCIAL ? social : `/cowd-manage/assets/crowd/${platform}/${id}`)
}

interface Ask {
  targeting: Record<string, unknown>
  /** Whether the page gave it up. */
  isCancelled: boolean
  answer(data: object | 'error'): Promise<void>
}

/** Every estimate that the page asks for, to be answered by the test. */
async function estimatesOf(page: Page, answer?: (ask: Ask, no: number) => object | 'error' | null) {
  const asks: Ask[] = []
  await page.route('**/estimation/uv/**', async (route) => {
    const { targeting } = route.request().postDataJSON() as { targeting: Record<string, unknown> }
    const ask: Ask = {
      ...{ targeting, isCancelled: false },
      answer: (data) =>
        data === 'error'
          ? route.fulfill({ status: 500, json: { code: 1, msg: '请求失败', data: null } })
          : route.fulfill({ json: { code: 0, msg: 'OK', data } }),
    }
    asks.push(ask)
    page.on('requestfailed', (request) => {
      if (request === route.request()) ask.isCancelled = true
    })
    const now = answer?.(ask, asks.length)
    if (now) await ask.answer(now)
  })
  return asks
}

const COUNTED_AT = Math.floor(Date.UTC(2026, 10, 20, 15, 59) / 1000)
const people = (approximate_count: number) => ({
  ...{ code: 0, approximate_count, approximate_count_label: '', counted_at: COUNTED_AT, fail_outcome: null },
})
const THROTTLED = {
  ...{ code: 1, approximate_count: null, approximate_count_label: '暂无', counted_at: null },
  fail_outcome: { code: 'platform_throttled', params: {} },
}

const reachOf = (page: Page) => page.getByRole('region', { name: '预估覆盖' })
const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
/** Lets a page whose clock is stopped work, 50 ms at a time, until the reach says this. */
const reachSays = (page: Page, text: string) =>
  expect
    .poll(async () => {
      await page.clock.runFor(50)
      return reachOf(page).textContent()
    })
    .toContain(text)

/** Lets the page work, 50 ms at a time, until it has asked so often. */
const asksOf = (page: Page, asks: readonly Ask[]) =>
  expect.poll(async () => {
    await page.clock.runFor(50)
    return asks.length
  })

/** Stops the page's clock, which from then on runs only as far as the test says. */
async function stopClock(page: Page) {
  await page.clock.pauseAt(Date.now() + 60_000)
}

test('an estimate waits two seconds after the last change, drops the one before it, and is silent when it fails', async ({
  page,
}) => {
  const asks = await estimatesOf(page)
  await page.clock.install()
  await opened(page, VIDEO, { gender: ['GENDER_FEMALE'] })
  await expect.poll(() => asks.length).toBe(1)
  await stopClock(page)
  await asks[0]?.answer(people(7_000_000))
  const reach = reachOf(page)
  await reachSays(page, '7,000,000')
  await expect(reach).toContainText('平台预估，截至 11-20 23:59')

  const ages = field(page, '年龄')
  await ages.getByRole('checkbox', { name: '18-23 岁' }).check()
  await page.clock.runFor(1900)
  await expect(reach).toContainText('选择有变，正在重新预估')
  await ages.getByRole('checkbox', { name: '24-30 岁' }).check()
  await page.clock.runFor(1900)
  expect(asks).toHaveLength(1)
  await page.clock.runFor(200)
  await expect.poll(() => asks.length).toBe(2)
  expect(asks[1]?.targeting).toMatchObject({ age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'] })
  // The last figure stays, dimmed by its sentence, until the next one is there.
  await expect(reach).toContainText('7,000,000')
  await expect(reach).toContainText('选择有变，正在重新预估')

  await ages.getByRole('checkbox', { name: '24-30 岁' }).uncheck()
  expect(asks[1]?.isCancelled).toBe(false)
  await page.clock.runFor(2100)
  await expect.poll(() => asks.length).toBe(3)
  expect(asks[2]?.targeting).toMatchObject({ age: ['AGE_BETWEEN_18_23'] })
  await expect.poll(() => asks[1]?.isCancelled).toBe(true)
  await asks[2]?.answer('error')
  await reachSays(page, '暂无')
  await expect(page.getByText('请求失败')).toHaveCount(0)

  await page.clock.runFor(30_000)
  await expect.poll(() => asks.length).toBe(4)
  await asks[3]?.answer(people(1_234_567))
  await reachSays(page, '1,234,567')
})

/** Thirteen dimensions, one more than are drawn, and two that the platform withdrew. */
const WIDE = {
  ...{ age: ['AGE_BETWEEN_18_23'], gender: ['GENDER_FEMALE'], career_by: ['CUSTOM'], career: ['IT'] },
  ...{ district: ['CITY'], regions: { regions: ['310000'], regionsPlan: [] }, location_types: ['CURRENT'] },
  ...{ smart_interest_action: 'RECOMMEND', auto_crowd_mode: [1, 2] },
  ...{ retargeting_tags_include: ['5'], retargeting_tags_exclude: ['6'], platform: ['ANDROID'] },
  ...{ device_type: ['MOBILE'], ac: ['WIFI', '5G'], carrier: ['MOBILE'], device_brand_by: ['CUSTOM'] },
  ...{ device_brand: ['HUAWEI'], launch_price_by: ['CUSTOM'], launch_price: [2000, 4000] },
  ...{ activate_type: ['WITH_IN_A_MONTH'], aweme_fan_by: 1, aweme_fan_behaviors: ['FOLLOWED_USER'] },
  user_aweme_fan: [{ type: 'category', value: '5' }],
}

test('the chart asks after the estimate, one by one, at most twelve times, stops while throttled, and keeps what it has', async ({
  page,
}) => {
  let isThrottled = true
  const asks = await estimatesOf(page, (_, no) => {
    if (no === 1) return null
    return no === 6 && isThrottled ? THROTTLED : people(1_000_000 * no)
  })
  await page.clock.install()
  await opened(page, VIDEO, WIDE)
  await expect.poll(() => asks.length).toBe(1)
  await stopClock(page)
  await page.clock.runFor(20_000)
  expect(asks).toHaveLength(1)

  const reach = reachOf(page)
  await asks[0]?.answer(people(500_000))
  await asksOf(page, asks).toBe(6)
  await reachSays(page, '500,000')
  await page.clock.runFor(20_000)
  expect(asks).toHaveLength(6)
  await expect(reach.getByRole('listitem')).toHaveCount(0)

  isThrottled = false
  await page.clock.runFor(11_000)
  await asksOf(page, asks).toBe(14)
  await reachSays(page, '各项收窄了多少')
  await expect(reach.getByRole('listitem')).toHaveCount(12)
  // The throttled one alone was asked twice.
  const bodies = asks.map(({ targeting }) => JSON.stringify(targeting))
  expect(new Set(bodies).size).toBe(13)
  expect(bodies[6]).toBe(bodies[5])
  await expect(reach.getByRole('listitem').first()).toContainText('年龄')
  await expect(reach.getByRole('listitem').filter({ hasText: /职业状态|首次激活时间|抖音达人/ })).toHaveCount(0)

  // The same choices in another order are the same question.
  await page.getByRole('tab', { name: '设备定向' }).click()
  await field(page, '网络').getByRole('checkbox', { name: 'Wi-Fi' }).uncheck()
  await field(page, '网络').getByRole('checkbox', { name: 'Wi-Fi' }).check()
  await page.clock.runFor(2500)
  await expect(reach.getByRole('listitem')).toHaveCount(12)
  await expect(reach).toContainText('平台预估')
  expect(asks).toHaveLength(14)
})

test('while the estimate itself is throttled, no chart is asked for', async ({ page }) => {
  const asks = await estimatesOf(page, () => THROTTLED)
  await page.clock.install()
  await opened(page, VIDEO, { age: ['AGE_BETWEEN_18_23'], gender: ['GENDER_FEMALE'] })
  await expect(reachOf(page)).toContainText('平台限流')
  await stopClock(page)
  const before = asks.length
  await page.clock.runFor(20_000)
  expect(asks.length - before).toBeLessThanOrEqual(1)
  for (const { targeting } of asks) expect(targeting).toMatchObject({ gender: ['GENDER_FEMALE'], age: [/./] })
})

test('the estimate and the chart are asked anew when the goals change, and older answers are not shown', async ({
  page,
}) => {
  const advertiser_id = accounts[COMMERCE]
  const live = (aweme_id: string) => ({
    ...{ external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id },
  })
  await api(page, 'put', GOALS, { advertiser_id, LIVE: live('11'), VIDEO: null })
  let isHeld = false
  const asks = await estimatesOf(page, () => (isHeld ? null : people(asksBefore() === 1 ? 111_000 : 999_000)))
  const asksBefore = () => asks.length
  await opened(page, COMMERCE, { age: ['AGE_BETWEEN_18_23'], gender: ['GENDER_FEMALE'] })
  const reach = reachOf(page)
  await expect(reach).toContainText('111,000')
  await expect(reach.getByRole('listitem')).toHaveCount(2)
  expect(asks).toHaveLength(3)

  isHeld = true
  await reach.getByRole('button', { name: '预估目标' }).click()
  const dialog = page.getByRole('dialog', { name: '直播的预估目标' })
  await expect(dialog.getByLabel('抖音号 ID')).toHaveValue('11')
  await dialog.getByLabel('抖音号 ID').fill('22')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => asks.length).toBe(4)
  await expect(reach).toContainText('暂无')
  await expect(reach).not.toContainText('111,000')
  await expect(reach.getByRole('listitem')).toHaveCount(0)

  isHeld = false
  await asks[3]?.answer(people(222_000))
  await expect(reach).toContainText('222,000')
  await expect(reach.getByRole('listitem')).toHaveCount(2)
  expect(asks).toHaveLength(6)
  await expect(reach.getByRole('listitem').first()).toContainText('77.7万')
})

test('the chart names what smart expansion opens, and the preview what the platform withdrew', async ({ page }) => {
  const asks = await estimatesOf(page, () => people(1_000_000 + 500_000 * asksBefore()))
  const asksBefore = () => asks.length
  await opened(page, VIDEO, {
    ...{ age: ['AGE_BETWEEN_18_23'], gender: ['GENDER_FEMALE'], career_by: ['CUSTOM'], career: ['IT'] },
    ...{ auto_extend_enabled: 1, auto_extend_targets: ['AGE'] },
  })
  const reach = reachOf(page)
  await expect(reach).toContainText('智能放量已开放年龄：投放时可能触达所选范围以外的人，平台的预估不计这部分')
  await expect(reach.getByRole('listitem')).toHaveText([/^年龄\s*可放量/, /^性别(?!.*可放量)/])
  await expect(reach).toContainText('每项让覆盖减少的人数：其他各项不变，不限该项时会多出这么多')
  await expect(reach).toContainText('标「可放量」的项投放时可能收窄得更少，不限时也不再对它放量')
  const [, ageless, genderless] = asks.map(({ targeting }) => targeting)
  expect(ageless).toMatchObject({ auto_extend_enabled: 0, gender: ['GENDER_FEMALE'] })
  expect(ageless).not.toHaveProperty('auto_extend_targets')
  expect(genderless).toMatchObject({ auto_extend_enabled: 1, auto_extend_targets: ['AGE'] })

  const preview = page.getByRole('complementary', { name: '预览' })
  await expect(preview.getByText('平台已停用职业状态，不会发送给平台')).toBeVisible()
  await expect(preview.getByText('平台已停用，不会发送')).toHaveCount(1)
})

test('regions beyond what one question holds are folded into provinces, or the reach says 选择过多', async ({
  page,
}) => {
  const advertiser_id = accounts[VIDEO]
  interface Node {
    value: string
    children: Node[]
  }
  const { REGION } = await api<{ REGION: Node[] }>(page, 'post', `${PACKAGES}/tags`, { advertiser_id, type: 'REGION' })
  const leaves = (node: Node): string[] => (node.children.length === 0 ? [node.value] : node.children.flatMap(leaves))
  const every = REGION.flatMap(leaves)
  const at = (regions: string[]) => ({
    ...{ district: ['COUNTY'], regions: { regions, regionsPlan: [] }, location_types: ['ALL'] },
  })
  await opened(page, VIDEO, at(every))
  await expect(reachOf(page)).toContainText(/[\d,]{9,}\s*人/)
  await opened(page, VIDEO, at(every.filter((_, no) => no % 2 === 0)))
  await expect(reachOf(page)).toContainText('选择过多，平台无法预估，请减少选择')
  await expect(reachOf(page)).toContainText('暂无')
})

test('the preview warns of more than the social platform takes at once, and what commerce lacks for an estimate', async ({
  page,
}) => {
  const ids = (count: number) => Array.from({ length: count }, (_, no) => String(110_000 + no))
  await opened(page, SOCIAL, {
    ...{ geo_location: 'REGIONS', regions: ids(401), location_types: ['LIVE_IN'] },
    ...{ custom_audience: ids(201), interest: 'CUSTOM', interest_categories: ids(251).map((id) => ({ id })) },
  })
  const preview = page.getByRole('complementary', { name: '预览' })
  const tooMany = (what: string) => preview.getByRole('alert').filter({ hasText: what })
  await expect(tooMany('地域共 401 项，平台一次最多接受 400 项')).toBeVisible()
  await expect(tooMany('定向人群、排除人群共 201 项，平台一次最多接受 200 项')).toBeVisible()
  await expect(tooMany('兴趣类目共 251 项，平台一次最多接受 250 项')).toBeVisible()

  await api(page, 'put', GOALS, { advertiser_id: accounts[COMMERCE], LIVE: null, VIDEO: null })
  await opened(page, COMMERCE, { gender: ['GENDER_FEMALE'] })
  await expect(reachOf(page)).toContainText('暂无')
  await expect(reachOf(page)).toContainText('预估前请先设置转化目标、抖音号 ID')
})

test('what the platform cannot estimate is said, and which choice it is', async ({ page }) => {
  const live = { external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id: '11' }
  await api(page, 'put', GOALS, { advertiser_id: accounts[COMMERCE], LIVE: live, VIDEO: null })
  await opened(page, COMMERCE, { new_customer: 'NO_BUY_DOUYIN' })
  const reach = reachOf(page)
  await expect(reach.getByRole('alert')).toContainText('暂不支持人群预估')
  await expect(reach.getByRole('alert')).toContainText('新客')
  await expect(reach).toContainText('暂无')
  await expect(reach).not.toContainText('正在预估')
})
