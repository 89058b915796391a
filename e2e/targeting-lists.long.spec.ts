import { sizeWords } from '../contract/size-words.ts'
import type { PackageCode } from '../contract/targeting/package-codes.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { beginPlan, movePackages, packageRow } from './package-list.ts'
import { inRecords } from './records.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const CALLS = '/api/v1/gdtcrowd/custom/targetings'
const TABS: readonly { tab: number; platform: PackageCode; name: string; cut: number; targeting: object }[] = [
  // 20 bytes are six Chinese characters.
  { tab: 2, platform: SOCIAL, name: '腾讯广告', cut: 6, targeting: { gender: ['MALE'] } },
  { tab: 3, platform: VIDEO, name: '巨量引擎', cut: 20, targeting: { landing_type: 'EXTERNAL' } },
  { tab: 4, platform: COMMERCE, name: '巨量千川', cut: 20, targeting: { landing_type: 'LIVE' } },
]
const LONG = '高消费女性老客户再次购买人群包二零二六年版'
/** Sizes at saving with their words; null was never estimated. */
const SIZES: readonly (readonly [string, number | null, string])[] = [
  ['没有预估', null, '暂无'],
  ['很小', 999, '小于1000'],
  ['一千', 1000, sizeWords(1000)],
  ['几万', 12_345, '1.23万'],
  ['几亿', 123_456_789, '1.23亿'],
]

let adv_id = 0
const accounts = new Map<PackageCode, { id: number; name: string }>()
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '列表品牌')).id
  for (const { platform } of TABS) {
    await authorise(admin, { adv_id, platform, accounts: /./ })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { id: number; name: string }[] }>(admin, 'get', path)
    if (data[0]) accounts.set(platform, data[0])
  }
})

const accountOf = (platform: PackageCode) => accounts.get(platform) ?? { id: 0, name: '' }
const add = (page: Page, { platform, targeting }: (typeof TABS)[number], targeting_name: string) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name, dir_id: 1, targeting },
    advertiser_id: accountOf(platform).id,
  })
const statusesOf = async (page: Page, platform: PackageCode) =>
  (await api<{ options: { status: Record<string, string> } }>(page, 'post', `${CALLS}/list`, { platform })).options
    .status
const listOf = (tab: number) => `/cowd-manage/cowd-assets/${tab}?dir_id=0`
const bar = (page: Page) => page.getByRole('region', { name: '批量操作' })
async function choose(page: Page, names: readonly string[]) {
  for (const name of names) await packageRow(page, name).getByRole('checkbox').check()
}

