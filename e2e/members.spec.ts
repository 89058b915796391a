import { api, aViewer } from './crowds.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const USERS = '/basic-manage/index/users'

/** Whether calls with the token are answered. */
async function works(page: Page, token: string): Promise<boolean> {
  const answer = await page.request.get('/api/viewer', { headers: { authorization: `Bearer ${token}`, cookie: '' } })
  return answer.ok()
}
const aToken = async (page: Page) => (await api<{ token: string }>(page, 'post', '/api/token', { name: '脚本' })).token

test('a new password ends a member’s tokens unless the box is cleared, and a deleted member is gone', async ({
  page,
  openAs,
}) => {
  const name = `member${SUFFIX}`
  const account = await aViewer(page, name, [])
  const theirs = await openAs(account)
  const token = await aToken(theirs)
  await page.goto(USERS)
  const row = page.getByRole('row', { name })
  const reset = async (password: string, ends: boolean) => {
    await row.getByRole('button', { name: '重置密码' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('新密码').fill(password)
    const box = dialog.getByRole('checkbox', { name: '同时撤销该成员的全部接口令牌' })
    await expect(box).toBeChecked()
    if (!ends) await box.uncheck()
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect(page.getByText('密码已重置').last()).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  await reset('another-long-password-2', false)
  expect(await works(page, token)).toBe(true)
  await reset('another-long-password-3', true)
  expect(await works(page, token)).toBe(false)

  const again = await aToken(await openAs({ ...account, password: 'another-long-password-3' }))
  expect(await works(page, again)).toBe(true)
  await row.getByRole('button', { name: '删除' }).click()
  const question = page.getByRole('dialog', { name: `删除成员 ${name}？` })
  await expect(question).toContainText('不能恢复')
  await question.getByRole('button', { name: '删除' }).click()
  await expect(row).toHaveCount(0)
  expect(await works(page, again)).toBe(false)
})

test('one’s own new password keeps the tokens unless the box is ticked', async ({ page, openAs }) => {
  const account = await aViewer(page, `own${SUFFIX}`, [])
  const theirs = await openAs(account)
  const token = await aToken(theirs)
  const change = async (old: string, next: string, ends: boolean) => {
    await theirs.getByRole('button', { name: /^当前成员/ }).click()
    await theirs.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = theirs.getByRole('dialog')
    await dialog.getByLabel('当前密码').fill(old)
    await dialog.getByLabel('新密码', { exact: true }).fill(next)
    await dialog.getByLabel(/再次|确认/).fill(next)
    const box = dialog.getByRole('checkbox')
    await expect(box).not.toBeChecked()
    if (ends) await box.check()
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect(dialog).toBeHidden()
  }
  await theirs.goto('/')
  await change(account.password, 'another-long-password-2', false)
  expect(await works(theirs, token)).toBe(true)
  await change('another-long-password-2', 'another-long-password-3', true)
  expect(await works(theirs, token)).toBe(false)
})
