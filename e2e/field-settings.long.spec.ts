import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser, type TreeNode } from './crowds.ts'
import { choose, DATA_ACCESS, dropFile, makeAdvertiser, mapColumn, runImport } from './import-page.ts'
import { importFile } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

const PEOPLE = `id,s,age\n${Array.from({ length: 40 }, (_, n) => `u${n},${n % 2},${n === 3 ? '不详' : n + 20}`).join('\n')}\n`

test('columns are named while importing, and later on the page; tags speak the names', async ({ page }) => {
  test.slow()
  await page.goto(DATA_ACCESS)
  await dropFile(page, { name: 'people.csv', content: PEOPLE })
  await makeAdvertiser(page, `字典${SUFFIX}`)
  await mapColumn(page, 'id', '用户 ID')
  await page.getByRole('button', { name: '列「s」的名称与类型' }).click()
  const dialog = page.getByRole('dialog', { name: '列「s」' })
  await dialog.getByLabel('显示名称', { exact: true }).first().fill('性别')
  await dialog.getByRole('button', { name: '粘贴多行' }).click()
  await page.getByLabel('粘贴值与名称').fill('0=男\n1=女')
  await page.getByRole('button', { name: '加入 2 个' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('button', { name: '列「s」的名称与类型' })).toHaveText('性别 · 2 个值有名称')
  await expect(page.getByText(/「age」多数是数字，这些值不是，整列按文字处理 1 行/)).toBeVisible()

  await page.getByRole('button', { name: '列「age」的名称与类型' }).click()
  const age = page.getByRole('dialog', { name: '列「age」' })
  await choose(page, age.getByLabel('类型'), '数字')
  await age.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText(/「age」的值不是数字，只计入「有值」 1 行/)).toBeVisible()
  const report = await runImport(page)
  await expect(report.getByText('「age」的值不是数字，只计入「有值」')).toBeVisible()
  await report.getByRole('link', { name: '查看标签' }).click()
  await expect(page.getByRole('row', { name: /男.*性别等于「男」/ })).toBeVisible({ timeout: 30_000 })

  await page.goto(DATA_ACCESS)
  await page.getByRole('row', { name: /性别/ }).getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog', { name: '属性「s」' })
  await drawer.getByLabel('显示名称', { exact: true }).first().fill('会员性别')
  await drawer.getByLabel('显示的名称').first().fill('先生')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(drawer).toBeHidden()
  await page.goto('/cowd-manage/tags')
  await expect(page.getByRole('row', { name: /先生.*会员性别等于「先生」/ })).toBeVisible({ timeout: 30_000 })
})

test('a type that some values are not of is asked about', async ({ page }) => {
  test.slow()
  await page.goto(DATA_ACCESS)
  await dropFile(page, { name: 'people.csv', content: PEOPLE })
  await makeAdvertiser(page, `类型${SUFFIX}`)
  await mapColumn(page, 'id', '用户 ID')
  const report = await runImport(page)
  await report.getByRole('link', { name: '查看标签' }).click()
  await page.goto(DATA_ACCESS)
  await page.getByRole('row', { name: /^age/ }).getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog', { name: '属性「age」' })
  await choose(page, drawer.getByLabel('类型'), '数字')
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('40 人中有 1 人的值不是数字，改为数字后他们只计入「有值」')).toBeVisible()
  await page.getByRole('button', { name: '仍要修改' }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('row', { name: /^age/ })).toContainText('已指定')
})

test('values of an event’s property are named, and a tag’s definition speaks the name', async ({ page }) => {
  const { id: adv_id } = await anAdvertiser(page, `事件字典${SUFFIX}`)
  const mapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
  await importFile(page, 'pays.csv', 'id,event,time,way\nu1,pay,2026-01-01,1\nu2,pay,2026-01-02,2', adv_id, mapping)
  await selectAdvertiser(page, adv_id)
  await page.goto(DATA_ACCESS)
  await page.getByRole('radiogroup', { name: '属性或事件' }).getByText('事件').click()
  const open = async () => {
    await page.getByRole('row', { name: /^pay/ }).getByRole('button', { name: '编辑' }).click()
    await page.getByRole('button', { name: /^「way」的值的名称/ }).click()
    return page.getByRole('dialog', { name: '「way」的值的名称' })
  }
  const dialog = await open()
  await dialog.getByRole('button', { name: '粘贴多行' }).click()
  await page.getByLabel('粘贴值与名称').fill('1=微信\n2=支付宝')
  await page.getByRole('button', { name: '加入 2 个' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('button', { name: /^「way」的值的名称/ })).toHaveText('2 个')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await expect((await open()).getByLabel('显示的名称').first()).toHaveValue('微信')

  const { data } = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?tag_type=2&adv_id=${adv_id}`)
  const condition = { is: 'equals', value: '2' }
  const definition = { kind: 'event', event: 'pay', window_days: null, at_least: 1, negated: false }
  await api(page, 'post', '/api/tag', {
    adv_id,
    name: '用支付宝付过',
    category_id: data[0]?.id,
    definition: { ...definition, properties: [{ property: 'way', condition }] },
  })
  await page.goto('/cowd-manage/tags')
  await expect(page.getByRole('row', { name: /用支付宝付过/ })).toContainText('way 等于「支付宝」')
})

test('an event is said to be a payment, with the property of its amount', async ({ page }) => {
  const { id: adv_id } = await anAdvertiser(page, `标准事件${SUFFIX}`)
  const mapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
  await importFile(page, 'pays.csv', 'id,event,time,fee\nu1,付款,2026-01-01,1\nu2,浏览,2026-01-02,', adv_id, mapping)
  await selectAdvertiser(page, adv_id)
  await page.goto(DATA_ACCESS)
  await page.getByRole('radiogroup', { name: '属性或事件' }).getByText('事件').click()
  const row = page.getByRole('row', { name: /^付款/ })
  const choose = async (label: string, option: string) => {
    await page.getByLabel(label, { exact: true }).click()
    const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option-content')
    await options.filter({ hasText: new RegExp(`^${option}$`) }).click()
  }
  await row.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByLabel('金额的属性')).toHaveCount(0)
  await choose('标准事件', '支付')
  await choose('金额的属性', 'fee')
  await expectAccessible(page)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await expect(row).toContainText('支付')
  await row.getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog', { name: '事件「付款」' })
  await expect(drawer.locator('.ant-form-item').filter({ hasText: '金额的属性' })).toContainText('fee')
  await choose('标准事件', '分享')
  await expect(page.getByLabel('金额的属性')).toHaveCount(0)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(row).toContainText('分享')
})
