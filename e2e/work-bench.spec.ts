import { activityTest, field, LIST, placeOf, row } from './activity-page.ts'
import { expectAccessible } from './axe.ts'
import { api, aViewer } from './crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { expect } from './test.ts'

const test = activityTest()

test('an activity is made, submitted, switched, copied, logged, saved as an asset and deleted', async ({
  page,
  admin,
  brand: { account, open },
}) => {
  test.slow()
  await open(page, LIST)
  await expect(page.getByText('还没有活动')).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('button', { name: /新建活动/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: '空白新建' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建活动' })).toBeVisible()

  await page.getByLabel('活动名称').fill('春季上新')
  await page.getByRole('button', { name: '添加计划' }).first().click()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(field(page, '投放账户')).toContainText('请选择投放账户')
  await expect(field(page, '定向包')).toContainText('请选择定向包或人群')
  await expect(field(page, '预算')).toContainText('请输入预算')
  await expect(page.getByRole('combobox', { name: '投放账户' })).toBeFocused()
  await expect(page.getByRole('button', { name: '还有 3 处需修改' })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/work-bench-faults-1280.png' })

  await page.getByText('巨量千川', { exact: true }).click()
  await page.getByLabel('计划名称').fill('直播间拉新')
  await page.getByRole('combobox', { name: '投放账户' }).click()
  await page.locator('.ant-select-item-option', { hasText: account.name }).first().click()
  await page.getByRole('combobox', { name: '定向包' }).click()
  await page.locator('.ant-select-item-option', { hasText: '高消费女性' }).click()
  await page.getByLabel('预算', { exact: true }).fill('299')
  const { control } = await sandboxOf(admin)
  const there = { platform: 'commerce', account_id: account.external_id, name: '直播间', is_on: false, budget: 50_050 }
  const { id: plan_id } = await control<{ id: string }>('plans', there)
  await page.getByLabel('平台计划 ID').fill(plan_id)
  await expect(page.getByText('预算应在 300 到 9,999,999.99 元之间')).toBeVisible()
  for (const [typed, said] of [
    ['0', '预算应在 300 到 9,999,999.99 元之间'],
    ['1000.555', '预算最多两位小数'],
  ] as const) {
    await page.getByLabel('预算', { exact: true }).fill(typed)
    await page.getByLabel('预算', { exact: true }).press('Tab')
    await expect(field(page, '预算')).toContainText(said)
    await expect(page.getByLabel('预算', { exact: true })).toHaveValue(typed === '0' ? '0.00' : typed)
  }
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByLabel('预算', { exact: true })).toBeFocused()
  await page.getByLabel('预算', { exact: true }).fill('５００．５')
  await expect(page.getByText('处需修改')).toBeHidden()
  await page.getByText('指定时段').click()
  await page.getByRole('button', { name: '工作日 9–18 点' }).click()
  await expect(page.getByText('周一、周二、周三、周四、周五 09:00–18:00')).toBeVisible()
  await page.screenshot({ path: 'test-results/work-bench-1280.png', fullPage: true })
  await expectAccessible(page)

  // Leaving asks.
  await page.getByRole('button', { name: /取\s?消/ }).click()
  await expect(page.getByRole('dialog', { name: '有未保存的修改，确定离开吗？' })).toBeVisible()
  await page.getByRole('button', { name: '继续编辑' }).click()
  await page.getByRole('button', { name: /提\s?交/ }).click()
  await expect(page.getByText('提交成功')).toBeVisible()
  await expect(page).toHaveURL(LIST)

  const mine = row(page, '春季上新')
  await expect(mine).toContainText('暂停')
  await expect(mine).toContainText('500.50')
  const toggle = page.getByRole('switch', { name: '活动「春季上新」的开关' })
  await toggle.click()
  await expect(page.getByText('修改活动状态成功')).toBeVisible()
  await expect(toggle).toBeChecked()
  await mine.getByRole('button', { name: '展开行' }).click()
  await expect(row(page, '直播间拉新')).toContainText(`平台计划 ${plan_id}`)
  await page.getByRole('switch', { name: '计划「直播间拉新」的开关' }).click()
  await expect(page.getByText('修改计划状态成功')).toBeVisible()

  await mine.getByRole('button', { name: '「春季上新」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '日志' }).click()
  const log = page.getByRole('dialog', { name: '操作日志' })
  await expect(log.getByText('计划开关：开启 → 关闭')).toBeVisible()
  await expect(log.getByText('发布')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(log).toBeHidden()

  await mine.getByRole('button', { name: '复制', exact: true }).click()
  await expect(page.getByText('复制活动成功')).toBeVisible()
  await expect(row(page, '春季上新_副本')).toContainText('未提交')
  await expect(row(page, '春季上新_副本').getByRole('button', { name: '数据' })).toBeDisabled()

  await mine.getByRole('button', { name: '「春季上新」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '存为资产' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s?定/ })
    .click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await page
    .getByRole('button', { name: /新建活动/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: '引用资产' }).click()
  await page.getByRole('button', { name: '引用', exact: true }).click()
  await expect(page.getByText('引用资产成功')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '编辑活动' })).toBeVisible()
  await expect(page.getByLabel('活动名称')).toHaveValue('春季上新')

  await page.goto(LIST)
  await row(page, '春季上新_副本').getByRole('button', { name: '「春季上新_副本」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(row(page, '春季上新_副本')).toHaveCount(0)
})

test('an end before the start is said at once, and what keeps a plan from being submitted is brought into sight', async ({
  page,
  brand: { open },
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await open(page, '/campaign-manage/work-bench')
  await page.getByLabel('活动名称').fill('日期颠倒')
  await page.getByRole('button', { name: '添加计划' }).first().click()
  await page.getByLabel('计划名称').fill('')
  for (const [label, day] of [
    ['开始日期', '2030-05-02'],
    ['结束日期', '2030-05-01'],
  ] as const) {
    await page.getByLabel(label).fill(day)
    await page.getByLabel(label).press('Enter')
  }
  await expect(page.getByText('结束日期不能早于开始日期')).toBeVisible()
  await expect(page.getByLabel('结束日期')).toHaveValue('2030-05-01')
  await page.getByLabel('活动名称').fill('日期 颠倒')
  await page.getByRole('button', { name: '提交' }).click()
  await expect(page.getByLabel('活动名称')).toBeInViewport()
  await expect(page.getByLabel('活动名称')).toBeFocused()
  await expect(field(page, '活动名称')).toContainText('名称只支持中英文，数字，横杠，下划线')
  await expect(field(page, '计划名称')).toContainText('请输入计划名称')

  // Each is said until its own field changes; the button beside those that save leads to the next one.
  await page.getByLabel('活动名称').fill('日期颠倒')
  await expect(field(page, '活动名称')).not.toContainText('名称只支持')
  await expect(field(page, '计划名称')).toContainText('请输入计划名称')
  await page.getByRole('button', { name: '还有 5 处需修改' }).click()
  await expect(page.getByLabel('计划名称')).toBeFocused()
  await page.keyboard.type('甲')
  await expect(field(page, '计划名称')).not.toContainText('请输入计划名称')
  await expect(page.getByRole('list', { name: '计划' }).getByText('需修改')).toBeVisible()

  // Two plans of one name are said before anything is saved, and one of another plan leads to it.
  await page.getByRole('button', { name: '添加计划' }).click()
  await page.getByLabel('计划名称').fill('甲')
  await expect(field(page, '计划名称')).toContainText('有两个计划叫「甲」，请换一个名称')
  await page.getByLabel('计划名称').fill('乙')
  await expect(field(page, '计划名称')).not.toContainText('有两个计划')
  await page.getByRole('button', { name: '还有 4 处需修改' }).click()
  await expect(page.getByLabel('计划名称')).toHaveValue('甲')
  await expect(page.getByRole('combobox', { name: '投放账户' })).toBeFocused()
})

test('an activity is filled in by the keyboard alone', async ({ page, brand: { open } }) => {
  await open(page, '/campaign-manage/work-bench')
  await expect(page.getByLabel('活动名称')).toBeFocused()
  await page.keyboard.type('只用键盘')
  await page.getByRole('button', { name: '添加计划' }).first().press('Enter')
  const name = page.getByLabel('计划名称')
  await expect(name).toBeFocused()
  await page.keyboard.type('拉新')
  await expect(name).toHaveValue('拉新')

  // What Tab reaches is never behind the bar with the buttons.
  const bar = page.getByRole('button', { name: '存为草稿' })
  const end = page.getByLabel('结束日期')
  for (let tabs = 0; tabs < 30 && !(await end.evaluate((one) => one === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab')
    const focused = await placeOf(page.locator(':focus'))
    expect(focused.y + focused.height).toBeLessThan((await placeOf(bar)).y)
  }
  await expect(end).toBeFocused()

  // The grid of hours is one tab stop.
  await page.getByText('指定时段').click()
  const grid = page.getByRole('table', { name: '一周的投放时段' })
  const at = (label: string) => grid.getByRole('button', { name: label, exact: true })
  const clear = grid.locator('xpath=..').getByRole('button', { name: '清空' })
  await clear.press('Enter')
  await clear.press('Tab')
  await expect(at('周一 0 点')).toBeFocused()
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(at('周二 1 点')).toBeFocused()
  await expect(at('周二 1 点')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /取\s?消/ })).toBeFocused()

  await page.getByRole('button', { name: '删除计划「拉新」' }).press('Enter')
  await expect(page.getByRole('button', { name: '添加计划' }).first()).toBeFocused()
})

test('what a colleague saved meanwhile is told, and both people’s changes are saved', async ({ page, brand }) => {
  const id = await brand.anActivity(page, '两人同改', [brand.plan('同改计划')], { submit: false })
  await brand.open(page, `/campaign-manage/work-bench?campaign_id=${id}`)
  await page.getByLabel('活动名称').fill('我改的名称')
  type Saved = { ver: number; name: string; plans: { id: number; name: string; budget: number }[] }
  const saved = () => api<Saved>(page, 'get', `/api/campaign?campaign_id=${id}`)
  const { ver, plans } = await saved()
  await api(page, 'put', '/api/campaign', {
    ...{ id, ver, name: '两人同改', submit: false },
    plans: [{ ...brand.plan('同改计划', { budget: 80_000 }), id: plans[0]?.id }],
  })

  const save = page.getByRole('button', { name: '存为草稿' })
  await save.click()
  const dialog = page.getByRole('dialog', { name: '此活动已在别处被修改' })
  await expect(dialog).toContainText('已保存的修改：计划「同改计划」的预算。')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '继续编辑' }).click()
  await expect(page.getByLabel('活动名称')).toHaveValue('我改的名称')
  await save.click()
  await expect(page.getByText('保存成功')).toBeVisible()
  expect(await saved()).toMatchObject({ name: '我改的名称', plans: [{ name: '同改计划', budget: 80_000 }] })
})

test('a member who may only look opens an activity to see it', async ({ openAs, page, brand }) => {
  const { adv_id, plan, anActivity, open } = brand
  const product = await api<{ id: number }>(page, 'post', '/api/campaign/product', { adv_id, name: '面霜' })
  await anActivity(page, '只看一看', [plan('庚一')], { product_id: product.id })
  const reader = await openAs(await aViewer(page, '旁观者', [adv_id], { read_only_adv_ids: [adv_id] }))
  // The product that was chosen is named without the others.
  await reader.route('**/api/campaign/product/list*', () => {})
  await open(reader, `${LIST}?name=只看一看`)
  await row(reader, '只看一看').getByRole('link', { name: '查看' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: '查看活动' })).toBeVisible()
  await expect(field(reader, '产品')).toContainText('面霜')
  for (const label of ['活动名称', '计划名称']) await expect(reader.getByLabel(label)).toBeDisabled()
  await expect(reader.getByRole('combobox', { name: '定向包' })).toBeDisabled()
  await expect(reader.getByRole('button', { name: '保存' })).toBeDisabled()
})
