import { COMMERCE, VIDEO } from '../server/testing/platforms.ts'
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

const LIST = '/cowd-manage/cowd-assets/4?dir_id=0'
const CALLS = '/api/v1/gdtcrowd/custom/targetings'

let adv_id = 0
let account = { id: 0, name: '' }
let other = { id: 0, name: '' }
let video = { id: 0, name: '' }
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '直播品牌')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /./ })
  const accountsOf = async (platform: number) => {
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    return (await api<{ data: { id: number; name: string }[] }>(admin, 'get', path)).data
  }
  const nobody = { id: 0, name: '' }
  ;[account = nobody, other = nobody] = await accountsOf(COMMERCE)
  ;[video = nobody] = await accountsOf(VIDEO)
})

const add = (page: Page, targeting_name: string, targeting: object) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    targeting_name,
    dir_id: 1,
    advertiser_id: account.id,
    targeting: { landing_type: 'LIVE', ...targeting },
  })
const ownCrowd = async (page: Page, no: number) => {
  const path = `${CALLS}/dmp?advertiser_id=${account.id}&type=1`
  const { list } = await api<{ list: { retargeting_tags_id: string; name: string }[] }>(page, 'get', path)
  const row = list[no]
  if (!row) throw new Error('the account has no crowds')
  return { id: row.retargeting_tags_id, name: row.name, row }
}
const menuOf = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `「${name}」的更多操作` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const choose = async (page: Page, label: string, option: string | RegExp) => {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
}

test('a copy to another account and another platform says what it leaves out', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const crowd = await ownCrowd(admin, 0)
  await add(admin, '直播老客', {
    gender: ['GENDER_FEMALE'],
    age: ['AGE_BETWEEN_18_23'],
    district: ['CITY'],
    regions: { regions: ['110000'], regionsPlan: [] },
    location_types: ['HOME'],
    new_customer: 'NO_BUY',
    auto_crowd_mode: [1],
    retargeting_tags_include: [crowd.id],
    retargeting_tags_include_local: [crowd.row],
  })
  await page.goto(LIST)
  await menuOf(page, '直播老客', '复制到')
  const dialog = page.getByRole('dialog', { name: '复制定向包「直播老客」到' })
  await expect(dialog.getByRole('button', { name: '复制', exact: true })).toBeDisabled()
  await choose(page, '平台账户', other.name)
  const table = dialog.getByRole('table', { name: '不能原样带过去的条件' })
  await expect(dialog.getByText('1 项条件不能原样带过去')).toBeVisible()
  await expect(dialog).toContainText('人群属于原账户，目标账户没有')
  await expect(dialog).toContainText('北京市')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '复制', exact: true }).click()
  await expect(page.getByText('复制成功')).toBeVisible()
  await expect(page.getByRole('button', { name: '直播老客_副本', exact: true })).toBeVisible()

  await menuOf(page, '直播老客', '复制到')
  await choose(page, '平台', '巨量引擎')
  await choose(page, '平台账户', video.name)
  await expect(dialog.getByText('2 项条件不能原样带过去')).toBeVisible()
  await expect(dialog).toContainText('目标平台没有这项条件')
  await expect(table).toBeVisible()
  await dialog.getByRole('button', { name: '打开编辑器' }).click()
  await expect(page).toHaveURL(/assets\/crowd\/2\/0\?ticket=/)
  await expect(page.getByText('2 项条件没有原样带过来')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(page).toHaveURL(/cowd-assets\/3/)
  await expect(page.getByRole('button', { name: '直播老客_副本', exact: true })).toBeVisible()

  await page.goto(LIST)
  await menuOf(page, '直播老客', '复制到')
  await choose(page, '平台', '巨量引擎')
  await choose(page, '平台账户', video.name)
  await dialog.getByLabel('定向包名称').fill('直播老客_再次')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '继续编辑' }).click()
  await dialog.getByRole('button', { name: '复制', exact: true }).click()
  await page.getByRole('button', { name: '查看副本' }).click()
  await expect(page).toHaveURL(/cowd-assets\/3/)
  await expect(page.getByRole('button', { name: '直播老客_再次', exact: true })).toBeVisible()
})

