import { COMMERCE, SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { beginPlan } from './package-list.ts'
import { makeSocialCrowds } from './platform-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const CALLS = '/api/v1/gdtcrowd/custom/targetings'
/** Packages that open every kind of choice: boxes, radios, days, sliders and lists of crowds. */
const PACKAGES = {
  [SOCIAL]: {
    age: [{ min: 18, max: 30 }],
    education: ['BACHELOR'],
    conversion_behavior_list: ['OPTIMIZATIONGOAL_FOLLOW'],
  },
  [VIDEO]: { landing_type: 'APP_ANDROID', gender: ['GENDER_MALE'], ac: ['WIFI'] },
  [COMMERCE]: { landing_type: 'LIVE', gender: ['GENDER_MALE'] },
} as const
type Platform = keyof typeof PACKAGES

let adv_id = 0
const accounts = new Map<Platform, { id: number; external_id: string }>()
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '查看品牌')).id
  for (const platform of [SOCIAL, VIDEO, COMMERCE] as const) {
    await authorise(admin, { adv_id, platform, accounts: /./ })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { id: number; external_id: string }[] }>(admin, 'get', path)
    if (data[0]) accounts.set(platform, data[0])
  }
  await makeSocialCrowds(await sandboxOf(admin), accounts.get(SOCIAL)?.external_id ?? '', ['老客', '新客'])
})

const add = async (page: Page, platform: Platform, targeting_name: string, more: object = {}) => {
  const body = { targeting_name, dir_id: 1, advertiser_id: accounts.get(platform)?.id }
  const targeting = { ...PACKAGES[platform], ...more }
  return (await api<{ id: number }>(page, 'post', `${CALLS}/add`, { ...body, targeting })).id
}
const addressOf = (platform: Platform, id: number) =>
  platform === SOCIAL ? `/cowd-manage/cowd-assets/gdt-cowd/edit/${id}` : `/cowd-manage/assets/crowd/${platform}/${id}`

/** Every input of the form and of each tab is disabled; the way back stands alone in the footer. */
async function expectNothingToChange(page: Page): Promise<void> {
  const enabled = (within: ReturnType<Page['locator']>) =>
    within.locator('input:enabled, textarea:enabled, [role=slider]:not([aria-disabled=true])')
  await expect(page.getByLabel('名称')).toBeDisabled()
  await expect(enabled(page.getByRole('region', { name: '基本信息' }))).toHaveCount(0)
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    const panel = page.getByRole('tabpanel')
    await expect(panel.locator('input').first()).toBeAttached()
    await expect(panel.locator('.ant-skeleton')).toHaveCount(0)
    expect(await enabled(panel).evaluateAll((all) => all.map((one) => one.outerHTML))).toEqual([])
  }
  await expect(page.locator('footer').getByRole('button')).toHaveText(['返回'])
}

test('a member who may only look opens packages of every platform, and can change nothing in them', async ({
  admin,
  openAs,
}) => {
  const looker = await openAs(await aViewer(admin, 'looker', [adv_id], { read_only_adv_ids: [adv_id] }))
  const { list } = await api<{ list: { retargeting_tags_id?: string; id?: string }[] }>(
    admin,
    'get',
    `${CALLS}/dmp?advertiser_id=${accounts.get(SOCIAL)?.id}&page=1&page_size=10`,
  )
  const crowd = list[0]?.retargeting_tags_id
  expect(crowd).toBeDefined()
  const chosen = { [SOCIAL]: { custom_audience: [crowd] }, [VIDEO]: {}, [COMMERCE]: {} }
  for (const platform of [SOCIAL, VIDEO, COMMERCE] as const) {
    const id = await add(admin, platform, `只看的包${platform}`, chosen[platform])
    await looker.goto(addressOf(platform, id))
    await expect(looker.getByRole('heading', { level: 1, name: /^查看/ })).toBeVisible()
    await expectNothingToChange(looker)
  }
})

test('a package of 腾讯广告 that a live plan uses opens to be looked at, and says what to do', async ({
  page,
  admin,
  server,
}) => {
  await selectAdvertiser(page, adv_id)
  const id = await add(admin, SOCIAL, '投放中的包')
  const endPlan = await beginPlan(server, id, '朋友圈上新')
  await page.goto(addressOf(SOCIAL, id))
  await expect(
    page.getByText('定向包 投放中的包 正在被计划使用中，平台不允许修改；请先关闭计划，或复制后修改：朋友圈上新'),
  ).toBeVisible()
  await expectNothingToChange(page)
  await endPlan()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^编辑/ })).toBeVisible()
  await expect(page.getByLabel('名称')).toBeEnabled()
})

test('what the server refuses of a package is told in its tab', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  for (const [platform, wrong, tab, words] of [
    [SOCIAL, { education: ['NO_SUCH'] }, '人口学属性', '人口学属性未填写完整'],
    [COMMERCE, { gender: ['NO_SUCH'] }, '人口学属性', '请检查人口学属性'],
  ] as const) {
    const id = await add(admin, platform, `被拒绝的包${platform}`)
    await page.goto(addressOf(platform, id))
    await page.getByRole('tab').last().click()
    // The page itself lets nobody choose what is no choice.
    await page.route(`**${CALLS}/update*`, (route) => {
      const body = route.request().postDataJSON() as { targeting: object }
      return route.continue({ postData: JSON.stringify({ ...body, targeting: { ...body.targeting, ...wrong } }) })
    })
    await page.getByRole('button', { name: '确定' }).click()
    await expect(page.locator('.ant-message-notice').getByText(words, { exact: true })).toBeVisible()
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel').getByText('targeting')).toBeVisible()
    await page.unrouteAll()
  }
})
