import { VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import {
  chooseAction,
  chooseFolder,
  deletePackage,
  expectRemovable,
  movePackages,
  openAndLeave,
  packageRow,
  renamePackage,
  seeDeletionRefused,
} from './package-list.ts'
import { makeVideoCrowds } from './platform-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { chooseKeyword } from './targeting-fields.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const CALLS = '/api/v1/gdtcrowd/custom/targetings'

let adv_id = 0
let advertiser_id = 0
let external_id = ''
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '游戏品牌')).id
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${VIDEO}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number; external_id: string }[] }>(admin, 'get', path)
  advertiser_id = data[0]?.id ?? 0
  external_id = data[0]?.external_id ?? ''
  await makeVideoCrowds(await sandboxOf(admin), external_id, data[1]?.external_id ?? '', ['老客', '新客'])
})

const radios = (page: Page, name: string) => page.getByRole('radiogroup', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: '确定', exact: true }).click()
const detail = (page: Page, id: number) =>
  api<{ targeting: Record<string, unknown>; name: string; ver: number }>(page, 'get', `${CALLS}/get?id=${id}`)
const add = (page: Page, targeting_name: string, targeting: object = {}) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name, dir_id: 1, advertiser_id },
    targeting: { landing_type: 'APP_ANDROID', ...targeting },
  })
const edit = (page: Page, id: number) => page.goto(`/cowd-manage/assets/crowd/${VIDEO}/${id}`)

test('places are put on the map by a click and by coordinates, changed, dragged and saved', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const { id } = await add(page, '门店周边')
  await edit(page, id)
  await radios(page, '地理位置').getByRole('radio', { name: '商圈' }).check()
  const map = page.getByRole('application')
  await expect(map.locator('canvas')).toBeVisible()
  await expect(page.getByLabel('中国地图', { exact: false })).toBeVisible()
  await save(page)
  await expect(page.getByText('请至少选择1个地理位置')).toBeVisible()
  await expectAccessible(page)

  const coordinates = page.getByLabel('经度,纬度')
  const places = page.getByRole('region', { name: '已选地点' })
  await coordinates.fill('上海')
  await page.getByRole('button', { name: '添加', exact: true }).click()
  await expect(page.getByText('请输入经度和纬度')).toBeVisible()
  await coordinates.fill('139.6917,35.6895')
  await coordinates.press('Enter')
  await expect(page.getByText('地点须在中国境内')).toBeVisible()
  await coordinates.fill('31.230416,121.4737013')
  await expect(page.getByText('经度和纬度可能填反了')).toBeVisible()
  await page.getByRole('button', { name: '对调' }).click()
  await expect(coordinates).toHaveValue('121.473701,31.230416')
  await expect(page.getByText('经度和纬度可能填反了')).toHaveCount(0)
  await coordinates.fill('121.4737013,31.230416')
  await page.getByLabel('地点名称').fill('人民广场店')
  await coordinates.press('Enter')
  await expect(places).toContainText('人民广场店')
  await places.getByLabel('半径（米）').fill('8000')
  await places.getByLabel('半径（米）').blur()
  await expect(places).toContainText('周边 8 公里')

  const to = async (typed: string, name: string) => {
    await page.getByRole('combobox', { name: '下级地区' }).click()
    await page.getByRole('combobox', { name: '下级地区' }).fill(typed)
    // The readings are loaded when something is typed that may be one.
    await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option-active')).toHaveText(name)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(new RegExp(`^${name}地图`))).toBeVisible()
  }
  await to('guangdong', '广东省')
  await to('sz', '深圳市')
  const districts = page.getByRole('region', { name: '深圳市的商圈' })
  await districts.getByLabel('搜索商圈').fill('nanshan')
  await districts.getByRole('checkbox').first().check()
  await expect(places).toContainText('2/1000')
  await expectAccessible(page)

  await page.getByText('添加地点', { exact: true }).click()
  const box = await map.boundingBox()
  if (!box) throw new Error('the map has no size')
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.click(middle.x, middle.y)
  await expect(places).toContainText('3/1000')
  const longitude = places.getByLabel('经度')
  const latitude = places.getByLabel('纬度')
  const at = async () => ({ long: Number(await longitude.inputValue()), lat: Number(await latitude.inputValue()) })
  const before = await at()
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x + 30, middle.y + 30, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await at()).long).toBeGreaterThan(before.long)
  // As far to the east as to the south: the map is not stretched, so that circles are round.
  const after = await at()
  const east = (after.long - before.long) * Math.cos((before.lat * Math.PI) / 180)
  expect(east / (before.lat - after.lat)).toBeCloseTo(1, 1)
  await places.getByRole('button', { name: '定位「人民广场店」' }).click()
  await expect(page.getByLabel(/^黄浦区地图/)).toBeVisible()
  await page.getByRole('navigation').getByRole('button', { name: '中国' }).click()
  await expect(page.getByLabel(/^中国地图/)).toBeVisible()

  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  const { targeting } = await detail(page, id)
  const saved = targeting.custom_locations as Record<string, unknown>[]
  expect(saved).toHaveLength(3)
  expect(saved[0]).toEqual({
    ...{ kind: 'circle', name: '人民广场店', long: 121.473701, lat: 31.230416, radius: 8000 },
    ...{ province: '上海市', city: '上海市', district: '黄浦区' },
  })
  expect(saved[1]).toMatchObject({ kind: 'business_district' })
  expect(saved[2]).toMatchObject({ kind: 'circle', radius: 3000, province: '广东省', city: '深圳市' })

  await edit(page, id)
  await expect(places).toContainText('3/1000')
  await places.getByRole('button', { name: '移除「人民广场店」' }).click()
  await expect(places).toContainText('2/1000')
})

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const shows = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible()

