import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { packageRow } from './package-list.ts'
import { makeSocialCrowds } from './platform-crowds.ts'
import { inRecords } from './records.ts'
import { sandboxOf } from './sandbox.ts'
import {
  accountOf,
  addPackage,
  CALLS,
  custom,
  fillDialog,
  LIST,
  radios,
  save,
  socialBrand,
  tab,
  test,
} from './social-packages.ts'
import { expect } from './test.ts'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  adv_id = await socialBrand(admin)
})

test('a crowd that came to the account meanwhile is listed once the list is refreshed', async ({ page, admin }) => {
  const late = (await anAdvertiser(admin, '人群稍后')).id
  await authorise(admin, { adv_id: late, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户1/ })
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${late}`
  const { data } = await api<{ data: { external_id: string }[] }>(admin, 'get', path)
  await selectAdvertiser(page, late)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '等人群')
  await tab(page, '自定义人群')
  await custom(page, '定向人群')
  await expect(page.getByText('自定义人群列表暂无数据')).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('link', { name: '自定义人群' })).toBeVisible()
  await expectAccessible(page)

  await makeSocialCrowds(await sandboxOf(admin), data[0]?.external_id ?? '', ['刚推送的人群'])
  const refresh = page.getByRole('button', { name: '刷新定向人群' })
  await refresh.click()
  await expect(page.getByRole('list', { name: '可选的定向人群' })).toContainText('刚推送的人群')
  await expect(refresh).toBeFocused()
})

test('Back after a save leads to the list, not to the form that was saved', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '存后返回')
  await save(page)
  await expect(packageRow(page, '存后返回')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('人群资产')
})

test('an age is found by typing it, and the sentence of behaviours stands on two lines', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '打字选年龄')
  await tab(page, '人口学属性')
  await custom(page, '年龄')
  await page.getByRole('button', { name: /添加年龄段/ }).click()
  await page.getByRole('combobox', { name: '最大年龄' }).click()
  await page.keyboard.type('40')
  // A person presses Enter once the match is marked.
  await expect(page.locator('.ant-select-item-option-active')).toHaveText('40 岁')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: '预览' })).toContainText('18-40 岁')

  await tab(page, '行为兴趣')
  await custom(page, '行为')
  const [scene, time] = await Promise.all(
    ['行为场景', '行为时间'].map((name) => page.getByRole('combobox', { name }).boundingBox()),
  )
  expect((time?.y ?? 0) - (scene?.y ?? 0)).toBeLessThan(50)
})

test('a package that a live plan uses is not deleted: a dialog says which plan', async ({ page, admin, server }) => {
  await selectAdvertiser(page, adv_id)
  const { id } = await addPackage(admin, await accountOf(admin, adv_id), '投放中的包', { gender: ['FEMALE'] })
  await inRecords(
    server.dataDir,
    "INSERT INTO targeting_use (package_id, plan_id, plan_name, live) VALUES ($1, 7, '朋友圈上新', true)",
    id,
  )
  await page.goto(LIST)
  const row = page.getByRole('row').filter({ hasText: '投放中的包' })
  await expect(row).toContainText('使用中')
  const remove = async () => {
    await page.getByRole('button', { name: '「投放中的包」的更多操作' }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
  }
  await remove()
  const refusal = page.getByRole('dialog', { name: '无法删除' })
  await expect(refusal).toContainText('定向包 投放中的包 正在被计划使用中，请先解绑或关闭计划：朋友圈上新')
  await expectAccessible(page)
  await refusal.getByRole('button', { name: '知道了' }).click()
  await expect(refusal).toHaveCount(0)
  await expect(row).toBeVisible()

  await inRecords(server.dataDir, 'UPDATE targeting_use SET live = false WHERE package_id = $1', id)
  await remove()
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('at 1280 px the list does not scroll sideways, and no time is cut by the column of actions', async ({
  page,
  admin,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await selectAdvertiser(page, adv_id)
  await addPackage(admin, await accountOf(admin, adv_id), '名'.repeat(30), { gender: ['FEMALE'] })
  await page.goto(LIST)
  await expect(page.getByRole('row').filter({ hasText: '名名名' })).toBeVisible()
  const overflowing = await page.evaluate(() =>
    [...document.querySelectorAll('.ant-table-content, .ant-table-body')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => `${element.scrollWidth} in ${element.clientWidth}`),
  )
  expect(overflowing).toEqual([])
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('tbody td')]
      .filter((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        const isTime = /\d{4}-\d\d-\d\d/.test(cell.textContent)
        return isTime && text.getBoundingClientRect().right > cell.getBoundingClientRect().right
      })
      .map((cell) => cell.textContent),
  )
  expect(cut).toEqual([])
})

test('an account for crowds alone has no estimates, and the editor says so', async ({ page, admin }) => {
  const crowds = (await anAdvertiser(admin, '只管人群')).id
  await authorise(admin, {
    ...{ adv_id: crowds, platform: SOCIAL, login: '海棠运营' },
    ...{ accounts: /海棠腾讯账户3/, scopes: /人群管理/ },
  })
  await selectAdvertiser(page, crowds)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '没有预估')
  const reach = page.getByRole('region', { name: '预估覆盖' })
  await expect(reach).toContainText('没有预估所需的权限（广告投放）')
  await expect(reach).toContainText('暂无')
  await expectAccessible(page)
  await radios(page, '地理位置').getByRole('radio', { name: '按地域' }).check()
  await expect(reach).toContainText('补全定向后预估')
  await expect(page.getByRole('tree', { name: '地域' })).toBeVisible()
})

test('regions keep their names on an account that nobody is authorised for', async ({ page, admin }) => {
  const gone = (await anAdvertiser(admin, '授权到期')).id
  await authorise(admin, { adv_id: gone, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户4/ })
  const account = await accountOf(admin, gone)
  const regions = { geo_location: 'REGIONS', location_types: ['LIVE_IN'] }
  const { id } = await addPackage(admin, account, '南方的包', { ...regions, regions: ['110000', '440300'] })
  const changed = { id, targeting: { ...regions, regions: ['110000', '440305'] } }
  await api(admin, 'post', `${CALLS}/update`, changed)
  await api(admin, 'post', `/api/oauth/revoke/${account}`)

  await selectAdvertiser(page, gone)
  await page.goto(`${LIST}&package=${id}`)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('region', { name: '定向内容' })).toContainText('深圳市南山区')
  await expect(drawer.getByRole('region', { name: '定向内容' })).toContainText('北京市')
  const history = drawer.getByRole('table', { name: '修改记录' })
  await expect(history.getByRole('row').filter({ hasText: '修改' }).last()).toContainText('深圳市 → 深圳市南山区')
  await page.goto(`${LIST}&compare=${id}%401,${id}`)
  const regionsRow = page.getByRole('table', { name: '对比' }).getByRole('row').filter({ hasText: '地域' })
  await expect(regionsRow).toContainText('深圳市')
  await expect(regionsRow).toContainText('深圳市南山区')

  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/watch/${id}`)
  await expect(page.getByRole('complementary', { name: '预览' })).toContainText('北京市、深圳市南山区')
  const chosen = page.getByRole('region', { name: '已选地域' })
  await expect(chosen).toContainText('深圳市南山区')
  await expect(chosen).not.toContainText('已下线')
  await expectAccessible(page)
})

