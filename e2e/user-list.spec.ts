import { readFileSync } from 'node:fs'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const PHONE = '13912345678'
/** Days of March 2026 in the server's zone. */
const at = (day: number, second: number) =>
  `2026-03-${String(day).padStart(2, '0')} 08:00:${String(second).padStart(2, '0')}`

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `行为${SUFFIX}`))
  const users = Array.from({ length: 12 }, (_, no) => `00${no},用户${no},,${no === 1 ? '上海' : '北京'},`)
  const file = ['编号,姓名,手机,城市,备注', ...users, `${PHONE},号码的主人,${PHONE},,联系${PHONE}`].join('\n')
  const people = { kind: 'users', id: '编号', name: '姓名', phone: '手机', identifiers: [], skip: [] }
  await importFile(admin, '用户.csv', file, adv_id, people)
  const visits = Array.from({ length: 23 }, (_, no) => `001,浏览,${at(2, no)},第 ${no} 页`)
  const events = [...visits, `001,支付,${at(5, 0)},`, `002,浏览,${at(4, 0)},`, `${PHONE},浏览,${at(3, 0)},`]
  const mapping = { kind: 'events', id: '编号', event: '事件', time: '时间', skip: [] }
  await importFile(admin, '事件.csv', ['编号,事件,时间,页面', ...events].join('\n'), adv_id, mapping)
})

const rows = (page: Page) => page.getByRole('table', { name: '用户列表' }).locator('tbody tr.ant-table-row')
const firstIds = (page: Page) =>
  rows(page).evaluateAll((all) => all.map((row) => row.querySelector('a')?.textContent ?? ''))

async function openList(page: Page, query = '') {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/user-list${query}`)
  await expect(rows(page).first()).toBeVisible()
}

test('the list shows the newest visit first, is filtered, and keeps its filters in the URL', async ({ page }) => {
  await openList(page)
  await expect(page.getByText('共 13 人')).toBeVisible()
  await expect(rows(page)).toHaveCount(10)
  expect((await firstIds(page)).slice(0, 3)).toEqual(['001', '002', PHONE])
  await expect(rows(page).first()).toContainText('用户1')
  await expect(rows(page).first()).toContainText('2026-03-05 08:00:00')
  await expect(rows(page).first()).toContainText('24')
  await expectAccessible(page)
  await page.getByTitle('2', { exact: true }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page).toHaveURL(/page=2/)

  await page.getByRole('textbox', { name: '完整的 One ID' }).fill('002')
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/oneID=002$/)
  await page.getByRole('textbox', { name: '完整的 One ID' }).fill('00')
  await expect(page.getByText('没有符合条件的用户')).toBeVisible()
  await page.getByRole('textbox', { name: '完整的 One ID' }).fill('')
  await expect(rows(page)).toHaveCount(10)

  const events = page.getByRole('combobox', { name: '事件' })
  await events.click()
  const options = page.locator('.ant-select-dropdown:visible')
  await options.locator('.ant-select-item-option', { hasText: '浏览' }).click()
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText('2026-03-05 08:00:00')
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await events.click()
  await options.getByRole('checkbox', { name: '全部' }).click()
  await expect(page).not.toHaveURL(/event/)
  await options.getByRole('checkbox', { name: '全部' }).click()
  await expect(page.getByRole('table').getByText('请选择事件')).toBeVisible()
})

test('a person’s page shows the events of a time, page by page, and downloads them', async ({ page }) => {
  await openList(page)
  await rows(page).first().getByRole('link', { name: '查看行为' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '用户行为' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/cowd-manage/user-behavior/001\\?adv_id=${adv_id}`))
  await expect(
    page.getByRole('img', { name: /^事件总量，每天一柱，共 24 次，最多的是 2026-03-02，23 次/ }),
  ).toBeVisible()
  const items = page.locator('.ant-timeline-item')
  await expect(items).toHaveCount(20)
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['2026-03-051 次', '2026-03-0223 次'])
  await expect(items.first()).toContainText('支付')
  await expect(items.nth(1)).toContainText('页面：第 22 页')
  await expectAccessible(page)
  await page.getByRole('button', { name: '下一页' }).click()
  await expect(page.getByText('第 2 / 2 页')).toBeVisible()
  await expect(items).toHaveCount(4)
  await expect(items.last()).toContainText('页面：第 0 页')
  await page.reload()
  await expect(page.getByText('第 2 / 2 页')).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText('2026-03-0223 次')
  await expect(page.getByRole('button', { name: '下一页' })).toBeDisabled()

  const began = page.waitForEvent('download')
  await page.getByRole('link', { name: '数据下载' }).click()
  const file = readFileSync(await (await began).path(), 'utf8')
  expect(file.split('\n').slice(0, 2)).toEqual(['\uFEFF时间,事件,内容', `${at(5, 0)},支付,`])
  expect(file.trim().split('\n')).toHaveLength(25)

  // Today cannot be chosen, yesterday can.
  await page.getByPlaceholder('事件周期起').click()
  const today = page.locator('.ant-picker-dropdown .ant-picker-cell-today').first()
  await expect(today).toHaveClass(/ant-picker-cell-disabled/)
  await page.keyboard.press('Escape')

  const events = page.getByRole('combobox', { name: '事件' })
  await events.click()
  const options = page.locator('.ant-select-dropdown:visible')
  await options.getByRole('checkbox', { name: '全部' }).click()
  await expect(page.getByText('请选择事件').first()).toBeVisible()
  await options.locator('.ant-select-item-option', { hasText: '支付' }).click()
  await expect(items).toHaveCount(1)
  await expect(page).toHaveURL(/event=\d+/)
})

