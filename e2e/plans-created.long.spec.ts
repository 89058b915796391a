import { REAL_NAME_TOKEN } from '../sandbox/social/access.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})
test.use({ viewport: { width: 1280, height: 800 } })

const row = (page: Page, name: string) =>
  page.locator('.ant-table-row').filter({ has: page.getByText(name, { exact: true }) })
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click()
}

/** A plan as a person fills it in, up to what its platform asks for. */
async function fill(page: Page, given: { platform: string; name: string; account: string; budget: string }) {
  await page.getByText(given.platform, { exact: true }).click()
  await page.getByLabel('计划名称').fill(given.name)
  await choose(page, '投放账户', given.account)
  await choose(page, '定向包', '女性')
  await page.getByLabel('预算', { exact: true }).fill(given.budget)
  await page.getByText('在平台新建', { exact: true }).last().click()
}

test('a plan is created on each platform; what one refuses is said and tried again', async ({ page, admin }) => {
  test.slow()
  const { id: adv_id } = await anAdvertiser(admin, '新建品牌')
  const accounts: Record<number, { id: number; name: string; external_id: string }> = {}
  for (const [platform, allowed, targeting] of [
    [SOCIAL, /9007199254750003/, { gender: ['FEMALE'] }],
    [VIDEO, /9107199254750003/, { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] }],
    [COMMERCE, /./, { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] }],
  ] as const) {
    await authorise(admin, { adv_id, platform, accounts: allowed })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: (typeof accounts)[number][] }>(admin, 'get', path)
    const [account] = data
    if (!account) throw new Error('no account')
    accounts[platform] = account
    await api(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
      ...{ targeting_name: '女性', dir_id: 1, advertiser_id: account.id, targeting },
    })
  }
  const nameOf = (platform: number) => accounts[platform]?.name ?? ''
  const { control } = await sandboxOf(admin)
  await control('switches', { video_projects: 0 })
  const there = async () =>
    (await control<{ platform: string; name: string; is_on: number; budget: number }[]>('plans')).map(
      ({ platform, name, is_on, budget }) => [platform, name.replace(/_[0-9a-f]{8}$/, ''), is_on, budget],
    )

  await selectAdvertiser(page, adv_id)
  await page.goto('/campaign-manage/work-bench')
  await page.getByLabel('活动名称').fill('三平台新建')
  const add = () => page.getByRole('button', { name: '添加计划' }).first().click()

  await add()
  await fill(page, { platform: '腾讯广告', name: '线索', account: nameOf(SOCIAL), budget: '500' })
  await page.getByLabel('操作人的实名令牌').fill(REAL_NAME_TOKEN)
  await page.getByRole('button', { name: '保存令牌' }).click()
  await expect(page.getByText('已保存实名令牌')).toBeVisible()
  await page.getByLabel('推广产品 ID').fill('7701')
  await page.getByLabel('出价', { exact: true }).fill('30')
  await page.screenshot({ path: 'test-results/plan-creation-1280.png', fullPage: true })
  await expectAccessible(page)

  await add()
  await fill(page, { platform: '巨量引擎', name: '表单', account: nameOf(VIDEO), budget: '600' })
  await choose(page, '转化目标', '表单提交')

  await add()
  await fill(page, { platform: '巨量千川', name: '直播间', account: nameOf(COMMERCE), budget: '700' })
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: '请填写抖音号 ID' })).toBeVisible()
  await page.getByLabel('抖音号 ID').fill('5501')
  await page.getByLabel('出价', { exact: true }).fill('20.5')
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.getByText('提交成功')).toBeVisible()

  // The list follows what happens on the platforms.
  await row(page, '三平台新建').getByRole('button', { name: '展开行' }).click()
  await expect(row(page, '线索')).toContainText(/平台计划 \d+/)
  await expect(row(page, '直播间')).toContainText(/平台计划 \d+/)
  const refused = row(page, '表单')
  await expect(refused).toContainText('创建失败：项目数量已达上限')
  await page.screenshot({ path: 'test-results/plans-created-1280.png' })
  await expectAccessible(page)

  await control('switches', { video_projects: 200 })
  await refused.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('正在平台新建「表单」')).toBeVisible()
  await expect(refused).toContainText(/平台计划 \d+/)
  expect((await there()).toSorted()).toEqual([
    ['commerce', '直播间', 0, 70_000],
    ['social', '线索', 0, 50_000],
    ['video', '表单', 0, 60_000],
  ])

  await page.getByRole('switch', { name: '活动「三平台新建」的开关' }).click()
  await expect(page.getByText('修改活动状态成功')).toBeVisible()
  expect((await there()).map(([, , is_on]) => is_on)).toEqual([1, 1, 1])

  // What is fixed there cannot be changed here; its name can.
  await row(page, '三平台新建').getByRole('link', { name: '编辑' }).click()
  await expect(page.getByText('已在平台新建：下面置灰的设置不能再修改，其他的仍可修改。')).toBeVisible()
  await expect(page.getByLabel('推广产品 ID')).toBeDisabled()
  await page.getByLabel('计划名称').fill('线索二')
  await page
    .getByRole('button', { name: /保\s?存/, exact: false })
    .last()
    .click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect.poll(async () => (await there()).map(([, name]) => name)).toContain('线索二')

  // Renamed on the platform's pages, it is told, and a person decides which name it has.
  const rename = async (name: string) => {
    const found = (await control<{ platform: string; id: string }[]>('plans')).find((one) => one.platform === 'social')
    await control('plans/set', { platform: 'social', id: found?.id, name })
    await expect
      .poll(
        async () => {
          await page.goto('/campaign-manage/list')
          await row(page, '三平台新建').getByRole('button', { name: '展开行' }).click()
          return page.locator('.ant-table-tbody').textContent()
        },
        { timeout: 60_000, intervals: [1000] },
      )
      .toContain(`平台上的名称已改为「${name}」`)
    await row(page, '三平台新建').getByRole('link', { name: '编辑' }).click()
    await expect(page.getByText(`平台上的名称已改为「${name}」`)).toBeVisible()
  }
  await rename('平台改名')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/plan-renamed-1280.png', fullPage: true })
  await page.getByRole('button', { name: '采用平台' }).click()
  await expect(page.getByText('已采用平台上的名称与日期')).toBeVisible()
  await expect(page.getByLabel('计划名称')).toHaveValue('平台改名')
  await expect(page.getByRole('button', { name: '采用平台' })).toHaveCount(0)
  await rename('又改名')
  await page.getByRole('button', { name: '覆盖平台' }).click()
  await expect.poll(async () => (await there()).map(([, name]) => name)).toContain('平台改名')
  await expect(page.getByText('平台上的名称已改为')).toHaveCount(0)
})
