import type { Locator } from '@playwright/test'
import { anAdvertiser, selectAdvertiser } from './crowds.ts'
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