/** A category and a keyword. */
const BOTH_KINDS = [{ type: 1 }, { type: 2 }]

test('a package of 巨量引擎 is made through all tabs, mirrored, reopened equal, copied, read, renamed, moved and deleted', async ({
  page,
  admin,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets/3?dir_id=0')
  await page.getByRole('button', { name: '新建巨量引擎定向包' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('定向包名称').fill('安卓应用人群')
  await dialog.getByRole('radio', { name: '应用下载（安卓）' }).check()
  await dialog.getByRole('combobox', { name: '平台账户' }).click()
  await page.locator('.ant-select-item-option').first().click()
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量引擎定向包' })).toBeVisible()

  await field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' }).check()
  await field(page, '年龄').getByRole('checkbox', { name: '36-40 岁' }).check()
  await expect(field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' })).not.toBeChecked()
  await radios(page, '性别').getByRole('radio', { name: '女' }).check()
  await radios(page, '按职业状态').getByRole('radio', { name: '自定义' }).check()
  await save(page)
  await shows(page, '请检查人口学属性')
  await shows(page, '请选择职业状态')
  await field(page, '职业状态').getByRole('checkbox', { name: '教师' }).check()
  await radios(page, '地理位置').getByRole('radio', { name: '区县' }).check()
  await save(page)
  await shows(page, '请至少选择1个地理位置')
  await page.getByLabel('搜索地域').fill('puxi')
  await page.getByLabel('搜索地域').fill('pudong')
  await page
    .getByRole('treeitem', { name: /浦东新区/ })
    .locator('.ant-tree-checkbox')
    .click()
  await radios(page, '地点类型').getByRole('radio', { name: '居住在该地区的用户' }).check()
  await expectAccessible(page)

  await tab(page, '用户行为')
  await radios(page, '行为兴趣').getByRole('radio', { name: '自定义' }).check()
  await save(page)
  await shows(page, '请选择行为、兴趣')
  await field(page, '行为场景').getByRole('checkbox', { name: '搜索互动行为' }).uncheck()
  await radios(page, '行为天数').getByRole('radio', { name: '90 天' }).check()
  await page.getByRole('tree', { name: '行为类目' }).locator('.ant-tree-checkbox').first().click()
  await page.getByRole('tree', { name: '兴趣类目' }).locator('.ant-tree-checkbox').first().click()
  await chooseKeyword(page, '行为', '手机')
  await chooseKeyword(page, '兴趣', '女装')
  await expectAccessible(page)

  await tab(page, '自定义人群')
  await page.getByRole('checkbox', { name: '定向人群' }).check()
  await save(page)
  await shows(page, '请选择定向人群')
  await page.getByRole('checkbox', { name: '排除人群' }).check()
  // Its list has the account's own crowds alone.
  await expect(page.getByRole('radiogroup', { name: '定向人群的种类' })).toHaveCount(0)
  const included = page.getByRole('list', { name: '可选的定向人群' })
  const excluded = page.getByRole('list', { name: '可选的排除人群' })
  await included.getByRole('checkbox').first().check()
  await expect(excluded.getByRole('checkbox').first()).toBeDisabled()
  await excluded.getByRole('checkbox').nth(1).check()
  await expectAccessible(page)

  await tab(page, '设备定向')
  await field(page, '平台').getByRole('checkbox', { name: 'iOS' }).check()
  await expect(page.getByText('按手机品牌')).toHaveCount(0)
  await field(page, '平台').getByRole('checkbox', { name: 'iOS' }).uncheck()
  await radios(page, '按手机品牌').getByRole('radio', { name: '自定义' }).check()
  await save(page)
  await shows(page, '请选择手机品牌')
  await expect(field(page, '手机品牌').getByRole('checkbox', { name: '苹果' })).toHaveCount(0)
  await field(page, '手机品牌').getByLabel('搜索手机品牌').fill('xiaomi')
  await expect(field(page, '手机品牌').getByRole('checkbox')).toHaveCount(1)
  await field(page, '手机品牌').getByLabel('搜索手机品牌').fill('')
  await field(page, '手机品牌').getByRole('checkbox', { name: '华为' }).check()
  await field(page, '平台').getByRole('checkbox', { name: 'Android' }).check()
  await expect(field(page, '手机品牌').getByRole('checkbox', { name: '华为' })).not.toBeChecked()
  await field(page, '手机品牌').getByRole('checkbox', { name: '小米' }).check()
  await radios(page, '按手机价格').getByRole('radio', { name: '自定义' }).check()
  await page.getByLabel('最高价格（元）').fill('7400')
  await page.getByLabel('最高价格（元）').press('Enter')
  await shows(page, '0-7500 元')
  await page.getByLabel('最高价格（元）').fill('99999')
  await page.getByLabel('最高价格（元）').blur()
  await expect(page.getByLabel('最高价格（元）')).toHaveValue('11000')
  await page.getByLabel('最高价格（元）').press('ArrowDown')
  await shows(page, '0-10500 元')
  await page.getByRole('slider', { name: '最低价格' }).press('ArrowRight')
  await expect(page.getByLabel('最低价格（元）')).toHaveValue('500')
  await page.getByRole('button', { name: '8000+' }).click()
  await shows(page, '8000 元以上')
  await field(page, '设备类型').getByRole('checkbox', { name: '手机' }).check()
  await field(page, '网络').getByRole('checkbox', { name: '5G' }).check()
  await field(page, '运营商').getByRole('checkbox', { name: '移动' }).check()
  await field(page, '首次激活时间').getByRole('checkbox', { name: '一个月以内' }).check()
  await expectAccessible(page)

  await tab(page, '特殊定向')
  await radios(page, '抖音达人').getByRole('radio', { name: '自定义' }).check()
  await radios(page, '智能放量').getByRole('radio', { name: '启用', exact: true }).check()
  await save(page)
  await shows(page, '请添加达人分类或抖音达人')
  await shows(page, '请选择可开放定向')
  await field(page, '用户行为类型').getByRole('checkbox', { name: '视频互动-已点赞用户' }).check()
  await radios(page, '行为时间范围').getByRole('radio', { name: '60 天' }).check()
  const creatorCategories = page.getByRole('tree', { name: '达人分类' })
  await creatorCategories.locator('.ant-tree-checkbox').nth(1).click()
  await creatorCategories.locator('.ant-tree-node-content-wrapper').first().click()
  await page.getByRole('list', { name: '可选的抖音达人' }).getByRole('checkbox').first().check()
  await field(page, '可开放定向').getByRole('checkbox', { name: '年龄' }).check()
  await expectAccessible(page)

  const reach = page.getByRole('region', { name: '预估覆盖' })
  await expect(page.getByRole('complementary', { name: '预览' })).toContainText('浦东新区')
  await expect(reach).toBeVisible()
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(page).toHaveURL(/cowd-assets\/3/)

  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: '安卓应用人群', exact: true }) })
  const { list } = await api<{ list: { id: number; name: string }[] }>(page, 'post', `${CALLS}/list`, {
    platform: VIDEO,
    name: '安卓应用人群',
  })
  const id = list[0]?.id ?? 0
  const made = await detail(page, id)
  expect(made.targeting).toMatchObject({
    ...{ landing_type: 'APP_ANDROID', age: ['AGE_BETWEEN_36_40'], career: ['TEACHER'], district: ['COUNTY'] },
    ...{ regions: { regions: ['310115'], regionsPlan: [] }, location_types: ['HOME'], action_days: 90 },
    ...{ platform: ['ANDROID'], device_brand: ['XIAOMI'], launch_price: [8000, 11_000], ac: ['5G'] },
    ...{ carrier: ['MOBILE'], activate_type: ['WITH_IN_A_MONTH'], aweme_fan_time_scope: 'SIXTY_DAYS' },
    ...{
      gender: ['GENDER_FEMALE'],
      smart_interest_action: 'CUSTOM',
      action_tags: BOTH_KINDS,
      interest_tags: BOTH_KINDS,
    },
    ...{ action_scene: ['E-COMMERCE', 'NEWS', 'APP', 'AD'], device_type: ['MOBILE'], auto_crowd_mode: [1, 2] },
    ...{ retargeting_tags_include: [expect.any(String)], retargeting_tags_exclude: [expect.any(String)] },
    ...{
      aweme_fan_behaviors: ['COMMENTED_USER', 'LIKED_USER'],
      user_aweme_fan: [{ type: 'category' }, { type: 'account' }],
    },
    auto_extend_targets: ['AGE'],
  })
  // The copy on the platform is made by a job.
  await expect
    .poll(async () => (await api<{ mirror: string }>(page, 'get', `${CALLS}/get?id=${id}`)).mirror, { timeout: 30_000 })
    .toBe('synced')
  await expect(row).toContainText('正常')

  await row.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '编辑巨量引擎定向包' })).toBeVisible()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/3/)
  expect((await detail(page, id)).ver).toBe(made.ver)

  await row.getByRole('button', { name: '复制', exact: true }).click()
  await chooseFolder(page)
  await dialog.getByLabel('定向包名称').fill('复制的包')
  await dialog.getByRole('radio', { name: '落地页' }).check()
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '复制巨量引擎定向包' })).toBeVisible()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/3/)
  await chooseAction(page, '复制的包', '查看')
  await expect(page.getByRole('heading', { level: 1, name: '查看巨量引擎定向包' })).toBeVisible()
  await expect(page.getByLabel('名称', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: '确定', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page).toHaveURL(/cowd-assets\/3/)

  await movePackages(page, '/cowd-manage/cowd-assets/3?dir_id=0', ['复制的包', '安卓应用人群'])
  await renamePackage(page, '复制的包', '改名的包')
  const { targeting_id } = await api<{ targeting_id: string }>(page, 'get', `${CALLS}/get?id=${id}`)
  const { control } = await sandboxOf(admin)
  const plan = await control<{ id: string }>('projects', {
    ...{ account_id: external_id, name: '双十一', package_id: targeting_id },
  })
  await openAndLeave(page, `/cowd-manage/assets/crowd/${VIDEO}/${id}`)
  await seeDeletionRefused(page, '安卓应用人群', '双十一')
  await control('projects/set', { id: plan.id, status: 'DISABLE' })
  await openAndLeave(page, `/cowd-manage/assets/crowd/${VIDEO}/${id}`)
  await expect(packageRow(page, '安卓应用人群')).toContainText('正常')
  await deletePackage(page, '安卓应用人群')
  await expect(packageRow(page, '改名的包')).toBeVisible()
})

