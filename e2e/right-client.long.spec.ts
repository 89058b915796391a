import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser, type TreeNode } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const OURS = `本客户${SUFFIX}`
const OTHER = `另一客户${SUFFIX}`
const crowdOf = (advertiser: string) => `${advertiser.slice(0, 2)}的人${SUFFIX}`

const USERS = { kind: 'users', id: '用户', identifiers: [], skip: [] }

let ours = 0
let other = 0
test.beforeAll(async ({ admin }) => {
  for (const name of [OURS, OTHER]) {
    const { id, everyone } = await anAdvertiser(admin, name)
    await importFile(admin, 'users.csv', '用户\nu1\nu2\nu3', id, USERS)
    await expect(async () => {
      const { data } = await api<{ data: TreeNode[] }>(admin, 'get', `/api/tree?adv_id=${id}`)
      expect(data[0]?.group?.[0]?.count).toBe(3)
    }).toPass({ timeout: 30_000 })
    await aCrowd(admin, { name: crowdOf(name), adv_id: id, uses: { id: everyone, tag_type: 1 } })
    if (name === OURS) ours = id
    else other = id
  }
})
test.beforeEach(({ page }) => selectAdvertiser(page, ours))

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.locator(`.ant-select-dropdown:visible .ant-select-item[title="${option}"]`).click()
}

test('a list starts from the advertiser of the top bar, shows all on request, and pushes name the owner', async ({
  page,
}) => {
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await expect(crowdRow(page, crowdOf(OURS))).toBeVisible()
  await expect(crowdRow(page, crowdOf(OTHER))).toHaveCount(0)
  await choose(page, '广告主', '全部广告主')
  await page.getByRole('textbox', { name: '名称' }).fill(`的人${SUFFIX}`)
  await expect(crowdRow(page, crowdOf(OURS))).toBeVisible()
  await crowdRow(page, crowdOf(OTHER)).getByRole('button', { name: '推送至' }).click()
  await expect(page.getByRole('dialog')).toContainText(`此人群属于广告主「${OTHER}」，不是当前选择的「${OURS}」`)
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await crowdRow(page, crowdOf(OURS)).getByRole('button', { name: '推送至' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByRole('dialog').getByText('此人群属于广告主')).toHaveCount(0)
})

test('another advertiser in the top bar clears the filter and the selection', async ({ page }) => {
  await page.goto('/cowd-manage/cowd-assets?dir_id=1')
  await crowdRow(page, crowdOf(OURS)).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: '批量操作' })
  await expect(bar).toBeVisible()
  await choose(page, '当前广告主', OTHER)
  await expect(crowdRow(page, crowdOf(OTHER))).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(page).not.toHaveURL(/adv_id=/)
  await expect(page.getByRole('search')).toContainText(OTHER)
})

test('the list, the view page and the editor say the same number and time', async ({ page }) => {
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  const row = crowdRow(page, crowdOf(OURS))
  const asOf = /截至 \d\d-\d\d \d\d:\d\d/.exec((await row.textContent()) ?? '')?.[0]
  expect(asOf).toBeTruthy()
  await row.getByRole('link', { name: crowdOf(OURS) }).click()
  await expect(page.getByRole('heading', { level: 1, name: crowdOf(OURS) })).toBeVisible()
  await expect(page.getByText(asOf ?? '').first()).toBeVisible()
  await page.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '编辑组合定向包' })).toBeVisible()
  await expect(page.getByText(asOf ?? '').first()).toBeVisible()
})

test('unsaved work keeps its advertiser when another one’s crowd is opened from the search', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await page.getByRole('textbox', { name: /人群名称/ }).fill('写了一半')
  const current = page.locator('.ant-select', { has: page.getByRole('combobox', { name: '当前广告主' }) })
  const openOther = async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /搜索页面/ }).fill(crowdOf(OTHER))
    await page.getByRole('group', { name: '人群' }).getByRole('option').first().click()
  }
  await openOther()
  await page.getByRole('button', { name: '继续编辑' }).click()
  await expect(current).toContainText(OURS)
  await expect(page.getByText('已切换到广告主')).toHaveCount(0)
  await openOther()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await expect(page.getByRole('heading', { level: 1, name: crowdOf(OTHER) })).toBeVisible()
  await expect(current).toContainText(OTHER)
})

