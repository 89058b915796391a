import { COMMERCE } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { beginPlan } from './package-list.ts'
import { inRecords } from './records.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const LIST = '/cowd-manage/cowd-assets/4?dir_id=0'
const CALLS = '/api/v1/gdtcrowd/custom/targetings'
const LONG = '高消费女性老客户再次购买人群包二零二六年版'

let adv_id = 0
let advertiser_id = 0
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '直播品牌')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number }[] }>(admin, 'get', path)
  advertiser_id = data[0]?.id ?? 0
})

const add = (page: Page, targeting_name: string, targeting: object) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, {
    targeting_name,
    dir_id: 1,
    advertiser_id,
    targeting: { landing_type: 'LIVE', ...targeting },
  })
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
const menuOf = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `「${name}」的更多操作` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('packages of 巨量千川 are listed, renamed, copied, moved, restored and deleted', async ({
  page,
  admin,
  server,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await expect(page.getByText('还没有巨量千川定向包')).toBeVisible()
  await expectAccessible(page)

  const { id } = await add(admin, LONG, { gender: ['GENDER_FEMALE'], age: ['AGE_ABOVE_50'] })
  await add(admin, '年轻男性', { gender: ['GENDER_MALE'], age: ['AGE_BETWEEN_18_23'] })
  await page.reload()
  const shown = `${[...LONG].slice(0, 20).join('')}…`
  const row = rowOf(page, shown)
  await expect(row).toContainText('正常')
  await expect(row).toContainText('长期有效')
  await expect(row).toContainText('仅本地')
  await expect(row).toContainText('暂无')
  await page.getByRole('button', { name: shown }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: LONG })).toBeVisible()
  await expectAccessible(page)

  await menuOf(page, LONG, '重命名')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('定向包名称')
  await name.fill('年轻男性')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('同级目录下不允许重名')).toBeVisible()
  await name.fill('老 客')
  await expect(dialog.getByText('同级目录下不允许重名')).toHaveCount(0)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('名称只支持中英文，数字，横杠，下划线')).toBeVisible()
  await name.fill('老客')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()

  await api(admin, 'post', `${CALLS}/update`, { id, targeting: { landing_type: 'LIVE', gender: ['GENDER_MALE'] } })
  await page.getByRole('button', { name: '老客', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`package=${id}`))
  const content = dialog.getByRole('region', { name: '定向内容' })
  await expect(content).toContainText('男')
  await expect(dialog.getByText('定向包类型').locator('..')).toContainText('直播')
  const versions = dialog.getByRole('table', { name: '修改记录' }).getByRole('row')
  // The head, the creation, the new name, the new targeting.
  await expect(versions).toHaveCount(4)
  await versions.last().getByRole('button', { name: '展开定向内容' }).click()
  await expect(dialog.locator('.ant-tag', { hasText: '50 岁及以上' })).toBeVisible()
  await expectAccessible(page)
  const endPlan = await beginPlan(server, id, '春季直播')
  await page.reload()
  await versions.filter({ hasText: '新建' }).getByRole('button', { name: '恢复' }).click()
  const question = page.getByRole('dialog', { name: '恢复到版本 1？' })
  await expect(question).toContainText('正在使用它的计划「春季直播」随后按新的定向投放。')
  await endPlan()
  await question.getByRole('button', { name: '恢复' }).click()
  await expect(page.getByText('已恢复到版本 1')).toBeVisible()
  await expect(content).toContainText('女')
  await expect(content).toContainText('50 岁及以上')
  await page.reload()
  await expect(content).toContainText('女')
  await page.getByRole('button', { name: '关闭' }).click()
  await expect(page).not.toHaveURL(/package=/)

  // The version had another name, which is free.
  await expect(row).toBeVisible()
  await api(admin, 'post', '/api/peopledir', { name: '大促', parentId: null })
  await page.reload()
  await menuOf(page, LONG, '移动到')
  await page.getByRole('dialog').getByRole('treeitem', { name: '大促' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('文件夹移动成功')).toBeVisible()
  await page.getByRole('treeitem', { name: '大促' }).click()
  await expect(rowOf(page, shown)).toBeVisible()
  await expect(rowOf(page, '年轻男性')).toHaveCount(0)

  await menuOf(page, LONG, '删除')
  await page
    .getByRole('dialog', { name: `删除定向包「${LONG}」？` })
    .getByRole('button', { name: '删除' })
    .click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(page.getByText('此文件夹下还没有巨量千川定向包')).toBeVisible()
})

