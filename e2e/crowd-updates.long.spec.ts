import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser, type TreeNode } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

let adv_id = 0
let women = 0
const name = `按计划更新的女性${SUFFIX}`

const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `p${from + at},${(from + at) % 2 ? '男' : '女'}`)
const mapping = { kind: 'users', id: '编号', identifiers: [], skip: [] }

/** Of 200 people every second is a woman. */
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `更新${SUFFIX}`))
  await importFile(admin, '用户.csv', ['编号,性别', ...people(0, 200)].join('\n'), adv_id, mapping)
  let id = 0
  await expect(async () => {
    const { data } = await api<{ data: TreeNode[] }>(admin, 'get', `/api/tree?adv_id=${adv_id}`)
    const tag = data.flatMap((category) => category.group ?? []).find((one) => one.tag === '女')
    expect(tag?.count).toBe(100)
    id = tag?.id ?? 0
  }).toPass({ timeout: 30_000 })
  women = await aCrowd(admin, { name, adv_id, uses: { id, tag_type: 1 } })
})

test('a crowd gets a schedule and a share in its row, and says when it is updated next', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets')
  const row = crowdRow(page, name)
  const open = async () => {
    await row.getByRole('button', { name: /更多操作/ }).click()
    await page.getByRole('menuitem', { name: '更新与通知' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: `「${name}」的更新与通知` })
  await expect(dialog.getByRole('radio', { name: '跟随数据' })).toBeChecked()
  await dialog.getByText('每周', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: '周一' }).uncheck()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('请选择星期')).toBeVisible()
  await dialog.getByRole('checkbox', { name: '周三' }).check()
  await dialog.getByRole('checkbox', { name: '人群变化较大时通知' }).check()
  await expect(dialog.getByText('还没有接收「人群变化」的通知地址')).toBeVisible()
  await dialog.getByRole('spinbutton', { name: '变化超过' }).fill('20')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText(/下次更新：\d\d-\d\d 08:00/)).toBeVisible()
  await expect(row).toContainText(/下次 \d\d-\d\d 08:00/)

  await page.goto(`/cowd-manage/cowd-assets/watch/${women}`)
  await expect(page.getByText(/\d\d-\d\d 08:00（每周三 08:00）/)).toBeVisible()
  await expect(page.getByText('超过 20% 时')).toBeVisible()
  await page.goBack()
  await open()
  await expect(dialog.getByRole('checkbox', { name: '周三' })).toBeChecked()
  await dialog.getByText('跟随数据', { exact: true }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('下次更新：数据变化后')).toBeVisible()
  await expect(row).not.toContainText('下次')
})

test('who entered and left between two versions is counted, and cleared ones say so', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await importFile(page, '更多.csv', ['编号,性别', 'p0,男', ...people(200, 240)].join('\n'), adv_id, mapping)
  const sizesOf = async () =>
    (await api<{ sizes: { version: number; count: number }[] }>(page, 'get', `/api/people/${women}/sizes`)).sizes
  await expect(async () => {
    await api(page, 'post', `/api/people/${women}/compute`, {})
    expect((await sizesOf()).at(-1)?.count).toBe(119)
  }).toPass({ timeout: 120_000, intervals: [500] })
  const sizes = await sizesOf()
  const from = sizes.findLast(({ count }) => count === 100)?.version ?? 0
  const to = sizes.at(-1)?.version ?? 0
  await page.goto(`/cowd-manage/cowd-assets/profile/${women}?tab=sizes&from=${from}&to=${to}`)
  const changes = page.getByRole('region', { name: '两次之间的变化' })
  await expect(changes).toContainText(/进入20人占原来的 20\.0%/)
  await expect(changes).toContainText(/离开1人占原来的 1\.0%/)
  await expect(changes).toContainText(/一直在99人占原来的 99\.0%/)
  await expectAccessible(page)

  // Between versions of the same people nobody came or went.
  await changes.getByRole('combobox', { name: '到哪一次' }).click()
  await page.locator('.ant-select-item-option:visible').last().click()
  await expect(changes).toContainText(/进入0人/)
  await expect(changes).toContainText(/一直在100人/)
  await page.getByRole('row').getByRole('button', { name: '查看' }).last().click()
  const [first, second] = sizes
  await expect(page).toHaveURL(new RegExp(`from=${first?.version}&to=${second?.version}`))
})
