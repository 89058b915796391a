import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, authorise, md5s } from './custom-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its switches affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

/** Turns a switch of the sandbox, as its own page does. */
const turn = async (admin: Page, switches: Record<string, number>) =>
  (await sandboxOf(admin)).control('switches', switches)

async function prepared(admin: Page) {
  const { id: adv_id } = await anAdvertiser(admin, '推送控制')
  await authorise(admin, { adv_id, platform: SOCIAL, accounts: /./ })
  const { data } = await api<{ data: { id: number; name: string }[] }>(
    admin,
    'get',
    `/api/advertiser/list?auth_type=1&adv_id=${adv_id}`,
  )
  return { adv_id, account: data[0] ?? { id: 0, name: '' } }
}
const push = (admin: Page, id: number, advertiser_id: number) =>
  api(admin, 'post', '/api/v1/gdtcrowd/crowd/custom/push/1', { id, advertiser_id })

test('a push is cancelled and tried again; what happens to one that waits for tomorrow shows by itself', async ({
  admin,
  page,
}) => {
  const { adv_id, account } = await prepared(admin)
  await selectAdvertiser(page, adv_id)
  await turn(admin, { processing_seconds: 15 })
  const first = await aCustomCrowd(admin, { name: '慢的人群', adv_id, files: { 'a.txt': md5s(500).join('\n') } })
  await push(admin, first, account.id)
  await page.goto(`/cowd-manage/custom-crowd?crowd=${first}&panel=pushes`)
  const records = page.getByRole('table', { name: '推送记录' })
  const row = records.getByRole('row').filter({ hasText: account.name })
  await row.getByRole('button', { name: '取消' }).click()
  const question = page.getByRole('dialog', { name: `取消推送到「${account.name}」？` })
  await expect(question).toContainText('已发送的标识留在平台的人群包里')
  await question.getByRole('button', { name: '继续推送' }).click()
  await expect(question).toBeHidden()
  await row.getByRole('button', { name: '取消' }).click()
  await question.getByRole('button', { name: '取消推送' }).click()
  await expect(page.getByText(/已发送 \d+ \/ 500 个标识/).first()).toBeVisible()
  await expect(row).toContainText('已取消')
  await expectAccessible(page)

  await turn(admin, { processing_seconds: 0 })
  await row.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('已继续推送')).toBeVisible()
  await expect(row).toContainText('成功', { timeout: 60_000 })
  await expect(row).toContainText('500')

  await turn(admin, { social_files_per_day: 1 })
  const second = await aCustomCrowd(admin, {
    name: '等明天的人群',
    adv_id,
    files: { 'a.txt': md5s(300, 900).join('\n') },
  })
  await push(admin, second, account.id)
  await page.goto(`/cowd-manage/custom-crowd?crowd=${second}&panel=pushes`)
  await expect(row).toContainText('11018', { timeout: 60_000 })
  const tab = await page.context().newPage()
  await tab.goto(`/cowd-manage/custom-crowd?crowd=${second}&panel=pushes`)
  await tab.getByRole('table', { name: '推送记录' }).getByRole('button', { name: '取消' }).click()
  await tab.getByRole('dialog').filter({ hasText: '取消推送到' }).getByRole('button', { name: '取消推送' }).click()
  await expect(tab.getByText(/已发送 0 \/ 300 个标识/).first()).toBeVisible()
  await tab.close()
  // Nobody reloads the first page.
  await expect(row).toContainText('已取消', { timeout: 30_000 })
})