test('a member who may only look sees packages and changes none', async ({ page, admin, openAs }) => {
  await selectAdvertiser(page, adv_id)
  await add(admin, '只读的包', { gender: ['GENDER_FEMALE'] })
  const viewer = await aViewer(admin, 'onlooker', [adv_id])
  const { list } = await api<{ list: { id: number; username: string }[] }>(admin, 'get', '/api/viewer/list')
  const id = list.find(({ username }) => username === 'onlooker')?.id
  await api(admin, 'put', `/api/viewer/${id}`, { read_only_adv_ids: [adv_id] })
  const theirs = await openAs(viewer)
  await theirs.goto(LIST)
  const row = rowOf(theirs, '只读的包')
  await expect(row.getByRole('button', { name: '复制', exact: true })).toBeDisabled()
  await expect(row.getByRole('button', { name: '编辑', exact: true })).toBeDisabled()
  await row.getByRole('button', { name: '只读的包', exact: true }).click()
  await expect(theirs.getByRole('region', { name: '定向内容' })).toContainText('女')
  await expect(theirs.getByRole('dialog').getByRole('button', { name: '恢复' }).first()).toBeDisabled()

  await theirs.goto(`${LIST}&new=1`)
  await expect(theirs.getByRole('alert').filter({ hasText: '不能在这里新建' })).toContainText('只有查看权限')
  await expect(theirs.getByRole('dialog')).toHaveCount(0)
  await theirs.goto('/cowd-manage/assets/crowd/3/0')
  await expect(theirs.getByText('不能新建定向包')).toBeVisible()

  await theirs.goto('/cowd-manage/tags')
  await expect(theirs.getByRole('heading', { level: 1, name: '标签管理' })).toBeVisible()
  await theirs.keyboard.press('Control+k')
  await theirs.getByRole('combobox', { name: /搜索页面/ }).fill('只读的')
  await theirs.getByRole('option', { name: /只读的包/ }).click()
  await expect(theirs.getByRole('dialog').getByText('定向包「只读的包」')).toBeVisible()
})

test('the list is filtered by who made the packages', async ({ page, admin, openAs }) => {
  await selectAdvertiser(page, adv_id)
  await add(admin, '管理员建的包', {})
  const colleague = await openAs(await aViewer(admin, 'colleague', [adv_id], { realname: '同事小李' }))
  await add(colleague, '小李建的包', {})
  await page.goto(LIST)
  await expect(rowOf(page, '管理员建的包')).toBeVisible()
  await page.getByRole('search').getByRole('combobox', { name: '创建人' }).click()
  const option = page.locator('.ant-select-item-option')
  await expect(option.filter({ hasText: '管理员' })).toBeVisible()
  await option.filter({ hasText: '同事小李' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/creator_id=\d+/)
  await expect(rowOf(page, '小李建的包')).toBeVisible()
  await expect(rowOf(page, '管理员建的包')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('search')).toContainText('同事小李')
  await expect(rowOf(page, '管理员建的包')).toHaveCount(0)
})

test('on 巨量千川 a refused deletion stays two minutes beside the list', async ({ page, admin, server }) => {
  const { id } = await add(admin, '直播投放中', {})
  const use = 'INSERT INTO targeting_use (package_id, plan_id, plan_name, live) VALUES ($1, 7, $2, true)'
  await inRecords(server.dataDir, use, id, '双十一直播')
  await selectAdvertiser(page, adv_id)
  await page.clock.install()
  await page.goto(LIST)
  await menuOf(page, '直播投放中', '删除')
  const refusal = page.getByText('定向包 直播投放中 正在被计划使用中，请先解绑或关闭计划：双十一直播')
  await expect(refusal).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.clock.fastForward(100_000)
  await expect(refusal).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(refusal).toHaveCount(0)
})
