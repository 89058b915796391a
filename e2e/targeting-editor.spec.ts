import { COMMERCE } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import {
  beginPlan,
  chooseFolder,
  deletePackage,
  movePackages,
  packageRow,
  renamePackage,
  seeDeletionRefused,
} from './package-list.ts'
import { chooseKeyword } from './targeting-fields.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const LIST = '/cowd-manage/cowd-assets/4?dir_id=0'
const CALLS = '/api/v1/gdtcrowd/custom/targetings'

let adv_id = 0
let advertiser_id = 0
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '直播品牌')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number }[] }>(admin, 'get', path)
  advertiser_id = data[0]?.id ?? 0
})

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const field = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const radios = (page: Page, name: string) => page.getByRole('radiogroup', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: '确定' }).click()
const detail = (page: Page, id: number) =>
  api<{ targeting: Record<string, unknown>; name: string; ver: number }>(page, 'get', `${CALLS}/get?id=${id}`)

async function fillDialog(page: Page, name: string, type = '直播') {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('定向包名称').fill(name)
  await dialog.getByRole('radio', { name: type }).check()
  if ((await dialog.getByText('请选择平台账户').count()) > 0) {
    await dialog.getByRole('combobox', { name: '平台账户' }).click()
    await page.locator('.ant-select-item-option').first().click()
  }
  // Enter takes the typed day and leaves the dialog open.
  await dialog.getByLabel('失效时间').fill('2099-12-31')
  await dialog.getByLabel('失效时间').press('Enter')
  await expect(dialog.getByLabel('失效时间')).toHaveValue('2099-12-31')
  await expect(dialog.getByRole('button', { name: '去设置' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('巨量千川定向包')
}

test('a package of 巨量千川 is made through all tabs, reopened equal, copied, read, renamed, moved and deleted', async ({
  page,
  server,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建巨量千川定向包' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('请选择，新建后不能更改')).toBeVisible()
  await expect(dialog.getByText('广告主')).toHaveCount(0)
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(dialog.getByText('请输入定向包名称')).toBeVisible()
  await expect(dialog.getByText('请选择定向包类型')).toBeVisible()
  await expect(dialog.getByText('请选择失效时间').last()).toBeVisible()
  await expectAccessible(page)
  await fillDialog(page, '一线城市年轻女性')

  await expect(page.getByLabel('名称')).toHaveValue('一线城市年轻女性')
  await field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' }).check()
  await field(page, '年龄').getByRole('checkbox', { name: '24-30 岁' }).check()
  await radios(page, '性别').getByRole('radio', { name: '女' }).check()
  await radios(page, '地理位置').getByRole('radio', { name: '省市' }).check()
  await save(page)
  await expect(page.getByText('请检查人口学属性')).toBeVisible()
  await expect(page.getByText('请至少选择1个地理位置')).toBeVisible()
  await page.getByLabel('搜索地域').fill('shanghai')
  await page
    .getByRole('treeitem', { name: /上海市/ })
    .locator('.ant-tree-checkbox')
    .click()
  await page.getByLabel('搜索地域').fill('sz')
  await page
    .getByRole('treeitem', { name: /^深圳市/ })
    .locator('.ant-tree-checkbox')
    .click()
  await expect(page.getByRole('region', { name: '已选地域' })).toContainText('深圳市')
  await radios(page, '地点类型').getByRole('radio', { name: '居住在该地区的用户' }).check()
  await expect(radios(page, '排除限运地域')).toHaveCount(0)
  await radios(page, '地点类型').getByRole('radio', { name: '正在该地区的用户' }).check()
  await radios(page, '排除限运地域').getByRole('radio', { name: '排除', exact: true }).check()
  await expectAccessible(page)

  await tab(page, '用户行为')
  await radios(page, '行为兴趣').getByRole('radio', { name: '自定义' }).check()
  await expect(field(page, '行为场景').getByRole('checkbox', { checked: true })).toHaveCount(4)
  await save(page)
  await expect(page.getByText('请选择行为、兴趣')).toBeVisible()
  await field(page, '行为场景').getByRole('checkbox', { name: '搜索互动行为' }).uncheck()
  await radios(page, '行为天数').getByRole('radio', { name: '60 天' }).check()
  await page.getByRole('tree', { name: '兴趣类目' }).locator('.ant-tree-checkbox').first().click()
  await expect(page.getByRole('region', { name: '已选兴趣' })).toContainText('已选兴趣 1/350')
  const actions = page.getByRole('tree', { name: '行为类目' })
  await actions.locator('.ant-tree-checkbox').first().click()
  await expect(page.getByRole('region', { name: '已选行为' })).toContainText('已选行为 1/350')
  await chooseKeyword(page, '兴趣', '女装')
  await chooseKeyword(page, '行为', '手机')
  await expect(page.getByText('与「手机推荐」相关：')).toBeVisible()
  await expectAccessible(page)

  await tab(page, '自定义人群')
  await page.getByRole('checkbox', { name: '定向人群' }).check()
  await page.getByRole('checkbox', { name: '排除人群' }).check()
  await save(page)
  await expect(page.getByText('定向人群与排除人群至少选择一个')).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: '定向人群的种类' })).toBeVisible()
  const included = page.getByRole('list', { name: '可选的定向人群' })
  const excluded = page.getByRole('list', { name: '可选的排除人群' })
  await expect(included.getByText('仅对排除人群生效').first()).toBeVisible()
  await expect(excluded.getByText('仅对定向人群生效').first()).toBeVisible()
  const first = included.getByRole('listitem').first().getByRole('checkbox')
  await first.check()
  await expect(excluded.getByRole('listitem').first().getByRole('checkbox')).toBeDisabled()
  await excluded.getByRole('listitem').nth(1).getByRole('checkbox').check()
  await expect(included.getByRole('listitem').nth(1).getByRole('checkbox')).toBeDisabled()
  // Each page has ten.
  await expect(async () => {
    await included.evaluate((list) => list.parentElement?.scrollTo(0, list.scrollHeight))
    // Only those in sight are drawn.
    const last = await included.getByRole('listitem').last().getAttribute('aria-posinset', { timeout: 300 })
    expect(Number(last)).toBeGreaterThan(40)
  }).toPass()
  await expectAccessible(page)

  await tab(page, '设备定向')
  await field(page, '平台').getByRole('checkbox', { name: 'Android' }).check()
  await field(page, '网络').getByRole('checkbox', { name: 'Wi-Fi' }).check()
  await expectAccessible(page)

  await tab(page, '特殊定向')
  await radios(page, '抖音达人').getByRole('radio', { name: '自定义' }).check()
  await radios(page, '智能放量').getByRole('radio', { name: '启用', exact: true }).check()
  await field(page, '用户行为类型').getByRole('checkbox', { name: '视频互动-已评论用户' }).uncheck()
  await save(page)
  await expect(page.getByText('用户行为类型不能为空')).toBeVisible()
  await expect(page.getByText('请添加达人分类或抖音达人')).toBeVisible()
  await expect(page.getByText('请选择可开放定向')).toBeVisible()
  await field(page, '用户行为类型').getByRole('checkbox', { name: '视频互动-已点赞用户' }).check()
  await radios(page, '行为时间范围').getByRole('radio', { name: '30 天' }).check()
  const creatorCategories = page.getByRole('tree', { name: '达人分类' })
  await creatorCategories.locator('.ant-tree-checkbox').nth(1).click()
  await creatorCategories.locator('.ant-tree-node-content-wrapper').first().click()
  const creators = page.getByRole('list', { name: '可选的抖音达人' })
  await creators.getByText(/^粉丝/).first().click()
  await expect(creators.getByRole('checkbox').first()).toBeChecked()
  await creators.getByRole('button', { name: '相似达人' }).first().click()
  await expect(page.getByText(/相似的达人/)).toBeVisible()
  await expect(page.getByRole('region', { name: '已选达人' })).toContainText('已选达人 2/30')
  await field(page, '可开放定向').getByRole('checkbox', { name: '年龄' }).check()
  await radios(page, '新客').getByRole('radio', { name: '店铺未购' }).check()
  await field(page, '平台精选人群包').getByRole('checkbox', { name: '高活跃人群' }).check()
  await expectAccessible(page)

  const preview = page.getByRole('complementary', { name: '预览' })
  await expect(preview).toContainText('18-23 岁、24-30 岁')
  await expect(preview).toContainText('上海市、深圳市')
  await preview.getByRole('button', { name: '性别' }).click()
  await expect(radios(page, '性别')).toBeVisible()

  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await expect(radios(page, '性别').getByRole('radio', { name: '女' })).toBeChecked()
  await save(page)
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(page).toHaveURL(/cowd-assets\/4/)

  const { list } = await api<{ list: { id: number; name: string }[] }>(page, 'post', `${CALLS}/list`, {
    platform: COMMERCE,
  })
  const id = list.find(({ name }) => name === '一线城市年轻女性')?.id ?? 0
  const made = await detail(page, id)
  expect(made.targeting).toMatchObject({
    landing_type: 'LIVE',
    age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'],
    gender: ['GENDER_FEMALE'],
    district: ['CITY'],
    regions: { regions: ['310000', '440300'], regionsPlan: [] },
    location_types: ['CURRENT'],
    exclude_limited_region: 1,
    smart_interest_action: 'CUSTOM',
    action_scene: ['E-COMMERCE', 'NEWS', 'APP'],
    action_days: 60,
    action_tags: [{ type: 1 }, { type: 2 }],
    interest_tags: [{ type: 1 }, { type: 2 }],
    platform: ['ANDROID'],
    ac: ['WIFI'],
    auto_crowd_mode: [1, 2],
    aweme_fan_behaviors: ['LIKED_USER'],
    aweme_fan_time_scope: 'DAYS_30',
    user_aweme_fan: [{ type: 'category' }, { type: 'account' }],
    auto_extend_targets: ['AGE'],
    new_customer: 'NO_BUY',
    live_platform_tags: ['ABNORMAL_ACTIVE'],
  })

  await page.getByRole('button', { name: '编辑' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: '编辑巨量千川定向包' })).toBeVisible()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/4/)
  expect((await detail(page, id)).ver).toBe(made.ver)

  await page.getByRole('button', { name: '复制', exact: true }).first().click()
  await expect(page.getByRole('dialog', { name: '复制定向包「一线城市年轻女性」' })).toBeVisible()
  await chooseFolder(page)
  await fillDialog(page, '复制的包', '短视频')
  await expect(page.getByRole('heading', { level: 1, name: '复制巨量千川定向包' })).toBeVisible()
  await expect(page.getByText('1 项条件没有原样带过来')).toBeVisible()
  await tab(page, '特殊定向')
  await expect(page.getByRole('tabpanel').getByText('平台精选人群包')).toHaveCount(0)
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/4/)

  await page.getByRole('button', { name: '「复制的包」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '查看' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '查看巨量千川定向包' })).toBeVisible()
  await expect(page.getByLabel('名称')).toBeDisabled()
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '确定' })).toHaveCount(0)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page).toHaveURL(/cowd-assets\/4/)

  await movePackages(page, LIST, ['复制的包', '一线城市年轻女性'])
  await renamePackage(page, '复制的包', '改名的包')
  const endPlan = await beginPlan(server, id, '双十一')
  await page.reload()
  await seeDeletionRefused(page, '一线城市年轻女性', '双十一')
  await endPlan()
  await deletePackage(page, '一线城市年轻女性')
  await expect(packageRow(page, '改名的包')).toBeVisible()
  await expectAccessible(page)
})

