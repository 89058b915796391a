import { expectAccessible } from './axe.ts'
import { api, selectAdvertiser } from './crowds.ts'
import { somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const people = somePeople(60)
let adv_id = 0
test.beforeAll(async ({ admin }) => {
  ;({ adv_id } = await anAdvertiserOf(admin, `标签语言${SUFFIX}`, people))
})

/** Chooses with the keyboard: typing finds the option, or the arrow keys do. */
const choose = async (page: Page, field: string, option: string) => {
  const box = page.getByRole('dialog').getByRole('combobox', { name: field, exact: true }).last()
  await box.press('ArrowDown')
  const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
  await options
    .filter({ hasText: new RegExp(`^${option}$`) })
    .first()
    .waitFor()
  const at = (await options.allTextContents()).indexOf(option)
  const active = await options.evaluateAll((all) =>
    all.findIndex((one) => one.classList.contains('ant-select-item-option-active')),
  )
  for (let step = active; step < at; step++) await box.press('ArrowDown')
  for (let step = active; step > at; step--) await box.press('ArrowUp')
  await box.press('Enter')
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

test('a sum within fixed dates is defined with the keyboard, read as a sentence, counted and kept', async ({
  page,
}) => {
  test.slow()
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/tags')
  await page.getByRole('button', { name: '新建标签' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('事件标签', { exact: true }).click()
  await drawer.getByLabel('名称', { exact: true }).fill('年内支付满三十')
  await choose(page, '分类', '支付')
  await choose(page, '事件', '支付')
  await drawer.getByText('固定日期', { exact: true }).click()
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(drawer.getByText('请选择日期')).toBeVisible()
  const [year, next] = [new Date().getFullYear() - 1, new Date().getFullYear() + 1]
  const [from, to] = [drawer.getByPlaceholder('最早不限'), drawer.getByPlaceholder('最晚不限')]
  await from.click()
  await from.pressSequentially(`${year}-01-01`)
  await from.press('Enter')
  await to.pressSequentially(`${next}-12-31`)
  await to.press('Enter')
  await choose(page, '统计', '合计')
  await expect(drawer.getByText('请选择事件属性')).toBeVisible()
  await choose(page, '数值属性', '金额')
  await expect(drawer.getByText('请至少填写范围的一端')).toBeVisible()
  await drawer.getByLabel('不小于').fill('30')
  await expect(drawer.getByText(`${year}-01-01 至 ${next}-12-31 做过「支付」，金额的合计不小于 30`)).toBeVisible()
  // Two payments come to 10 + 20, three to 60.
  const rich = people.filter((one) => one.支付 >= 2).length
  await expect(drawer.locator('strong')).toHaveText(String(rich))
  await expectAccessible(page)

  await drawer.getByText('未做过', { exact: true }).click()
  await expect(drawer.getByText('从未做过的人也在内')).toBeVisible()
  await expect(drawer.locator('strong')).toHaveText(String(people.length - rich))

  await drawer.getByRole('button', { name: /添加属性条件/ }).click()
  await choose(page, '事件属性', '金额')
  await choose(page, '条件', '不等于')
  const value = drawer.getByRole('combobox', { name: '值', exact: true })
  await value.click()
  await expect(page.locator('.ant-select-dropdown:visible')).toContainText('20')
  await value.fill('10')
  await expect(drawer.getByText('金额有值且不等于「10」')).toBeVisible()
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(drawer).toHaveCount(0)

  const { list } = await api<{ list: { definition: unknown }[] }>(
    page,
    'get',
    `/api/tag/list?adv_id=${adv_id}&keyword=${encodeURIComponent('年内支付')}`,
  )
  expect(list[0]?.definition).toEqual({
    kind: 'event',
    event: '支付',
    window_days: null,
    dates: { from: `${year}-01-01`, to: `${next}-12-31` },
    at_least: 1,
    measure: { of: 'sum', property: '金额', from: '30', to: null },
    properties: [{ property: '金额', condition: { is: 'not_equals', value: '10' } }],
    negated: true,
  })
})