test('a new rule is asked about before the top bar’s advertiser changes under it', async ({ page }) => {
  const current = page.locator('.ant-select', { has: page.getByRole('combobox', { name: '当前广告主' }) })
  const name = page.getByRole('textbox', { name: /名称/ })
  await page.goto('/cowd-manage/cowd-assets/edit/0')
  await name.fill('写了一半')
  await choose(page, '当前广告主', OTHER)
  await page.getByRole('button', { name: '继续编辑' }).click()
  await expect(current).toContainText(OURS)
  await expect(name).toHaveValue('写了一半')
  await choose(page, '当前广告主', OTHER)
  await page.getByRole('button', { name: '放弃修改' }).click()
  await expect(current).toContainText(OTHER)
  await expect(name).toHaveValue('')
  // Nothing is unsaved now, so nothing asks.
  await choose(page, '当前广告主', OURS)
  await expect(current).toContainText(OURS)
})

test('a saved crowd being edited stays open when the top bar’s advertiser changes', async ({ page }) => {
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await crowdRow(page, crowdOf(OURS))
    .getByRole('link', { name: crowdOf(OURS) })
    .click()
  await page.getByRole('button', { name: '编辑' }).click()
  const name = page.getByRole('textbox', { name: /名称/ })
  await name.fill('写了一半')
  await choose(page, '当前广告主', OTHER)
  await expect(page.locator('.ant-select', { has: page.getByRole('combobox', { name: '当前广告主' }) })).toContainText(
    OTHER,
  )
  await expect(name).toHaveValue('写了一半')
})

test('the view page and the editor keep the list’s number beside what newer data give', async ({ page }) => {
  const name = `旧数${SUFFIX}`
  const { data } = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?adv_id=${other}`)
  const everyone = data[0]?.group?.[0]?.id ?? 0
  const id = await aCrowd(page, { name, adv_id: other, uses: { id: everyone, tag_type: 1 } })
  await page.goto(`/cowd-manage/cowd-assets/watch/${id}`)
  const total = page.locator('[data-total]')
  await expect(total).toContainText('3')
  // The data are newer than the crowd's result for up to 15 minutes.
  await importFile(page, 'newer.csv', '用户\nu8\nu9', other, USERS)
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(/最新数据为 5 人，截至/)).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  await expect(total).toContainText('3')
  await page.getByRole('button', { name: '编辑' }).click()
  await expect(page.getByText(/最新数据为 5 人，截至/)).toBeVisible()
  await expect(total).toContainText('3')
})

test('the form for a new crowd follows the top bar', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  const chosen = page.locator('.ant-select', { has: page.getByRole('combobox', { name: '广告主', exact: true }) })
  await expect(chosen).toContainText(OURS)
  await page.getByRole('textbox', { name: /人群名称/ }).fill('写了一半')
  // A choice of the form's own survives a reload, and ends with another advertiser in the top bar.
  await choose(page, '广告主', OTHER)
  await page.reload()
  await expect(chosen).toContainText(OTHER)
  await choose(page, '广告主', OURS)
  await choose(page, '当前广告主', OTHER)
  await expect(chosen).toContainText(OTHER)
})

test('the view page says the new number and time after a recomputation', async ({ page }) => {
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await crowdRow(page, crowdOf(OURS))
    .getByRole('link', { name: crowdOf(OURS) })
    .click()
  await expect(page.locator('[data-total]')).toContainText('3')
  await importFile(page, 'more.csv', '用户\nu4\nu5', ours, USERS)
  await page.getByRole('button', { name: `「${crowdOf(OURS)}」的更多操作` }).click()
  await page.getByRole('menuitem', { name: '重新计算' }).click()
  await expect(page.locator('[data-total]')).toContainText('5', { timeout: 30_000 })
})

test('最近删除 starts from the advertiser of the top bar too', async ({ page }) => {
  const { data } = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?adv_id=${other}`)
  const everyone = data[0]?.group?.[0]?.id ?? 0
  const name = `删掉的${SUFFIX}`
  const id = await aCrowd(page, { name, adv_id: other, uses: { id: everyone, tag_type: 1 } })
  await api(page, 'post', '/api/people/delete?check=0', { ids: [id] })
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await page.getByRole('button', { name: '最近删除' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('没有删除过定向包')).toBeVisible()
  await choose(page, '删除的广告主', '全部广告主')
  await expect(drawer.getByRole('row', { name })).toContainText(OTHER)
})
