import type { Locator } from '@playwright/test'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `关闭前询问${SUFFIX}`))
})
test.beforeEach(async ({ page }) => {
  await selectAdvertiser(page, adv_id)
})

const questionOf = (page: Page) => page.getByRole('dialog').filter({ hasText: '有未保存的内容，确定关闭吗' })

/** Each form: where it is, the button that opens it, its first field, and a field to type in if that is another one. */
const FORMS = [
  { at: '/cowd-manage/tags', opens: '新建标签', field: '名称' },
  { at: '/cowd-manage/tags', opens: '新建分类', field: '分类名称' },
  { at: '/cowd-manage/cowd-assets', opens: '新建文件夹', field: '文件夹名称' },
  { at: '/basic-manage/index/users', opens: '新建成员', field: '用户名' },
  { at: '/basic-manage/index/tokens', opens: '新建令牌', field: '名称' },
  { at: '/basic-manage/index/webhooks', opens: '新建通知', first: '类型', field: '地址' },
  { at: '/basic-manage/index/advertiser-data', opens: '新建广告主', field: '名称' },
]

for (const { at, opens, field, first = field } of FORMS) {
  test(`${opens}: its first field has the focus, Esc asks once something is typed, and closes an untouched form at once`, async ({
    page,
  }) => {
    const question = questionOf(page)
    await page.goto(at)
    const open = async (): Promise<Locator> => {
      await page.getByRole('button', { name: opens }).first().click()
      const dialog = page.getByRole('dialog').filter({ has: page.getByLabel(field).first() })
      await expect(dialog).toBeVisible()
      return dialog
    }
    const untouched = await open()
    await expect(untouched.getByLabel(first).first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(untouched).toBeHidden()
    await expect(question).toHaveCount(0)

    const dialog = await open()
    const input = dialog.getByLabel(field).first()
    await input.fill('写了一半')
    await page.keyboard.press('Escape')
    await expect(question).toBeVisible()
    await expect(question.getByRole('button', { name: '继续编辑' })).toBeFocused()
    await question.getByRole('button', { name: '继续编辑' }).click()
    await expect(question).toBeHidden()
    await expect(input).toHaveValue('写了一半')

    await dialog.getByRole('button', { name: /Close|关闭/ }).click()
    await question.getByRole('button', { name: '放弃修改' }).click()
    await expect(dialog).toBeHidden()
    const again = await open()
    await expect(again.getByLabel(field).first()).toHaveValue('')
  })
}

test('取消 closes at once, and a text typed and removed is no change', async ({ page }) => {
  await page.goto('/cowd-manage/tags')
  await page.getByRole('button', { name: '新建分类' }).first().click()
  const dialog = page.getByRole('dialog', { name: '新建分类' })
  await dialog.getByLabel('分类名称').fill('写了')
  await dialog.getByLabel('分类名称').fill('')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: '新建分类' }).first().click()
  await dialog.getByLabel('分类名称').fill('写了')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(dialog).toBeHidden()
  await expect(questionOf(page)).toHaveCount(0)
})

test('lines typed into the dictionary are still there after Esc, and closing asks', async ({ page }) => {
  const mapping = { kind: 'users', id: '用户', identifiers: [], skip: [] }
  await importFile(page, 'users.csv', '用户,性别\nu1,0\nu2,1', adv_id, mapping)
  await page.goto('/basic-manage/index/data-access')
  await page.getByRole('row', { name: /^性别/ }).getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog').filter({ hasText: '值的名称' })
  await drawer.getByRole('button', { name: '粘贴多行' }).click()
  const lines = page.getByLabel('粘贴值与名称')
  await lines.fill('0=男\n1=女')
  // Esc belongs to the part that has the focus; a popover that is still opening gives it to the drawer.
  await expect(lines).toBeFocused()
  await expect(page.locator('.ant-popover.ant-zoom-big-appear, .ant-popover.ant-zoom-big-enter')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(lines).toBeHidden()
  // A popover that is still fading out takes the next Esc for itself, and nothing on the page says when it has gone.
  await expect(async () => {
    if (!(await questionOf(page).isVisible())) await page.keyboard.press('Escape')
    await expect(questionOf(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await questionOf(page).getByRole('button', { name: '继续编辑' }).click()
  await drawer.getByRole('button', { name: '粘贴多行' }).click()
  await expect(lines).toHaveValue('0=男\n1=女')
  await page.getByRole('button', { name: '加入 2 个' }).click()
  await expect(drawer.getByLabel('显示的名称').first()).toHaveValue('男')
})

test('a folder chosen to move to is not lost by Esc', async ({ page }) => {
  const name = `要移动${SUFFIX}`
  await api(page, 'post', '/api/peopledir', { name, parentId: null })
  const { id } = await api<{ id: number }>(page, 'post', '/api/peopledir', { name: `里面${SUFFIX}`, parentId: 1 })
  await page.goto(`/cowd-manage/cowd-assets?dir_id=${id}`)
  await page
    .getByRole('treeitem')
    .filter({ hasText: `里面${SUFFIX}` })
    .last()
    .hover()
  await page.getByRole('button', { name: `文件夹「里面${SUFFIX}」的操作` }).click()
  await page.getByRole('menuitem', { name: '移动' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: '移动文件夹' })
  await dialog.getByRole('checkbox', { name: /移到最上层/ }).check()
  await page.keyboard.press('Escape')
  await questionOf(page).getByRole('button', { name: '继续编辑' }).click()
  await expect(dialog.getByRole('checkbox', { name: /移到最上层/ })).toBeChecked()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('文件夹移动成功')).toBeVisible()
})

test('the browser’s Back asks before it leaves a drawer with input', async ({ page }) => {
  await page.goto('/cowd-manage/cowd-assets')
  await page.getByRole('link', { name: '标签管理' }).click()
  await page.getByRole('button', { name: '新建标签' }).click()
  const name = page.getByRole('dialog').getByLabel('名称').first()
  await name.fill('写了一半')
  await page.goBack()
  await page.getByRole('button', { name: '继续编辑' }).click()
  await expect(page).toHaveURL(/tags/)
  await expect(name).toHaveValue('写了一半')
  await page.goBack()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await expect(page).toHaveURL(/cowd-assets/)
})
