import { createHash } from 'node:crypto'
import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser } from './crowds.ts'
import { authorise, chooseSeveral } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const PEOPLE = Array.from({ length: 600 }, (_, no) => no)
const CROWD = '双11会员'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

let adv_id = 0
let account = { id: 0, name: '' }
test.beforeAll(async ({ admin }) => {
  const advertiser = await anAdvertiser(admin, '对照品牌')
  adv_id = advertiser.id
  const rows = PEOPLE.map((no) => `u${no},${md5(String(13_800_000_000 + no))}`)
  const mapping = { kind: 'users', id: '用户', identifiers: [{ column: '手机', type: 'HASH_MOBILE_PHONE' }], skip: [] }
  await importFile(admin, 'users.csv', ['用户,手机', ...rows].join('\n'), adv_id, mapping)
  await authorise(admin, { adv_id, platform: SOCIAL, accounts: /./ })
  const { data } = await api<{ data: (typeof account)[] }>(
    admin,
    'get',
    `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${adv_id}`,
  )
  account = data[0] ?? account
  await aCrowd(admin, { name: CROWD, adv_id, uses: { id: advertiser.everyone, tag_type: 1 } })
})

const events = (page: Page, people: readonly number[]) =>
  importFile(
    page,
    'events.csv',
    ['用户,事件,时间', ...people.map((no) => `u${no},付款,${new Date().toISOString()}`)].join('\n'),
    adv_id,
    { kind: 'events', id: '用户', event: '事件', time: '时间', skip: [] },
  )

test('a control group is set where a crowd is pushed, held out, compared in the day report and drawn anew', async ({
  page,
  browser,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets?dir_id=1')
  await crowdRow(page, CROWD).getByRole('button', { name: '推送至' }).click()
  const dialog = page.getByRole('dialog', { name: `推送「${CROWD}」` })
  await chooseSeveral(page, dialog, '平台', ['腾讯广告'])
  await chooseSeveral(page, dialog, '投放账户', [account.name])
  await dialog.getByLabel('标识类型').fill('手机号-MD5')
  await page.locator('.ant-select-item-option').filter({ hasText: '手机号-MD5' }).click()
  await dialog.getByText(`推送「${CROWD}」`).click()
  await expect(dialog.getByText('没有设置，发送给全部的人')).toBeVisible()
  await dialog.getByRole('button', { name: '设置对照组' }).click()
  const setting = page.getByRole('dialog', { name: `「${CROWD}」的对照组` })
  await setting.getByRole('checkbox').check()
  await setting.getByLabel('留出的比例').fill('60')
  await setting.getByRole('button', { name: '确定' }).click()
  // The field takes no more than the most.
  await expect(page.getByText('已设置对照组 50%，从下次推送起生效')).toBeVisible()
  await dialog.getByRole('button', { name: '修改对照组' }).click()
  await setting.getByLabel('留出的比例').fill('20')
  await expectAccessible(page)
  await setting.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('留出 20% 的人不发送')).toBeVisible()
  const check = dialog.getByRole('region', { name: '推送前检查' }).getByRole('row').filter({ hasText: '手机号-MD5' })
  await expect(check.getByRole('cell').nth(1)).toHaveText('600')
  await expect(check.getByRole('cell').nth(5)).toHaveText(/^1\d\d$|^[89]\d$/)
  const held = Number(await check.getByRole('cell').nth(5).textContent())
  await expect(check.getByRole('cell').nth(2)).toHaveText(String(600 - held))
  await dialog.getByRole('button', { name: '推送', exact: true }).click()

  const drawer = page.getByRole('dialog', { name: '的平台人群' })
  const audience = drawer.getByRole('table', { name: '平台人群' }).getByRole('row').filter({ hasText: account.name })
  await expect(audience).toContainText('可用', { timeout: 60_000 })
  const record = drawer.getByRole('table', { name: '推送记录' }).getByRole('row').filter({ hasText: account.name })
  await expect(record).toContainText(`对照组 ${held}`)
  await drawer.getByRole('button', { name: '关闭' }).click()
  await expect(crowdRow(page, CROWD)).toContainText('对照组 20%')

  const { list } = await api<{ list: { id: number }[] }>(
    page,
    'get',
    `/api/campaign/plan/crowd_list?account_id=${account.id}`,
  )
  const { id: activity } = await api<{ id: number }>(page, 'post', '/api/campaign', {
    ...{ advertiser_id: adv_id, name: '双11', submit: true },
    plans: [
      {
        ...{ name: '计划', platform: SOCIAL, account_id: account.id, budget_mode: 'day', budget: 50_000 },
        ...{ start_date: '2026-01-01', crowds: [{ id: list[0]?.id, role: 'include' }] },
      },
    ],
  })
  await page.goto(`/campaign-manage/day-report?campaign_id=${activity}`)
  const panel = page.getByRole('region', { name: '对照组', exact: true })
  await expect(panel.getByText('还没有事件代表「支付」')).toBeVisible()
  // Everybody pays, so the groups do not differ, whoever was drawn.
  await events(page, PEOPLE)
  const meaning = { standard: 'pay', amount: null, goods: null }
  await api(page, 'put', '/api/tag/event', { adv_id, name: '付款', meaning })
  await page.reload()
  const table = panel.getByRole('table', { name: `「${CROWD}」两组的转化` })
  await expect(table.getByRole('row').nth(1)).toContainText(String(600 - held))
  await expect(table.getByRole('row').nth(2)).toContainText(String(held))
  await expect(panel.getByText('可能只是偶然')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: '分享' }).click()
  const sharing = page.getByRole('dialog', { name: '分享分日数据' })
  await sharing.getByRole('button', { name: '建立链接' }).click()
  const url = await sharing.getByLabel('链接地址', { exact: true }).inputValue()
  await sharing.getByRole('button', { name: '关闭' }).first().click()
  const stranger = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await stranger.goto(url)
  const shared = stranger.getByRole('table', { name: `「${CROWD}」两组的转化` })
  await expect(shared.getByRole('row').nth(1)).toContainText(String(600 - held))
  await expect(shared.getByRole('row').nth(2)).toContainText(String(held))
  await expectAccessible(stranger)
  await stranger.screenshot({ path: 'test-results/shared-control-1280.png', fullPage: true })
  await stranger.context().close()

  await panel.getByLabel('对比的转化').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '留资' }).click()
  await expect(panel.getByText('还没有事件代表「留资」')).toBeVisible()

  await page.goto('/cowd-manage/cowd-assets?dir_id=1')
  await crowdRow(page, CROWD)
    .getByRole('button', { name: `「${CROWD}」的更多操作` })
    .click()
  await page.getByRole('menuitem', { name: '对照组' }).click()
  await expect(setting.getByText(/20% 的对照组自 .* 用于推送，不再变动/)).toBeVisible()
  await setting.getByLabel('留出的比例').fill('30')
  await expect(setting.getByText('改变或取消会重新随机分组')).toBeVisible()
  await expectAccessible(page)
  await setting.getByRole('button', { name: '重新分组' }).click()
  await expect(page.getByText('已设置对照组 30%，从下次推送起生效')).toBeVisible()
  await page.goto(`/campaign-manage/day-report?campaign_id=${activity}`)
  await expect(panel.getByText('对照组还没有用于推送')).toBeVisible()
})