test('the reach is estimated once the account says what for, falls with each choice, and is kept with the package', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  const targeting = { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] }
  const { id } = await api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name: '预估的包', dir_id: 1, advertiser_id, targeting },
  })
  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/${id}`)
  const reach = page.getByRole('region', { name: '预估覆盖' })
  await expect(reach).toContainText('预估前请先设置转化目标、抖音号 ID')
  await expect(reach).toContainText('暂无')
  await reach.getByRole('button', { name: '去设置' }).click()
  const dialog = page.getByRole('dialog', { name: '直播的预估目标' })
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('请选择转化目标').last()).toBeVisible()
  await dialog.getByLabel('转化目标').click()
  await page.getByTitle('直播间成交', { exact: true }).click()
  await dialog.getByLabel('抖音号 ID').fill('3456789012345678901')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  const figure = async () =>
    Number(((await reach.textContent()) ?? '').match(/([\d,]+)\s*人/)?.[1]?.replaceAll(',', ''))
  await expect.poll(figure).toBeGreaterThan(1_000_000)
  const women = await figure()
  await field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' }).check()
  await expect.poll(figure).toBeLessThan(women)
  await expect(reach.getByRole('listitem')).toHaveText([/年龄/, /性别/])
  await expectAccessible(page)
  const young = await figure()
  await save(page)
  await expect(page).toHaveURL(/cowd-assets\/4/)
  expect(await detail(page, id)).toMatchObject({ user_count: young })

  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/${id}`)
  await page.getByRole('tab', { name: '自定义人群' }).click()
  await page.getByRole('checkbox', { name: '定向人群' }).check()
  await expect(reach).toContainText('补全定向后预估')
})

