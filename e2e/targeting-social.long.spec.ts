import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { api, selectAdvertiser } from './crowds.ts'
import { pick } from './editor-messages/hands.ts'
import {
  beginPlan,
  chooseAction,
  chooseFolder,
  deletePackage,
  expectRemovable,
  movePackages,
  packageRow,
  renamePackage,
  seeDeletionRefused,
} from './package-list.ts'
import {
  accountOf,
  addPackage,
  CALLS,
  custom,
  fillDialog,
  LIST,
  options,
  radios,
  save,
  socialBrand,
  tab,
  test,
  wrong,
} from './social-packages.ts'
import { expect } from './test.ts'

const NAME = '一二线城市年轻女性'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  adv_id = await socialBrand(admin)
})

test('a package of 腾讯广告 is made through all tabs, reopened equal, copied, moved, read and deleted', async ({
  page,
  server,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, NAME)
  await expect(page).toHaveURL(/gdt-cowd\/edit\/0/)

  await radios(page, '地理位置').getByRole('radio', { name: '按地域' }).check()
  await wrong(page, '地理位置', '地域')
  await page.getByLabel('搜索地域').fill('shanghai')
  await page
    .getByRole('treeitem', { name: /上海市/ })
    .locator('.ant-tree-checkbox')
    .first()
    .click()
  await page.getByRole('checkbox', { name: '去过' }).check()
  await expectAccessible(page)

  await tab(page, '人口学属性')
  await custom(page, '年龄')
  await wrong(page, '人口学属性', '年龄')
  await page.getByRole('button', { name: /添加年龄段/ }).click()
  await radios(page, '性别').getByRole('radio', { name: '女性' }).check()
  for (const [dimension, choice] of [
    ['学历', '本科'],
    ['婚恋育儿', '单身'],
    ['工作状态', '在校大学生'],
    ['资产状态', '有车人士'],
    ['消费类型', '实物商品付费'],
    ['游戏消费能力', '高消费用户'],
    ['消费能力', '高消费'],
  ] as const) {
    await custom(page, dimension)
    await options(page, dimension).getByRole('checkbox', { name: choice, exact: true }).check()
  }
  await custom(page, '居住社区价格')
  await page.getByRole('button', { name: /添加价格段/ }).click()
  await expectAccessible(page)

  await tab(page, '行为兴趣')
  await custom(page, '行为')
  await expect(page.getByText('内有过行为的用户').first()).toBeVisible()
  await wrong(page, '行为兴趣', '行为')
  await page.getByRole('tree', { name: '行为类目' }).locator('.ant-tree-checkbox').first().click()
  await expect(page.getByRole('region', { name: '已选行为' })).toContainText('已选行为 1/350')
  await pick(page, '行为场景', 'App')
  await pick(page, '行为时间', '7 天')
  await page.getByLabel('行为的种类').getByText('关键词', { exact: true }).click()
  await page.getByLabel('搜索行为关键词').fill('跑步')
  await page.getByRole('list', { name: '行为关键词' }).getByRole('checkbox').first().check()
  await custom(page, '兴趣')
  await page.getByRole('tree', { name: '兴趣类目' }).locator('.ant-tree-checkbox').first().click()
  const kinds = page.getByLabel('兴趣的种类')
  await kinds.getByText('关键词', { exact: true }).click()
  await page.getByLabel('搜索兴趣关键词').fill('手机')
  await page.getByRole('list', { name: '兴趣关键词' }).getByRole('checkbox').first().check()
  await expect(page.getByText(/相关：/)).toHaveCount(2)
  await custom(page, '意向')
  await page.getByRole('tree', { name: '意向' }).locator('.ant-tree-checkbox').first().click()
  await expectAccessible(page)

  await tab(page, '自定义人群')
  await custom(page, '定向人群')
  await custom(page, '排除人群')
  await save(page)
  await expect(page.getByText('自定义人群未填写完整')).toBeVisible()
  const included = page.getByRole('list', { name: '可选的定向人群' })
  const excluded = page.getByRole('list', { name: '可选的排除人群' })
  await expect(included.getByText('未生效').first()).toBeVisible()
  await included.getByRole('checkbox', { name: '老客' }).check()
  await expect(excluded.getByRole('checkbox', { name: '老客' })).toBeDisabled()
  await excluded.getByRole('checkbox', { name: '新客' }).check()
  await expectAccessible(page)

  await tab(page, '排除已转化')
  await radios(page, '排除已转化用户').getByRole('radio', { name: '同账号广告' }).check()
  await custom(page, '转化行为')
  await wrong(page, '排除已转化', '转化行为')
  const conversions = page.getByRole('group', { name: '转化行为的选项' })
  await conversions.getByRole('checkbox', { name: '下单', exact: true }).check()
  await conversions.getByRole('checkbox', { name: '激活', exact: true }).check()
  await expect(conversions.getByRole('checkbox', { name: '下载', exact: true })).toBeDisabled()
  await expectAccessible(page)

  const preview = page.getByRole('complementary', { name: '预览' })
  await expect(preview).toContainText('上海市')
  await expect(preview).toContainText('女性')
  await expect(preview).toContainText('平台已停用')
  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(page).toHaveURL(/cowd-assets\/2/)

  const packageOf = async (name: string) => {
    const { list } = await api<{ list: { id: number; name: string }[] }>(page, 'post', `${CALLS}/list`, {
      platform: SOCIAL,
      name,
    })
    const found = list.find((one) => one.name === name)
    if (!found) throw new Error(`no package ${name}`)
    return found
  }
  const { id } = await packageOf(NAME)
  const detail = () =>
    api<{ targeting: Record<string, unknown>; ver: number; dir_id: number }>(page, 'get', `${CALLS}/get?id=${id}`)
  const made = await detail()
  expect(made.targeting).toMatchObject({
    ...{ geo_location: 'REGIONS', regions: ['310000'], gender: ['FEMALE'], education: ['BACHELOR'] },
    ...{ age: [{ min: 18, max: 30 }], behavior: 'CUSTOM', interest: 'CUSTOM' },
    ...{ location_types: ['LIVE_IN', 'VISITED_IN'], marital_status: ['SINGLE'], working_status: ['COLLEGE_STUDENT'] },
    ...{ financial_situation: ['CAR_OWNERS'], consumption_type: ['PAID_GOODS_REAL'], consumption_status: ['HIGH'] },
    ...{ game_consumption_level: ['HIGH'], residential_community_price: [{ min: 10_000, max: 50_000 }] },
    ...{ behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'], behavior_categories: [{}], intention: [{}] },
    ...{ behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_SEVEN_DAY', interest_categories: [{}] },
    ...{ behavior_keywords: [expect.any(String)], interest_keywords: [expect.any(String)] },
    ...{ custom_audience_local: [{ name: '老客' }], excluded_custom_audience_local: [{ name: '新客' }] },
    excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
    conversion_behavior_list: ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER', 'OPTIMIZATIONGOAL_APP_ACTIVATE'],
  })

  await page.getByRole('button', { name: '编辑' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: '编辑腾讯广告定向包' })).toBeVisible()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/2/)
  expect((await detail()).ver).toBe(made.ver)

  await page.getByRole('button', { name: '复制', exact: true }).first().click()
  await chooseFolder(page)
  await fillDialog(page, '复制的包')
  await expect(page.getByRole('heading', { level: 1, name: '复制腾讯广告定向包' })).toBeVisible()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/2/)

  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/watch/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: '查看腾讯广告定向包' })).toBeVisible()
  await expect(page.getByLabel('名称')).toBeDisabled()
  await expect(page.getByRole('button', { name: '确定' })).toHaveCount(0)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page).toHaveURL(/cowd-assets\/2/)

  await movePackages(page, LIST, ['复制的包', NAME])
  await renamePackage(page, '复制的包', '改名的包')
  const endPlan = await beginPlan(server, id, '双十一')
  await page.reload()
  await seeDeletionRefused(page, NAME, '双十一')
  await page.getByRole('dialog', { name: '无法删除' }).getByRole('button', { name: '知道了' }).click()
  // This platform locks what its ads use.
  await chooseAction(page, NAME, '重命名')
  await page.getByRole('dialog').getByLabel('定向包名称').fill('不能改名')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('dialog').getByText(/平台不允许修改/)).toBeVisible()
  await endPlan()
  await page.reload()
  await deletePackage(page, NAME)
  await expect(packageRow(page, '改名的包')).toBeVisible()
  await expectAccessible(page)
})

