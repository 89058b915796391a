import { COMMERCE } from '../server/testing/platforms.ts'
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

test('a linked plan is switched on its platform, told when it is stopped there, and paused before a deletion', async ({
  page,
  admin,
}) => {
  test.slow()
  const { id: adv_id } = await anAdvertiser(admin, '同步品牌')
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number; external_id: string }[] }>(admin, 'get', path)
  const account = data[0] ?? { id: 0, external_id: '' }
  const { id: package_id } = await api<{ id: number }>(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '女性', dir_id: 1, advertiser_id: account.id, targeting: { landing_type: 'LIVE' } },
  })
  const { control } = await sandboxOf(admin)
  const { id: plan_id } = await control<{ id: string }>('plans', {
    ...{ platform: 'commerce', account_id: account.external_id, name: '直播间', is_on: false, budget: 50_000 },
  })
  const there = async () =>
    (await control<{ id: string; is_on: number; budget: number }[]>('plans')).find((one) => one.id === plan_id)
  await api(admin, 'post', '/api/campaign', {
    ...{ advertiser_id: adv_id, name: '双十一', submit: true },
    plans: [
      {
        ...{ name: '拉新', platform: COMMERCE, account_id: account.id, package_id, plan_id },
        ...{ budget_mode: 'day', budget: 50_000, start_date: '2026-01-01' },
      },
    ],
  })

  await selectAdvertiser(page, adv_id)
  await page.goto('/campaign-manage/list')
  await page.getByRole('switch', { name: '活动「双十一」的开关' }).click()
  await expect(page.getByText('修改活动状态成功')).toBeVisible()
  expect(await there()).toMatchObject({ is_on: 1, budget: 50_000 })

  // Its budget follows.
  await row(page, '双十一').getByRole('link', { name: '编辑' }).click()
  await page.getByLabel('预算', { exact: true }).fill('800')
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await expect.poll(there).toMatchObject({ budget: 80_000 })

  // A person stops it on the platform's page.
  const { sandbox_page } = await api<{ sandbox_page: string }>(admin, 'get', '/api/oauth/platforms')
  await page.goto(sandbox_page)
  await page.locator(`[data-plan="${plan_id}"]`).click()
  // The page loads anew once it is stopped.
  await expect(page.locator(`[data-plan="${plan_id}"][data-on="0"]`)).toBeVisible()
  await expect.poll(there).toMatchObject({ is_on: 0 })

  /** What the list says of the plan, read anew. */
  const planText = async () => {
    await page.goto('/campaign-manage/list')
    await row(page, '双十一').getByRole('button', { name: '展开行' }).click()
    return row(page, '拉新').textContent()
  }
  // The server of the journeys reads the platforms again sooner.
  const patience = { timeout: 60_000, intervals: [1000] }
  await expect.poll(planText, patience).toContain('在平台上已被暂停')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/plans-there-1280.png' })

  // Switched off here while the platform is away: the list follows by itself.
  await control('plans/set', { platform: 'commerce', id: plan_id, is_on: true })
  await control('faults', {
    ...{ platform: 'video', path: 'qianchuan/ad', account_id: account.external_id },
    ...{ kind: 'error', status: 503, times: 500 },
  })
  await page.getByRole('switch', { name: '活动「双十一」的开关' }).click()
  await expect(page.getByText('同步中：平台还没有答复')).toBeVisible({ timeout: 20_000 })
  await control('faults/forget', {})
  await expect(page.getByText('修改活动状态成功：「双十一」')).toBeVisible({ timeout: 60_000 })
  expect(await there()).toMatchObject({ is_on: 0 })

  // Started there while its activity is off: it is stopped from the list.
  await control('plans/set', { platform: 'commerce', id: plan_id, is_on: true })
  await expect.poll(planText, patience).toContain('在平台上仍是开启的')
  await row(page, '拉新')
    .getByRole('button', { name: /暂\s?停/ })
    .click()
  await expect(page.getByText('修改计划状态成功')).toBeVisible()
  expect(await there()).toMatchObject({ is_on: 0 })

  await control('plans/set', { platform: 'commerce', id: plan_id, is_on: true })
  await row(page, '双十一').getByRole('button', { name: '「双十一」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const question = page.getByRole('dialog', { name: '删除活动「双十一」？' })
  await expect(question).toContainText('删除时系统会先在平台上暂停')
  await question.getByRole('button', { name: /删\s?除/ }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  expect(await there()).toMatchObject({ is_on: 0 })
})