test('an account that is revoked under an open editor is named, with what to do', async ({ page, admin }) => {
  const gone = (await anAdvertiser(admin, '授权撤销')).id
  await authorise(admin, { adv_id: gone, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户2/ })
  const account = await accountOf(admin, gone)
  await selectAdvertiser(page, gone)
  await page.goto(LIST)
  await page.getByRole('button', { name: '新建腾讯广告定向包' }).first().click()
  await fillDialog(page, '来不及保存')
  await expect(page.getByRole('heading', { level: 1, name: '新建腾讯广告定向包' })).toBeVisible()
  await api(admin, 'post', `/api/oauth/revoke/${account}`)
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.locator('.ant-message-notice')).toContainText('没有授权，请到「广告主授权」授权')
  await expect(page.getByLabel('名称', { exact: true })).toHaveValue('来不及保存')
})

test('an address of a package that cannot be says so', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets/gdt-cowd/watch/0')
  await expect(page.getByText('没有这个定向包')).toBeVisible()
})

test('of many crowds only those in sight are drawn, and all can be reached', async ({ page, admin, server }) => {
  await selectAdvertiser(page, adv_id)
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number; external_id: string }[] }>(admin, 'get', path)
  const [account] = data
  const names = Array.from({ length: 150 }, (_, at) => `人群${at + 1}`)
  await makeSocialCrowds(await sandboxOf(admin), account?.external_id ?? '', names)
  await inRecords(server.dataDir, 'DELETE FROM dictionary_copy')
  const { id } = await addPackage(admin, account?.id ?? 0, '很多人群', { gender: ['MALE'] })
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`)
  await tab(page, '自定义人群')
  await custom(page, '定向人群')
  await custom(page, '排除人群')
  const included = page.getByRole('list', { name: '可选的定向人群' })
  const first = included.getByRole('checkbox').first()
  await first.check()
  await first.hover()
  const total = Number(await included.getByRole('listitem').first().getAttribute('aria-setsize'))
  expect(total).toBeGreaterThanOrEqual(names.length)
  const last = included.locator(`[aria-posinset="${total}"]`)
  await expect(async () => {
    await page.mouse.wheel(0, 10_000)
    await expect(last).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 60_000 })
  expect(await included.getByRole('listitem').count()).toBeLessThan(50)
  // The keyboard is still where it was, and goes on from there.
  await expect(first).toBeFocused()
  await page.keyboard.press('Tab')
  const second = included.locator('[aria-posinset="2"]').getByRole('checkbox')
  await expect(second).toBeFocused()
  await expect(second).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(second).toBeChecked()
  await expect(page.getByRole('region', { name: '已选定向人群' })).toContainText('已选定向人群 2/')
  const excluded = page.getByRole('list', { name: '可选的排除人群' })
  await expect(excluded.getByRole('checkbox').nth(1)).toBeDisabled()
  await expect(excluded.getByRole('checkbox').nth(2)).toBeEnabled()
  await expectAccessible(page)
})