test('a platform that did not answer an estimate is asked again', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const { id } = await add(page, '平台稍后回答', { gender: ['GENDER_FEMALE'] })
  let refused = 0
  await page.route('**/estimation/**', async (route) => {
    if (refused++ > 0) return route.continue()
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: object }
    const fail_outcome = { code: 'platform_no_answer_within', params: { seconds: 10 } }
    const data = { ...body.data, code: 1, approximate_count: null, counted_at: null, fail_outcome }
    await route.fulfill({ response: answer, json: { ...body, data } })
  })
  await page.clock.install()
  await edit(page, id)
  const reach = page.getByRole('region', { name: '预估覆盖' })
  await page.clock.runFor(3000)
  await expect(reach).toContainText('暂无')
  await expect(reach).toContainText('10 秒')
  await page.clock.runFor(31_000)
  await expect(reach).not.toContainText('暂无')
})

test('the preview tells which regions the platform has no more', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  const regions = { regions: ['310000', '999900'], regionsPlan: [] }
  const { id } = await add(page, '旧地域', { district: ['CITY'], location_types: ['CURRENT'], regions })
  await edit(page, id)
  await expect(page.getByRole('complementary', { name: '预览' })).toContainText('上海市、999900（已下线）')
})

test('keywords and creators that the platform has no more are marked in editor and preview, and can be removed', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  const { id } = await add(page, '旧词旧达人', {
    ...{ smart_interest_action: 'CUSTOM', action_tags: [{ id: '999999991', type: 2, name: '旧词' }] },
    ...{ aweme_fan_by: 1, user_aweme_fan: [{ type: 'account', label_id: '999999992', author_name: '旧达人' }] },
  })
  await edit(page, id)
  await expectRemovable(page, [
    ['用户行为', '已选行为', '旧词'],
    ['特殊定向', '已选达人', '旧达人'],
  ])
})

