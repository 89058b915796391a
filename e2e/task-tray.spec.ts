import { anAdvertiser, api, aViewer } from './crowds.ts'
import { uploadFile } from './custom-crowds.ts'
import { expect, SUFFIX, test } from './test.ts'

test('failures that the open tray showed count as seen once it is closed', async ({ page, openAs }) => {
  const { id: adv_id } = await anAdvertiser(page, `任务列表${SUFFIX}`)
  const theirs = await openAs(await aViewer(page, `tray${SUFFIX}`, [adv_id]))
  const files = [await uploadFile(theirs, '1.txt', 'PK\u0003\u0004')]
  const crowd = { name: `读不了${SUFFIX}`, adv_id, user_id_type: 'IMEI', dir_id: 1, files }
  await api(theirs, 'post', '/api/v1/gdtcrowd/crowd/custom/add', crowd)

  await theirs.goto('/cowd-manage/tags')
  const tray = theirs.getByRole('region', { name: '任务列表' })
  const failed = theirs.getByRole('button', { name: '任务：1 个失败' })
  await expect(failed).toBeVisible({ timeout: 30_000 })
  await failed.click()
  await expect(tray).toContainText(crowd.name)
  // While it is open, the failure is still counted.
  await theirs.reload()
  await failed.click()
  await expect(tray).toContainText(crowd.name)
  await theirs.getByRole('heading', { level: 1 }).click()
  await expect(tray).toBeHidden()
  const quiet = theirs.getByRole('button', { name: '任务', exact: true })
  await expect(quiet).toBeVisible()
  await theirs.reload()
  await expect(quiet).toBeVisible()
  await quiet.click()
  await expect(tray).toContainText(crowd.name)
})