test('a package becomes a template, from which another one starts', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  await add(admin, '种草女性', { gender: ['GENDER_FEMALE'], age: ['AGE_BETWEEN_24_30'] })
  await page.goto(LIST)
  await menuOf(page, '种草女性', '存为模板')
  const saving = page.getByRole('dialog', { name: '存为模板' })
  await saving.getByLabel('模板名称').fill('种草模板')
  await expectAccessible(page)
  await saving.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('已存为模板')).toBeVisible()
  await menuOf(page, '种草女性', '存为模板')
  await saving.getByLabel('模板名称').fill('种草模板')
  await saving.getByRole('button', { name: '确定' }).click()
  await expect(saving.getByText('已有同名的模板，请换一个名称')).toBeVisible()
  await saving.getByRole('button', { name: '取消' }).click()

  await page.getByRole('button', { name: '模板', exact: true }).click()
  await expect(page).toHaveURL(/templates=1/)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('region', { name: '现成模板' })).toContainText('一二线年轻女性')
  const own = drawer.getByRole('region', { name: '我的模板' })
  await expect(own).toContainText('年龄：24-30 岁')
  await expectAccessible(page)
  await own.getByRole('button', { name: '重命名' }).click()
  const renaming = page.getByRole('dialog', { name: '重命名模板' })
  await renaming.getByLabel('模板名称').fill('种草改名')
  await renaming.getByRole('button', { name: '确定' }).click()
  await expect(own).toContainText('种草改名')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/templates=1/)
  await page.getByRole('button', { name: '模板', exact: true }).click()
  await own.getByRole('button', { name: '新建' }).click()
  await expect(page).toHaveURL(/new=1/)
  const dialog = page.getByRole('dialog', { name: '新建巨量千川定向包' })
  await expect(dialog).toContainText('种草改名')
  await expect(dialog.getByRole('radio', { name: '直播' })).toBeChecked()
  await expect(page).not.toHaveURL(/templates=1/)

  await page.goto(`${LIST}&new=1`)
  await dialog.getByLabel('定向包名称').fill('从模板来')
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await choose(page, '从模板开始', '种草改名')
  await expect(dialog.getByRole('radio', { name: '直播' })).toBeChecked()
  await dialog.getByRole('radio', { name: '短视频' }).check()
  await choose(page, '平台账户', account.name)
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量千川定向包' })).toBeVisible()
  await expect(page.getByRole('radio', { name: '女', exact: true })).toBeChecked()
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()

  await page.goto(`${LIST}&new=1`)
  await dialog.getByLabel('定向包名称').fill('空白开始')
  await dialog.getByRole('radio', { name: '直播' }).check()
  await choose(page, '平台账户', account.name)
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量千川定向包' })).toBeVisible()
  const start = page.getByRole('combobox', { name: '从模板开始' })
  await start.click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: '中老年人群' }).click()
  const old = page.getByRole('checkbox', { name: '50 岁及以上' })
  await expect(old).toBeChecked()

  // Another one replaces what is chosen, if that is wanted.
  const replaceWithOther = async (answer: '替换' | '取消') => {
    await start.click()
    await page.locator('.ant-select-item-option:visible').filter({ hasText: '一二线年轻女性' }).click()
    const question = page.getByRole('dialog', { name: '用模板替换已选的定向？' })
    await question.getByRole('button', { name: answer }).click()
    await expect(question).toBeHidden()
  }
  await replaceWithOther('取消')
  await expect(old).toBeChecked()
  await replaceWithOther('替换')
  await expect(old).not.toBeChecked()
})

test('two packages stand side by side, and a version beside the present one', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const { id } = await add(admin, '对比甲', { gender: ['GENDER_FEMALE'], ac: ['WIFI'] })
  await add(admin, '对比乙', { gender: ['GENDER_MALE'], ac: ['WIFI'] })
  await page.goto(LIST)
  const check = (name: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name, exact: true }) })
      .getByRole('checkbox')
      .check()
  await check('对比甲')
  const compare = page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '对比' })
  await expect(compare).toBeDisabled()
  await check('对比乙')
  await compare.click()
  await expect(page).toHaveURL(/compare=\d+%2C\d+/)
  const table = page.getByRole('table', { name: '对比' })
  const row = (label: string) => table.getByRole('row').filter({ hasText: label })
  await expect(row('性别')).toContainText('不同')
  await expect(row('网络')).toContainText('相同')
  await expectAccessible(page)
  await page.getByRole('switch', { name: '只看不同' }).click()
  await expect(row('网络')).toHaveCount(0)
  await page.getByRole('combobox', { name: '左边的定向包的平台' }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: '巨量引擎' }).click()
  await expect(page.getByText('请选择左边的定向包')).toBeVisible()
  await expect(table).toHaveCount(0)
  await page.reload()
  await expect(row('性别')).toContainText('女')
  await expect(row('性别')).toContainText('男')

  await api(admin, 'post', `${CALLS}/update`, { id, targeting: { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] } })
  await page.goto(`${LIST}&package=${id}`)
  const versions = page.getByRole('table', { name: '修改记录' }).getByRole('row')
  await expect(versions.filter({ hasText: '修改' }).first()).toContainText('网络：Wi-Fi')
  await expectAccessible(page)
  await versions.filter({ hasText: '新建' }).getByRole('button', { name: '对比' }).click()
  await expect(page).toHaveURL(new RegExp(`compare=${id}%401%2C${id}`))
  await expect(row('网络')).toContainText('Wi-Fi')
  await expect(row('网络')).toContainText('不限')
})

test('a package whose crowd is gone says so where it is opened', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const crowd = await ownCrowd(admin, 1)
  const { id } = await add(admin, '用了人群', {
    auto_crowd_mode: [1],
    retargeting_tags_include: [crowd.id],
    retargeting_tags_include_local: [crowd.row],
  })
  const { control } = await sandboxOf(admin)
  // As deleted on the platform.
  await control('commerce-crowds/set', { id: crowd.id, status: 22 })
  // The list of some minutes ago serves until it is read anew.
  await page.waitForTimeout(1100)
  await api(admin, 'get', `${CALLS}/dmp?advertiser_id=${account.id}&refresh=1`)
  await page.goto(`/cowd-manage/assets/crowd/3/${id}`)
  await expect(page.getByText('未找到定向包，请重新选择自定义定向包')).toBeVisible()
  await expect(page.getByRole('tab', { name: /自定义人群/, selected: true })).toBeVisible()
  const chosen = page.getByRole('region', { name: '已选定向人群' })
  await expect(chosen.getByRole('listitem').filter({ hasText: crowd.name })).toContainText('已下线')
  await expectAccessible(page)
  await page.goto(LIST)
  await expect(page.getByRole('row').filter({ hasText: '用了人群' })).toContainText('人群失效')
})