test('places on the map are circles by typed coordinates, and survive a save', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '门店周边')
  await radios(page, '地理位置').getByRole('radio', { name: '按商圈与地点' }).check()
  await wrong(page, '地理位置', '商圈与地点')
  await expectAccessible(page)

  const places = page.getByRole('region', { name: '已选地点' })
  const form = page.getByRole('region', { name: '用坐标添加地点' })
  await form.getByLabel('经度,纬度').fill('121.4737013,31.2304164')
  await form.getByLabel('地点名称').fill('人民广场店')
  await form.getByLabel('经度,纬度').press('Enter')
  await expect(places).toContainText('1/1000')
  // The circle is as small as the platform takes, and no smaller or larger than its limits.
  const radius = places.getByLabel('半径（米）')
  await expect(radius).toHaveValue('200')
  for (const [typed, kept] of [
    ['199', '200'],
    ['25001', '25000'],
    ['1500', '1500'],
  ] as const) {
    await radius.fill(typed)
    await radius.blur()
    await expect(radius).toHaveValue(kept)
  }

  const map = page.getByRole('application')
  await expect(map.locator('canvas')).toBeVisible()
  await page.getByText('添加地点', { exact: true }).click()
  const box = await map.boundingBox()
  if (!box) throw new Error('the map has no size')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(places).toContainText('2/1000')

  await page.getByRole('combobox', { name: '下级地区' }).click()
  await page.getByRole('combobox', { name: '下级地区' }).fill('上海')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: '上海市的商圈' }).getByRole('checkbox').first().check()
  await expect(places).toContainText('3/1000')
  await expectAccessible(page)
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()

  const found = await api<{ list: { id: number }[] }>(page, 'post', `${CALLS}/list`, {
    ...{ platform: SOCIAL, name: '门店周边' },
  })
  const id = found.list[0]?.id ?? 0
  const saved = async () =>
    (await api<{ targeting: { custom_locations: Record<string, unknown>[] } }>(page, 'get', `${CALLS}/get?id=${id}`))
      .targeting
  const made = await saved()
  expect(made.custom_locations).toEqual([
    {
      ...{ kind: 'circle', name: '人民广场店', long: 121.473701, lat: 31.230416, radius: 1500 },
      ...{ province: '上海市', city: '上海市', district: '黄浦区' },
    },
    expect.objectContaining({ kind: 'circle', radius: 200 }),
    expect.objectContaining({ kind: 'business_district' }),
  ])
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`)
  await expect(places).toContainText('3/1000')
  await page.getByLabel('名称', { exact: true }).fill('门店周边二')
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  expect(await saved()).toEqual(made)
})

test('chosen places are there again after another tab', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const custom_locations = [{ kind: 'circle', name: '人民广场', long: 121.47, lat: 31.23, radius: 500 }]
  const places = { geo_location: 'CUSTOM_LOCATIONS', location_types: ['LIVE_IN'], custom_locations }
  const { id } = await addPackage(admin, await accountOf(admin, adv_id), '一个地点', places)
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`)
  const row = page.getByRole('region', { name: '已选地点' }).getByText('人民广场', { exact: true })
  await expect(row).toBeVisible()
  await tab(page, '人口学属性')
  await expect(row).toBeHidden()
  await tab(page, '地理位置')
  await expect(row).toBeVisible()
  // The other way leaves them out, says so, and has them still when one comes back.
  const ways = radios(page, '地理位置')
  await ways.getByRole('radio', { name: '按地域' }).check()
  await expect(page.getByText('「按商圈与地点」里已选的 1 项不会保存')).toBeVisible()
  await ways.getByRole('radio', { name: '按商圈与地点' }).check()
  await expect(row).toBeVisible()
})