test('regions are saved as a plan, chosen in another package, and stay in it when the plan is deleted', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  const byRegion = { district: ['CITY'], location_types: ['CURRENT'] }
  const { id: first } = await add(page, '地域包来源', {
    ...byRegion,
    regions: { regions: ['310000', '330100'], regionsPlan: [] },
  })
  const { id: second } = await add(page, '用地域包的包')
  const plansOf = (name: string) => page.getByRole(name === '已选地域包' ? 'list' : 'combobox', { name })
  const dialog = page.getByRole('dialog')

  await edit(page, first)
  await page.getByRole('button', { name: '管理地域包' }).click()
  await expect(dialog.getByText('选好地域后，用「存为地域包」保存。')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '存为地域包' }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('请输入地域包名称')).toBeVisible()
  await dialog.getByLabel('地域包名称').fill('沪杭')
  await page.keyboard.press('Enter')
  await expect(page.getByText('保存成功')).toBeVisible()
  await page.getByRole('button', { name: '存为地域包' }).click()
  await dialog.getByLabel('地域包名称').fill('沪杭')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('已有同名的地域包，请换一个名称')).toBeVisible()
  await dialog.getByRole('button', { name: '取消' }).click()

  await edit(page, second)
  await radios(page, '地理位置').getByRole('radio', { name: '省市' }).check()
  await expect(page.getByRole('button', { name: '存为地域包' })).toBeDisabled()
  await plansOf('加入地域包').click()
  await plansOf('加入地域包').fill('huhang')
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '沪杭（2 个地域）' })
    .click()
  await expect(plansOf('已选地域包')).toContainText('沪杭（2 个地域）')
  await radios(page, '地点类型').getByRole('radio', { name: '正在该地区的用户' }).check()
  await expectAccessible(page)
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()

  await edit(page, second)
  await expect(plansOf('已选地域包')).toContainText('沪杭（2 个地域）')
  await page.getByRole('button', { name: '管理地域包' }).click()
  await dialog.getByRole('button', { name: '重命名' }).click()
  await page.getByRole('dialog', { name: '重命名地域包' }).getByLabel('地域包名称').fill('长三角两城')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('cell', { name: '长三角两城' })).toBeVisible()
  await dialog.getByRole('button', { name: '删除' }).click()
  await page
    .getByRole('dialog', { name: /删除地域包/ })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(dialog.getByText('选好地域后，用「存为地域包」保存。')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(plansOf('已选地域包')).toContainText('沪杭（2 个地域）')
  await page.getByLabel('名称', { exact: true }).fill('用过地域包的包')
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  const { targeting } = await detail(page, second)
  expect(targeting.regions).toMatchObject({
    regions: [],
    regionsPlan: [{ name: '沪杭', regions: ['310000', '330100'] }],
  })
  const stateOf = async () =>
    (
      await api<{ list: { id: number; mirror: string }[] }>(page, 'post', `${CALLS}/list`, {
        platform: VIDEO,
        dir_id: 1,
      })
    ).list.find(({ id }) => id === second)?.mirror
  await expect.poll(stateOf).toBe('synced')
})
