import { COMMERCE } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { test as base, expect, type Locator, type Page, SERVER_FIXTURE, withServer } from './test.ts'

export const LIST = '/campaign-manage/list'
/** March 2026 in the server's zone. */
export const MARCH = [Date.UTC(2026, 1, 28, 16) / 1000, Date.UTC(2026, 2, 31, 16) / 1000 - 1].join(',')

interface Account {
  id: number
  name: string
  external_id: string
}

/** An advertiser with an account, a package and what the platform reported in March. */
async function aBrand(admin: Page) {
  const adv_id = (await anAdvertiser(admin, '投放品牌')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const [account] = (await api<{ data: Account[] }>(admin, 'get', path)).data
  if (!account) throw new Error('no account is authorised')
  const { id: package_id } = await api<{ id: number }>(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '高消费女性', dir_id: 1, advertiser_id: account.id },
    targeting: { landing_type: 'LIVE' },
  })
  await reports(admin, adv_id, account)
  return {
    adv_id,
    account,
    plan: (name: string, given: object = {}) => ({
      ...{ name, platform: COMMERCE, account_id: account.id, package_id, budget_mode: 'day', budget: 50_000 },
      ...{ start_date: '2026-01-01' },
      ...given,
    }),
    async anActivity(page: Page, name: string, plans: object[], more: object = {}) {
      const body = { advertiser_id: adv_id, name, plans, submit: true, ...more }
      return (await api<{ id: number }>(page, 'post', '/api/campaign', body)).id
    },
    async open(page: Page, path: string) {
      await selectAdvertiser(page, adv_id)
      await page.goto(path)
    },
  }
}

/** What the platform reported in March, as a file. */
async function reports(page: Page, adv_id: number, account: Account) {
  const days = Array.from({ length: 10 }, (_, no) => `2026-03-${String(no + 1).padStart(2, '0')}`)
  const rows = days.flatMap((day, no) => [
    `${day},c,701,${account.external_id},${(123.45 + no * 10).toFixed(2)},${10_000 + no * 500},${200 + no}`,
    `${day},c,702,${account.external_id},${(50 + no).toFixed(2)},${4000},${40}`,
    `${day},c,705,${account.external_id},10.00,100,1`,
  ])
  const mapping = {
    ...{ kind: 'reports', date: '日期', campaign: '活动', plan: '计划', account: '账户' },
    metrics: [
      { column: '消耗', metric: 'cost' },
      { column: '曝光', metric: 'imp_pv' },
      { column: '点击', metric: 'click_pv' },
    ],
  }
  const file = ['日期,活动,计划,账户,消耗,曝光,点击', ...rows].join('\n')
  await importFile(page, '报表.csv', file, adv_id, mapping)
}

/** A file's server, sandbox and brand of its own: its authorisations and activities affect no other journey. */
export const activityTest = () =>
  base.extend<object, { brand: Awaited<ReturnType<typeof aBrand>> }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
    brand: [async ({ admin }, use) => use(await aBrand(admin)), SERVER_FIXTURE],
    viewport: { width: 1280, height: 800 },
  })

export const row = (page: Page, name: string) =>
  page.locator('.ant-table-row').filter({ has: page.getByText(name, { exact: true }) })
/** A field of a form with what is said of it. */
export const field = (page: Page, label: string) =>
  page.locator('.ant-form-item').filter({ has: page.locator('.ant-form-item-label').getByText(label, { exact: true }) })

/** Looks at the page by night, on a laptop and on a large screen. `shown`: what stands there once it is loaded. */
export async function lookAtNight(page: Page, name: string, shown: Locator) {
  const choose = async (theme: 'light' | 'dark') => {
    await page.evaluate((chosen) => localStorage.setItem('theme', JSON.stringify(chosen)), theme)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(shown).toBeVisible()
  }
  await choose('dark')
  await expectAccessible(page)
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `test-results/${name}-dark-${width}.png` })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await choose('light')
}

export async function placeOf(of: Locator) {
  const box = await of.boundingBox()
  if (!box) throw new Error('it is not drawn')
  return box
}
