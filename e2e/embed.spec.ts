import { createToken } from '#contract/viewer.ts'
import { anAdvertiser, api } from './crowds.ts'
import { dayAhead } from './editor-page.ts'
import { CANCEL, openFrame, READY, receivedMessages, test } from './host-site.ts'
import { expect, OWN_PAGE, type Page } from './test.ts'

let adv_id = 0
let apiToken: { id: number; token: string }
test.beforeAll(async ({ admin }) => {
  const advertiser = await anAdvertiser(admin, '嵌入')
  adv_id = advertiser.id
  apiToken = await api(admin, 'post', createToken.path, { name: '工作台' })
})

const open = (page: Page, host: string, more: object = {}) => openFrame(page, host, apiToken.token, { adv_id, ...more })

test('a frame of another site is signed in, shows only the editor, and sends a message to that site', async ({
  page,
  host,
  server,
}) => {
  const { frame } = await open(page, host)
  await expect(frame.getByRole('tab', { name: '历史人群' })).toBeVisible()
  await expect(frame.getByRole('menuitem', { name: '人群资产' })).toHaveCount(0)
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY])
})

test('leaving without saving sends a message too, and a used token opens nothing', async ({ page, host, server }) => {
  const { frame, url } = await open(page, host)
  await frame.getByRole('treeitem', { level: 2 }).filter({ hasText: '全部用户' }).click()
  await frame.getByRole('button', { name: '取消', exact: true }).click()
  await frame.getByRole('button', { name: '继续编辑' }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY])
  await frame.getByRole('button', { name: '取消', exact: true }).click()
  await frame.getByRole('button', { name: '放弃修改' }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, CANCEL])
  await expect(frame.getByText('已关闭')).toBeVisible()
  await page.goto(`${host}/?frame=${encodeURIComponent(url)}`)
  await expect(frame.getByText('嵌入令牌已使用或已失效，请重新打开')).toBeVisible()
})

test('saving sends the crowd’s ids, and the view in the frame has no links out of it', async ({
  page,
  host,
  server,
  admin,
}) => {
  const { frame } = await open(page, host)
  await frame.getByRole('treeitem', { level: 2 }).filter({ hasText: '全部用户' }).click()
  await frame.getByLabel('名称', { exact: true }).fill('嵌入的人群')
  await frame.getByLabel('失效时间').fill(dayAhead(30))
  await frame.getByLabel('失效时间').press('Enter')
  await frame.getByRole('button', { name: '保存', exact: true }).click()
  await expect(frame.getByText('人群已保存')).toBeVisible()
  const { res } = await api<{ res: { id: number; tagId: number }[] }>(admin, 'get', `/api/people?adv_id=${adv_id}`)
  const [saved] = res
  expect(saved).toBeDefined()
  const savedMessage = { type: 'renqun:saved', crowd: { id: saved?.id, tagId: saved?.tagId, name: '嵌入的人群' } }
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, savedMessage])

  await open(page, host, { crowd_id: saved?.id, view: 'watch' })
  await expect(frame.getByRole('heading', { level: 1, name: '嵌入的人群' })).toBeVisible()
  await expect(frame.getByRole('group', { name: '标签 全部用户' })).toBeVisible()
  await expect(frame.getByRole('button', { name: /移除|添加规则|删除规则|保存|编辑|复制|推送/ })).toHaveCount(0)
  await expect(frame.getByRole('menuitem')).toHaveCount(0)
  await expect(frame.getByRole('link')).toHaveCount(0)
  await frame.getByRole('button', { name: '返回', exact: true }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, CANCEL])

  await open(page, host, { crowd_id: 999_999, view: 'watch' })
  await expect(frame.getByText('没有这个人群')).toBeVisible()
  await expect(frame.getByText('返回列表')).toHaveCount(0)
})

test('the end of the frame’s session sends a message, so that the site opens it again', async ({
  page,
  host,
  server,
  admin,
}) => {
  const { frame } = await open(page, host)
  await expect(frame.getByRole('treeitem', { level: 2 }).filter({ hasText: '全部用户' })).toBeVisible()
  const revoked = await admin.request.delete(`/api/token/${apiToken.id}`, { headers: OWN_PAGE })
  expect(revoked.ok()).toBe(true)
  await frame.getByRole('tab', { name: '历史人群' }).click()
  await expect(frame.getByText('登录已失效')).toBeVisible()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, { type: 'renqun:signed-out' }])
})