test('the thousand and first place is refused with its reason', async ({ page, admin }) => {
  await selectAdvertiser(page, adv_id)
  const custom_locations = Array.from({ length: 1000 }, (_, at) => ({
    ...{ kind: 'circle', name: `门店${at + 1}`, long: 121.4, lat: 31.2, radius: 200 },
  }))
  const full = { geo_location: 'CUSTOM_LOCATIONS', location_types: ['LIVE_IN'], custom_locations }
  const { id } = await addPackage(admin, await accountOf(admin, adv_id), '一千家店', full)
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`)
  const list = page.getByRole('region', { name: '已选地点' })
  await expect(list).toContainText('1000/1000', { timeout: 40_000 })
  // Of so many only those in sight are drawn; all can be reached.
  expect(await list.getByRole('listitem').count()).toBeLessThan(50)
  await list.getByText('门店1', { exact: true }).hover()
  await page.mouse.wheel(0, 100_000)
  await expect(list.getByText('门店1000', { exact: true })).toBeVisible()
  const form = page.getByRole('region', { name: '用坐标添加地点' })
  await form.getByLabel('经度,纬度').fill('121.5,31.3')
  await form.getByRole('button', { name: '添加' }).click()
  await expect(form.getByRole('alert')).toContainText('地点最多 1000 个')
  await expect(page.getByRole('region', { name: '已选地点' })).toContainText('1000/1000')
})

test('keywords and crowds that the platform has no more are marked in editor and preview, and can be removed', async ({
  page,
  admin,
}) => {
  await selectAdvertiser(page, adv_id)
  const account = await accountOf(admin, adv_id)
  const { id } = await addPackage(admin, account, '旧词旧人群', {
    ...{ behavior: 'CUSTOM', behavior_keywords: ['没有这样的词'] },
    ...{ custom_audience: ['99999999'] },
  })
  const saved_at = Math.floor(Date.now() / 1000)
  // A list of crowds that was read before the save says nothing about the package.
  const listed = async () =>
    (await api<{ read_at: number }>(admin, 'get', `${CALLS}/dmp?advertiser_id=${account}&refresh=1`)).read_at
  await expect.poll(listed).toBeGreaterThan(saved_at)
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`)
  await expectRemovable(page, [
    ['行为兴趣', '已选行为', '没有这样的词'],
    ['自定义人群', '已选定向人群', '99999999'],
  ])
})
