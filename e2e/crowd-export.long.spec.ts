import { readFile } from 'node:fs/promises'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser, type TreeNode } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

let adv_id = 0

test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `导出${SUFFIX}`))
  const users = ['编号,性别,城市', 'p1,女,上海', 'p2,女,"北京, 朝阳"', 'p3,男,=1+1']
  const mapping = { kind: 'users', id: '编号', identifiers: [], skip: [] }
  await importFile(admin, '用户.csv', users.join('\n'), adv_id, mapping)
  let women = 0
  await expect(async () => {
    const { data } = await api<{ data: TreeNode[] }>(admin, 'get', `/api/tree?adv_id=${adv_id}`)
    const tag = data.flatMap((category) => category.group ?? []).find((one) => one.tag === '女')
    expect(tag?.count).toBe(2)
    women = tag?.id ?? 0
  }).toPass({ timeout: 30_000 })
  await aCrowd(admin, { name: `名单女性${SUFFIX}`, adv_id, uses: { id: women, tag_type: 1 } })
})

/** The file that a click downloads. */
async function downloaded(page: Page, click: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), 'utf8')).trimEnd().split('\n') }
}

test('the people of a crowd are exported with the columns that the viewer chooses, which are remembered', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets')
  const open = async () => {
    await crowdRow(page, `名单女性${SUFFIX}`)
      .getByRole('button', { name: /更多操作/ })
      .click()
    await page.getByRole('menuitem', { name: '导出名单' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: `导出「名单女性${SUFFIX}」的名单` })
  await expect(dialog.getByText(/已选 3 列/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('group', { name: /用户/ }).getByRole('checkbox', { name: '手机号' }).uncheck()
  await dialog.getByRole('group', { name: /用户/ }).getByRole('checkbox', { name: '姓名' }).uncheck()
  const attributes = dialog.getByRole('group', { name: /属性/ })
  await attributes.getByRole('checkbox', { name: '城市' }).check()
  const { name, lines } = await downloaded(page, () => dialog.getByRole('link', { name: /下载 2 人/ }).click())
  expect(name).toMatch(/^名单女性.*-版本\d+-\d{8}-\d{6}\.csv$/)
  expect(lines).toEqual(['\uFEFFOne ID,城市', 'p1,上海', 'p2,"北京, 朝阳"'])
  await expect(dialog).toBeHidden()

  await page.reload()
  await open()
  await expect(dialog.getByText(/已选 2 列/)).toBeVisible()
  await expect(attributes.getByRole('checkbox', { name: '城市' })).toBeChecked()
  await dialog.getByRole('group', { name: /用户/ }).getByRole('checkbox', { name: 'One ID' }).uncheck()
  await attributes.getByRole('checkbox', { name: '城市' }).uncheck()
  await expect(dialog.getByRole('button', { name: /下载 2 人/ })).toBeDisabled()
})

test('both lists are exported as their filters show them', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await expect(crowdRow(page, `名单女性${SUFFIX}`)).toBeVisible()
  const button = page.getByRole('link', { name: '导出列表' })
  const { name, lines } = await downloaded(page, () => button.click())
  expect(name).toBe('组合定向包列表.csv')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`名单女性${SUFFIX},`)
  await expectAccessible(page)
  await page.goto('/cowd-manage/custom-crowd?dir_id=0')
  await expect(page.getByText('还没有自定义人群')).toBeVisible()
  await expect(page.getByRole('button', { name: '导出列表' })).toBeDisabled()
})