test('two who edit a package: the second is told by whom, and neither loses what they did', async ({
  page,
  admin,
  openAs,
}) => {
  await selectAdvertiser(page, adv_id)
  const other = await openAs(await aViewer(admin, 'lin-colleague', [adv_id], { realname: '林同事' }))
  const targeting = { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] }
  const { id } = await api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name: '两人修改', dir_id: 1, advertiser_id, targeting },
  })
  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/${id}`)
  await radios(page, '性别').getByRole('radio', { name: '男' }).check()
  await other.goto(`/cowd-manage/assets/crowd/${COMMERCE}/${id}`)
  await field(other, '年龄').getByRole('checkbox', { name: '50 岁及以上' }).check()
  await save(other)
  await expect(other.getByText('保存成功')).toBeVisible()
  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改。此定向包在那之后有新的保存')).toBeVisible()
  await save(page)
  const dialog = page.getByRole('dialog', { name: '此定向包已被他人修改' })
  await expect(dialog.getByRole('alert')).toContainText('林同事')
  const line = (label: string) => dialog.getByRole('row').filter({ has: page.getByText(label, { exact: true }) })
  await expect(line('年龄').getByRole('cell').nth(1)).toContainText('不限')
  await expect(line('年龄').getByRole('cell').nth(2)).toContainText('50 岁及以上')
  await expect(line('性别').getByRole('cell').nth(1)).toContainText('男')
  await expect(line('性别').getByRole('cell').nth(2)).toContainText('女')
  await expect(line('名称')).toContainText('相同')
  await expect(line('存储路径')).toContainText('相同')
  await expectAccessible(page)

  await dialog.getByRole('button', { name: '继续编辑' }).click()
  await page.getByLabel('名称', { exact: true }).fill('两人都修改')
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeChecked()
  await save(page)
  await expect(line('名称')).toContainText('两人都修改')
  await expect(line('名称')).toContainText('不同')

  await dialog.getByRole('button', { name: '查看对方的版本' }).click()
  await expect(field(page, '年龄').getByRole('checkbox', { name: '50 岁及以上' })).toBeChecked()
  await expect(page.getByText('还有一份我的修改没有保存')).toBeVisible()
  // It outlives a reload, and is not left without a question.
  await page.reload()
  await expect(field(page, '年龄').getByRole('checkbox', { name: '50 岁及以上' })).toBeChecked()
  await page.getByRole('button', { name: '取消' }).click()
  await page
    .getByRole('dialog')
    .filter({ hasText: '有未保存的修改，确定离开吗' })
    .getByRole('button', { name: '继续编辑' })
    .click()
  // What is added to the other version stays too while the own one is taken back.
  await field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' }).check()
  await page.getByRole('button', { name: '取回我的修改' }).click()
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeChecked()
  await expect(page.getByLabel('名称', { exact: true })).toHaveValue('两人都修改')
  await page.getByRole('button', { name: '取回我的修改' }).click()
  await expect(field(page, '年龄').getByRole('checkbox', { name: '18-23 岁' })).toBeChecked()
  await page.getByRole('button', { name: '取回我的修改' }).click()
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeChecked()

  // A third save meanwhile: overwriting asks nothing more, and the history keeps what it replaced.
  await api(page, 'post', `${CALLS}/update`, { id, targeting: { ...targeting, age: ['AGE_BETWEEN_31_40'] } })
  await save(page)
  await expect(line('年龄')).toContainText('31-40 岁')
  await dialog.getByRole('button', { name: '覆盖保存' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  const saved = await detail(page, id)
  expect(saved).toMatchObject({ name: '两人都修改', targeting: { gender: ['GENDER_MALE'] } })
  expect(saved.targeting).not.toHaveProperty('age')
  const { list } = await api<{ list: { targeting: object }[] }>(page, 'get', `${CALLS}/history?id=${id}`)
  expect(list[1]?.targeting).toMatchObject({ age: ['AGE_BETWEEN_31_40'] })
})

test('a package that somebody deleted under an open editor is said, and saved as a new one', async ({
  page,
  admin,
}) => {
  await selectAdvertiser(page, adv_id)
  const targeting = { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] }
  const { id } = await api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    ...{ targeting_name: '被删除的包', dir_id: 1, advertiser_id, targeting },
  })
  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/${id}`)
  await radios(page, '性别').getByRole('radio', { name: '男' }).check()
  await api(admin, 'get', `${CALLS}/delete?id=${id}`)
  await save(page)
  const dialog = page.getByRole('dialog', { name: '此定向包已被删除' })
  await expect(dialog).toContainText('这里的内容还在')
  await dialog.getByRole('button', { name: '继续编辑' }).click()
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeChecked()
  await save(page)
  await dialog.getByRole('button', { name: '另存为新定向包' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(packageRow(page, '被删除的包')).toBeVisible()
})

test('leaving with changes asks; an unknown ticket opens the dialog; a missing package says so', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/0?ticket=lost`)
  await fillDialog(page, '离开前询问')
  await radios(page, '性别').getByRole('radio', { name: '男' }).check()
  await page.getByRole('button', { name: '取消' }).click()
  const question = page.getByRole('dialog').filter({ hasText: '有未保存的修改，确定离开吗' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(radios(page, '性别').getByRole('radio', { name: '男' })).toBeChecked()
  await page.getByRole('button', { name: '取消' }).click()
  await question.getByRole('button', { name: '放弃修改' }).click()
  await expect(page).toHaveURL(/cowd-assets\/4/)
  await page.goto(`/cowd-manage/assets/crowd/${COMMERCE}/999999`)
  await expect(page.getByText('没有这个定向包')).toBeVisible()
})