const tagNamed = async (page: Page, name: string, tag_type: 1 | 2) => {
  let found: { id: number; name: string; count: number | null } | undefined
  await expect(async () => {
    const path = `/api/tag/list?adv_id=${adv_id}&tag_type=${tag_type}&page_size=100`
    const { list } = await api<{ list: { id: number; name: string; count: number | null }[] }>(page, 'get', path)
    found = list.find((tag) => tag.name.includes(name))
    expect(found?.count).toBeGreaterThan(0)
  }).toPass({ timeout: 30_000 })
  return { id: found?.id ?? 0, tag_type }
}

test('a profile tells what is known of somebody, and why they are in a crowd or not', async ({ page, admin }) => {
  const payers = `付款的人${SUFFIX}`
  const payersId = await aCrowd(admin, { name: payers, adv_id, uses: await tagNamed(admin, '支付', 2) })
  const repeaters = `复购的人${SUFFIX}`
  await aCrowd(admin, { name: repeaters, adv_id, uses: { id: payersId, tag_type: 3 } })
  const cities = `北京的人${SUFFIX}`
  await aCrowd(admin, { name: cities, adv_id, uses: await tagNamed(admin, '北京', 1) })
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/user-behavior/001?adv_id=${adv_id}`)
  await expect(page.getByRole('tabpanel', { name: /^属性/ })).toContainText('上海')
  await page.getByRole('tab', { name: /^标签/ }).click()
  await expect(page.getByRole('tabpanel', { name: /^标签/ })).toContainText('支付')
  await page.getByRole('tab', { name: '标识 0' }).click()
  await expect(page.getByText('没有标识')).toBeVisible()
  await page.getByRole('tab', { name: '所在人群 2' }).click()
  const crowds = page.getByRole('list', { name: '所在人群' })
  await expect(crowds.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await crowds
    .getByRole('listitem')
    .filter({ hasText: repeaters })
    .getByRole('button', { name: '为什么在里面' })
    .click()
  // A crowd in the rule is asked about in its turn.
  const over = page.getByRole('dialog', { name: `为什么在「${repeaters}」里` })
  await expectAccessible(page)
  await over.getByRole('button', { name: '为什么在里面' }).click()
  const why = page.getByRole('dialog', { name: `为什么在「${payers}」里` })
  await expect(why.getByRole('alert')).toContainText('这个人在里面')
  await expect(why.getByRole('listitem').filter({ hasText: '支付' }).last()).toContainText(
    `「支付」1 次，最近一次在 ${at(5, 0)}`,
  )
  await expect(why.getByRole('img', { name: '不成立' })).toHaveCount(0)
  await expectAccessible(page)
  await why.getByRole('button', { name: '返回上一个人群' }).click()
  await over.getByRole('button', { name: '关闭' }).click()
  // While the drawer stands it takes the focus back, and a list opened behind it closes again.
  await expect(over).toBeHidden()

  await page.getByRole('combobox', { name: '为什么在或不在人群里' }).fill('北京')
  await page.locator('.ant-select-item-option', { hasText: cities }).click()
  const whyNot = page.getByRole('dialog', { name: `为什么不在「${cities}」里` })
  await expect(whyNot).toContainText('「城市」是「上海」')
  await expect(whyNot.getByRole('img', { name: '不成立' })).toHaveCount(2)
  await page.reload()
  await expect(whyNot).toContainText('「城市」是「上海」')
  await page.goBack()
  await expect(whyNot).toBeHidden()
})

test('the search over everything finds a person by the whole One ID', async ({ page }) => {
  await openList(page)
  await page.keyboard.press('Control+k')
  const people = page.getByRole('group', { name: '用户' }).getByRole('option')
  await page.getByRole('combobox', { name: /搜索页面/ }).fill('002')
  await expect(people).toHaveText(['002用户2'])
  await people.click()
  await expect(page).toHaveURL(new RegExp(`/cowd-manage/user-behavior/002\\?adv_id=${adv_id}`))
  await expect(page.locator('.ant-timeline-item')).toHaveCount(1)
})

test('somebody unknown is said, with a way back', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/user-behavior/nobody?adv_id=${adv_id}`)
  await expect(page.getByText('用户不存在或已被删除')).toBeVisible()
  await page.getByRole('link', { name: '回到用户列表' }).click()
  await expect(rows(page).first()).toBeVisible()
})

test('who may not see phones finds them masked, and still reaches the person', async ({ page, openAs }) => {
  const theirs = await openAs(await aViewer(page, `行为${SUFFIX}`, [adv_id]))
  await openList(theirs)
  const row = rows(theirs).filter({ hasText: '号码的主人' })
  await expect(row).toContainText('139****5678')
  await expect(theirs.getByText(PHONE)).toHaveCount(0)
  await row.getByRole('link', { name: '查看行为' }).click()
  await expect(theirs.locator('.ant-timeline-item')).toHaveCount(1)
  await expect(theirs.getByText('139****5678').first()).toBeVisible()
  await expect(theirs.getByText('联系139****5678')).toBeVisible()
  await theirs.goto(`/cowd-manage/user-behavior/${PHONE}?adv_id=${adv_id}`)
  await expect(theirs.getByText('您没有查看手机号的权限，不能按手机号查找用户')).toBeVisible()
})

test('an advertiser without people is told what belongs here', async ({ page, admin }) => {
  const { id } = await anAdvertiser(admin, `空的${SUFFIX}`)
  await selectAdvertiser(page, id)
  await page.goto('/cowd-manage/user-list')
  await expect(page.getByText('还没有用户')).toBeVisible()
  await expectAccessible(page)
})
