import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser, type TreeNode } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const PEOPLE = 200
let adv_id = 0
let women = 0

/** Of 200 people every second is a woman, and every fourth, all of them women, lives in Shanghai. */
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `画像${SUFFIX}`))
  const users = Array.from({ length: PEOPLE }, (_, no) => `p${no},${no % 2 ? '男' : '女'},${no % 4 ? '北京' : '上海'}`)
  const mapping = { kind: 'users', id: '编号', identifiers: [], skip: [] }
  await importFile(admin, '用户.csv', ['编号,性别,城市', ...users].join('\n'), adv_id, mapping)
  const tags = new Map<string, number>()
  await expect(async () => {
    const { data } = await api<{ data: TreeNode[] }>(admin, 'get', `/api/tree?adv_id=${adv_id}`)
    for (const tag of data.flatMap((category) => category.group ?? [])) {
      expect(tag.count, tag.tag).not.toBeNull()
      tags.set(tag.tag, tag.id)
    }
    expect([...tags.keys()]).toEqual(expect.arrayContaining(['女', '上海']))
  }).toPass({ timeout: 30_000 })
  const crowd = (name: string, tag: string) =>
    aCrowd(admin, { name: name + SUFFIX, adv_id, uses: { id: tags.get(tag) ?? 0, tag_type: 1 } })
  women = await crowd('女性', '女')
  await crowd('上海人', '上海')
})

const cells = (page: Page, tag: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: tag, exact: true }) })
    .getByRole('cell')

test('a crowd’s row leads to what its people have, beside everyone and beside another crowd', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets')
  await crowdRow(page, `女性${SUFFIX}`)
    .getByRole('button', { name: /更多操作/ })
    .click()
  await page.getByRole('menuitem', { name: '人群画像' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `「女性${SUFFIX}」的画像` })).toBeVisible()
  await expect(page.getByText(/人群 100 人.*对照「全部用户」200 人.*其中 100 人在人群里/)).toBeVisible()
  await expect(cells(page, '上海')).toHaveText(['城市', '上海', '50', '50.0%', '25.0%', '200', '显著偏高'])
  await expect(cells(page, '北京')).toHaveText(['城市', '北京', '50', '50.0%', '75.0%', '67', '显著偏低'])
  await expect(cells(page, '男')).toHaveText(['性别', '男', '0', '0.0%', '50.0%', '0.0', '显著偏低'])
  await page.getByRole('radiogroup', { name: '看哪个分类的占比' }).getByText('城市').click()
  await expect(page.getByRole('img', { name: /^城市：.*上海 人群 50.0%，对照 25.0%/ })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('combobox', { name: '对照' }).click()
  await page
    .locator('.ant-select-item-option:visible')
    .filter({ hasText: `上海人${SUFFIX}` })
    .click()
  await expect(page.getByText(new RegExp(`对照「上海人${SUFFIX}」50 人.*其中 50 人在人群里`))).toBeVisible()
  // The base lies within the crowd.
  await expect(cells(page, '上海')).toHaveText(['城市', '上海', '50', '50.0%', '100.0%', '50', '显著偏低'])
  await expect(cells(page, '女')).toHaveText(['性别', '女', '100', '100.0%', '100.0%', '100', '没有差别'])
  // A link to the page is a link to the comparison.
  await page.reload()
  await expect(page.getByText(new RegExp(`对照「上海人${SUFFIX}」50 人.*其中 50 人在人群里`))).toBeVisible()
  await page.getByRole('combobox', { name: '标签分类' }).click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: '性别（2）' }).click()
  await expect(cells(page, '上海')).toHaveCount(0)
  await expect(cells(page, '女')).toHaveCount(7)
})

test('the parts of an overlap are counted, and one becomes a crowd', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/cowd-assets/profile/${women}?tab=overlap`)
  await expect(page.getByText('还没有选择要一起看的人群')).toBeVisible()
  await page.getByRole('combobox', { name: '与哪些人群重叠' }).click()
  await page
    .locator('.ant-select-item-option:visible')
    .filter({ hasText: `上海人${SUFFIX}` })
    .click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 个人群共 100 人')).toBeVisible()
  const parts = page.locator('tbody tr.ant-table-row')
  await expect(parts).toHaveCount(3)
  const part = (...inside: [boolean, boolean]) =>
    inside.reduce(
      (rows, isIn, at) =>
        rows.filter({
          has: page.getByRole('img', {
            name: `${isIn ? '在' : '不在'}「${at === 0 ? '女性' : '上海人'}${SUFFIX}」里`,
            exact: true,
          }),
        }),
      parts,
    )
  await expect(part(true, true)).toContainText('50')
  await expect(part(true, false)).toContainText('50')
  await expect(part(false, true)).toContainText('0')
  await expect(part(false, true).getByRole('button', { name: '存为人群' })).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText('2 个人群共 100 人')).toBeVisible()
  await expect(page.getByTitle(`上海人${SUFFIX}`).first()).toBeVisible()

  await part(true, false).getByRole('button', { name: '存为人群' }).click()
  await expect(page).toHaveURL(/cowd-assets\/edit\/0/)
  await expect(page.getByLabel('名称', { exact: true })).toHaveValue(`女性${SUFFIX}-部分`)
  await expect(page.getByText('50', { exact: true }).first()).toBeVisible()
})

test('the sizes of a crowd over time stand in a tab of their own', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/cowd-assets/profile/${women}`)
  await page.getByRole('tab', { name: '人数变化' }).click()
  const row = page.getByRole('tabpanel', { name: '人数变化' }).locator('tbody tr.ant-table-row')
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('cell').nth(1)).toHaveText('100')
  await expect(row.getByRole('cell').nth(2)).toHaveText('--')
  await api(page, 'post', `/api/people/${women}/compute`, {})
  await expect(async () => {
    await page.reload()
    await expect(row).toHaveCount(2, { timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  await expect(row.first()).toContainText('没有变化')
  await expect(page.getByRole('img', { name: '人数从 100 到 100' })).toBeVisible()
  await expectAccessible(page)
})

test('a crowd that is not there has no profile', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/cowd-assets/profile/999999')
  await expect(page.getByText('没有这个人群')).toBeVisible()
})
