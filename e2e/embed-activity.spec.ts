import { createToken } from '#contract/viewer.ts'
import { COMMERCE } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { aSite, CANCEL, openFrame, READY, receivedMessages, test } from './host-site.ts'
import { expect, type Page } from './test.ts'

test.use({ viewport: { width: 1280, height: 860 } })

let adv_id = 0
let token = ''
let account = ''
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '嵌入活动')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number; name: string }[] }>(admin, 'get', path)
  account = data[0]?.name ?? ''
  await api(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '高消费女性', dir_id: 1, advertiser_id: data[0]?.id },
    targeting: { landing_type: 'LIVE' },
  })
  ;({ token } = await api<{ token: string }>(admin, 'post', createToken.path, { name: '工作台' }))
})

const open = (page: Page, host: string, shown: object) => openFrame(page, host, token, { adv_id, ...shown })
const anActivity = (page: Page, name: string, of = adv_id) =>
  api<{ id: number }>(page, 'post', '/api/campaign', { advertiser_id: of, name }).then(({ id }) => id)
const inner = (page: Page) => {
  const frame = page.frames()[1]
  if (!frame) throw new Error('there is no frame')
  return frame
}

test('another site shows the workbench in a frame, and is told the saved activity', async ({
  page,
  host,
  server,
  admin,
}) => {
  test.slow()
  const { frame } = await open(page, host, { campaign_id: 0 })
  await expect(frame.getByRole('heading', { level: 1, name: '新建活动' })).toBeVisible()
  await expect(frame.getByRole('menuitem')).toHaveCount(0)
  await expect(frame.getByRole('link')).toHaveCount(0)

  await frame.getByLabel('活动名称').fill('框内活动')
  await frame.getByRole('button', { name: '新增产品' }).click()
  await frame.getByRole('dialog').getByLabel('产品名称').fill('跑鞋')
  await frame.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(frame.getByText('新增产品成功')).toBeVisible()
  await frame.getByRole('button', { name: '添加计划' }).first().click()
  // A frame shows no other page, so it says where in the console the way goes on.
  await expect(
    frame.getByText('巨量引擎没有已授权的账户，授权后就能在这里选择。可以在控制台的「基础管理 / 广告主授权」处理'),
  ).toBeVisible()
  await expect(frame.getByRole('link')).toHaveCount(0)
  await frame.getByText('巨量千川', { exact: true }).click()
  await frame.getByLabel('计划名称').fill('直播间拉新')
  await frame.getByRole('combobox', { name: '投放账户' }).click()
  await frame.locator('.ant-select-item-option', { hasText: account }).first().click()
  await frame.getByRole('combobox', { name: '定向包' }).click()
  await frame.locator('.ant-select-item-option', { hasText: '高消费女性' }).click()
  await frame.getByLabel('预算', { exact: true }).fill('500')
  await expect(frame.getByText('新增产品成功')).toBeHidden()
  await expectAccessible(inner(page))
  await page.screenshot({ path: 'test-results/embed-activity-1280.png' })

  await frame.getByRole('button', { name: /取\s?消/ }).click()
  await expect(frame.getByRole('dialog', { name: '有未保存的修改，确定离开吗？' })).toBeVisible()
  await frame.getByRole('button', { name: '继续编辑' }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY])

  await frame.getByRole('button', { name: /提\s?交/ }).click()
  await expect(frame.getByText('活动已保存')).toBeVisible()
  const { list } = await api<{ list: { id: number; name: string; status: number }[] }>(
    admin,
    'get',
    `/api/campaign/list?adv_id=${adv_id}`,
  )
  expect(list).toMatchObject([{ name: '框内活动', status: 2 }])
  const saved = { type: 'renqun:saved', activity: { id: list[0]?.id, name: '框内活动' } }
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, saved])
})

test('an activity that is there is opened by its id, saved, and left unsaved', async ({
  page,
  host,
  server,
  admin,
}) => {
  const id = await anActivity(admin, '原名')
  const { frame } = await open(page, host, { campaign_id: id })
  await expect(frame.getByLabel('活动名称')).toHaveValue('原名')
  await frame.getByLabel('活动名称').fill('丢弃的名字')
  await frame.getByRole('button', { name: /取\s?消/ }).click()
  await frame.getByRole('button', { name: '放弃修改' }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, CANCEL])
  await expect(frame.getByText('已关闭')).toBeVisible()

  await open(page, host, { campaign_id: id })
  await expect(frame.getByLabel('活动名称')).toHaveValue('原名')
  await frame.getByLabel('活动名称').fill('新名')
  await frame.getByRole('button', { name: '存为草稿' }).click()
  const saved = { type: 'renqun:saved', activity: { id, name: '新名' } }
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, saved])
})

test('a frame that was opened to watch offers no change; one of another advertiser’s activity shows nothing', async ({
  page,
  host,
  server,
  admin,
}) => {
  const id = await anActivity(admin, '只看')
  const { frame } = await open(page, host, { campaign_id: id, view: 'watch' })
  await expect(frame.getByLabel('活动名称')).toBeDisabled()
  await expect(frame.getByRole('button', { name: '存为草稿' })).toBeDisabled()
  await frame.getByRole('button', { name: /返\s?回/ }).click()
  await expect.poll(() => receivedMessages(page, server)).toEqual([READY, CANCEL])

  const other = await api<{ id: number }>(admin, 'post', '/api/advertiser', { name: '别家' })
  await open(page, host, { campaign_id: await anActivity(admin, '别家的', other.id) })
  await expect(frame.getByText('活动不存在或已被删除')).toBeVisible()
  await expect(frame.getByRole('link', { name: '回到活动列表' })).toHaveCount(0)
  await expect(frame.getByText('别家的')).toHaveCount(0)
})

test('a site that is not listed shows nothing and receives no message', async ({ page, host }) => {
  const { frame, url } = await open(page, host, { campaign_id: 0 })
  await expect(frame.getByRole('heading', { level: 1, name: '新建活动' })).toBeVisible()
  const other = await aSite()
  for (const framed of [url, url.replace(/embed.*/, 'campaign-manage/work-bench')]) {
    await page.goto(`${other.url}/?frame=${encodeURIComponent(framed)}`)
    await expect.poll(() => inner(page).url()).toContain('chrome-error:')
    expect(await page.evaluate(() => window.received)).toEqual([])
  }
  other.close()
})