for (const given of TABS) {
  const { tab, platform, name, cut } = given

  test(`the list of ${name}: columns, names, sizes and the filter of statuses`, async ({ page, admin, server }) => {
    await selectAdvertiser(page, adv_id)
    await add(admin, given, LONG)
    for (const [title, size] of SIZES) {
      const { id } = await add(admin, given, title)
      const at = 1_700_000_000
      // The answer of the platform, which may be on its way, is not kept then.
      const sized = 'UPDATE targeting_package SET is_estimating = false, user_count = $2, counted_at = $3 WHERE id = $1'
      await inRecords(server.dataDir, sized, id, size, size === null ? null : at)
    }
    await page.goto(listOf(tab))
    await expect(packageRow(page, '几亿')).toBeVisible()
    const headers = ['名称', '状态', '预估覆盖', '平台账户', '创建时间', '操作']
    for (const header of headers) await expect(page.getByRole('columnheader', { name: header })).toBeVisible()

    const shown = `${[...LONG].slice(0, cut).join('')}…`
    const cutName = packageRow(page, LONG).getByRole('button', { name: shown, exact: true })
    await cutName.hover()
    await expect(page.getByRole('tooltip').filter({ hasText: LONG })).toBeVisible()

    for (const [title, , words] of SIZES) {
      await expect(packageRow(page, title).getByText(words, { exact: true })).toBeVisible()
    }
    await packageRow(page, '几万').getByText('1.23万', { exact: true }).hover()
    const exact = page.getByRole('tooltip').filter({ hasText: '预估 12,345 人' })
    await expect(exact).toContainText('截至 2023-11-15')
    await expectAccessible(page)

    const statuses = await statusesOf(page, platform)
    await page.getByRole('search').getByRole('combobox', { name: '状态' }).click()
    const options = page.locator('.ant-select-item-option')
    await expect(options).toHaveCount(Object.keys(statuses).length)
    expect((await options.allTextContents()).toSorted()).toEqual(Object.values(statuses).toSorted())
    await options.filter({ hasText: '人群失效' }).click()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/status=-1/)
    await expect(page.getByText('没有符合条件的定向包')).toBeVisible()
    await page.getByRole('button', { name: '清除筛选' }).first().click()
    await expect(packageRow(page, '几亿')).toBeVisible()
    await page.getByRole('search').getByRole('textbox', { name: '名称' }).fill('几')
    await expect(packageRow(page, '很小')).toHaveCount(0)
    await expect(packageRow(page, '几万')).toBeVisible()
    await page.reload()
    await expect(packageRow(page, '几万')).toBeVisible()
    await expect(packageRow(page, '很小')).toHaveCount(0)
  })

  test(`of several packages of ${name} those in use stay, each with its reason`, async ({ page, admin, server }) => {
    await selectAdvertiser(page, adv_id)
    const [one, two] = [await add(admin, given, '投放一'), await add(admin, given, '投放二')]
    for (const free of ['空闲一', '空闲二']) await add(admin, given, free)
    const ends = [await beginPlan(server, one.id, '春季'), await beginPlan(server, two.id, '双11')]
    const reason = (title: string, plan: string) =>
      page.getByText(`定向包 ${title} 正在被计划使用中，请先解绑或关闭计划：${plan}`, { exact: true })

    await page.goto(listOf(tab))
    await choose(page, ['投放一', '空闲一', '投放二', '空闲二'])
    await bar(page).getByRole('button', { name: '删除' }).click()
    const question = page.getByRole('dialog', { name: '删除选中的 2 个定向包？' })
    await expect(question).toContainText('另外 2 个不能删除，会保留：')
    await expect(reason('投放一', '春季')).toBeVisible()
    await expect(reason('投放二', '双11')).toBeVisible()
    await expectAccessible(page)
    await question.getByRole('button', { name: '删除' }).click()
    await expect(page.getByText('删除成功')).toBeVisible()
    for (const free of ['空闲一', '空闲二']) await expect(packageRow(page, free)).toHaveCount(0)
    await expect(bar(page)).toContainText('已选 2 项')

    // Now only those in use are chosen.
    await bar(page).getByRole('button', { name: '删除' }).click()
    await expect(reason('投放一', '春季')).toBeVisible()
    await expect(reason('投放二', '双11')).toBeVisible()
    const refusal = page.getByRole('dialog', { name: '无法删除' })
    if (platform === SOCIAL) await refusal.getByRole('button', { name: '知道了' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    for (const end of ends) await end()
    await bar(page).getByRole('button', { name: '删除' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await expect(packageRow(page, '投放一')).toHaveCount(0)
    await expect(packageRow(page, '投放二')).toHaveCount(0)
  })
}

test('packages are moved alone and together', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const [, , commerce] = TABS
  if (!commerce) throw new Error('no tab')
  for (const name of ['先移动', '后移动']) await add(admin, commerce, name)
  await movePackages(page, listOf(commerce.tab), ['先移动', '后移动'])
})

test('a name that is taken is told before the editor opens', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const [, video] = TABS
  if (!video) throw new Error('no tab')
  await add(admin, video, '已有的名称')
  await page.goto(`${listOf(video.tab)}&new=1`)
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('定向包名称')
  await name.fill('已有的名称')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('combobox', { name: '平台账户' }).click()
  await page.locator('.ant-select-item-option', { hasText: accountOf(VIDEO).name }).click()
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(dialog.getByText('同级目录下不允许重名')).toBeVisible()
  await name.fill('没有的名称')
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量引擎定向包' })).toBeVisible()
})

test('of more accounts than a page the server finds the one that is meant', async ({ page, admin, server }) => {
  const { id: agency } = await anAdvertiser(admin, '代理商')
  const made = `INSERT INTO platform_account (adv_id, platform, external_id, name, scope_list, login_id, authorised_at)
    SELECT $1, platform, 'x' || n, '客户' || n, scope_list, login_id, authorised_at
    FROM platform_account, generate_series(1000, 1149) n WHERE id = $2`
  await inRecords(server.dataDir, made, agency, accountOf(COMMERCE).id)
  await selectAdvertiser(page, agency)
  await page.goto(`${listOf(4)}&new=1`)
  const account = page.getByRole('dialog').getByRole('combobox', { name: '平台账户' })
  await account.click()
  const options = page.locator('.ant-select-item-option')
  await expect(options.filter({ hasText: '客户1000' })).toBeVisible()
  await account.fill('客户1149')
  await options.filter({ hasText: '客户1149' }).click()
  await account.fill('没有这个')
  await expect(page.getByText('没有符合的账户')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog').locator('.ant-select', { hasText: '客户1149（x1149）' })).toBeVisible()
})

test('several packages are copied at once, and what is not is said', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const [, video] = TABS
  if (!video) throw new Error('no tab')
  for (const name of ['原件甲', '原件乙']) await add(admin, video, name)
  await page.goto(listOf(video.tab))
  await choose(page, ['原件甲', '原件乙'])
  await bar(page).getByRole('button', { name: '复制' }).click()
  await expect(page.getByText('已复制 2 个定向包')).toBeVisible()
  for (const name of ['原件甲_副本', '原件乙_副本']) await expect(packageRow(page, name)).toBeVisible()

  const { id } = await add(admin, video, '原件丙')
  await page.reload()
  await expect(packageRow(page, '原件丙')).toBeVisible()
  await choose(page, ['原件甲', '原件丙'])
  await api(admin, 'get', `${CALLS}/delete?id=${id}`)
  await bar(page).getByRole('button', { name: '复制' }).click()
  const told = page.getByRole('dialog').filter({ hasText: '已复制 1 个，另外 1 个没有复制' })
  await expect(told).toContainText('「原件丙」：')
  await expect(packageRow(page, '原件甲_副本2')).toBeAttached()
})

test('without an authorised account the dialog of a new package leads to the authorisation', async ({
  page,
  admin,
}) => {
  const { id } = await anAdvertiser(admin, '没有账户')
  await selectAdvertiser(page, id)
  await page.goto(`${listOf(3)}&new=1`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('没有已授权的平台账户，')).toBeVisible()
  await dialog.getByRole('link', { name: '去授权' }).click()
  await expect(page).toHaveURL(/advertiser-data/)
})
