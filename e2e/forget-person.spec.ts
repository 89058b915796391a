import { expectAccessible } from './axe.ts'
import { anAdvertiser, selectAdvertiser } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id } = await anAdvertiser(admin, `删除${SUFFIX}`))
  const file = ['编号,姓名,手机,城市', 'a-001,张三,13912345601,北京', 'a-002,李四,13912345602,上海'].join('\n')
  const people = { kind: 'users', id: '编号', name: '姓名', phone: '手机', identifiers: [], skip: [] }
  await importFile(admin, '用户.csv', file, adv_id, people)
})

test('a person is deleted after their One ID was written again, and the receipt lists every store', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/user-behavior/a-001?adv_id=${adv_id}`)
  await page.getByRole('button', { name: '删除用户' }).click()
  const dialog = page.getByRole('dialog', { name: '删除用户' })
  await expect(dialog).toContainText('删除后不能恢复')
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/dialog.png`, animations: 'disabled' })
  await dialog.getByRole('button', { name: '永久删除' }).click()
  await expect(dialog).toContainText('请输入 One ID')
  await dialog.getByRole('textbox').fill('a-002')
  await dialog.getByRole('button', { name: '永久删除' }).click()
  await expect(dialog).toContainText('与这个用户的 One ID 不同')
  await dialog.getByRole('textbox').fill('a-001')
  await page.keyboard.press('Enter')

  const receipt = page.getByRole('dialog', { name: '删除回执' })
  await expect(receipt).toContainText('本系统已移除', { timeout: 30_000 })
  await expect(receipt.getByRole('row', { name: /身份与属性/ })).toContainText('已核对')
  await expect(receipt.getByRole('row', { name: /等待读取的上传文件/ })).toBeVisible()
  await expect(receipt).toContainText('没有推送过这个人')
  await expectAccessible(page)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/receipt.png`, animations: 'disabled' })
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/forgotten/)

  const card = page.locator('.ant-card', { has: page.getByRole('heading', { name: '删除记录' }) })
  await card.getByRole('textbox', { name: 'One ID' }).fill('a-001')
  await expect(card.getByRole('button', { name: '查看回执' })).toHaveCount(1)
  if (process.env.SHOTS) {
    await card.scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${process.env.SHOTS}/list.png`, animations: 'disabled', fullPage: true })
  }
  await page.goto(`/cowd-manage/user-behavior/a-001?adv_id=${adv_id}`)
  await expect(page.getByText('用户不存在或已被删除')).toBeVisible()
})
