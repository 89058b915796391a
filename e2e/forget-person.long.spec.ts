import { SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

let adv_id = 0
let everyone = 0
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id, everyone } = await anAdvertiser(admin, `删除${SUFFIX}`))
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
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/forgotten/)

  const card = page.locator('.ant-card', { has: page.getByRole('heading', { name: '删除记录' }) })
  await card.getByRole('textbox', { name: 'One ID' }).fill('a-001')
  await expect(card.getByRole('button', { name: '查看回执' })).toHaveCount(1)
  await expect(page).toHaveURL(/forgotten_oneID=a-001/)
  await page.reload()
  await expect(card.getByRole('textbox', { name: 'One ID' })).toHaveValue('a-001')
  await expect(card.getByRole('button', { name: '查看回执' })).toHaveCount(1)
  await card.getByRole('textbox', { name: 'One ID' }).fill('a-009')
  await expect(card).toContainText('没有这个 One ID 的删除记录')
  await page.goto(`/cowd-manage/user-behavior/a-001?adv_id=${adv_id}`)
  await expect(page.getByText('用户不存在或已被删除')).toBeVisible()
})

/** Pushes everybody to the only account of the platform, and waits until it has them. */
async function pushEverybody(admin: Page, crowd: number, platform: number, type: string) {
  const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number }[] }>(admin, 'get', path)
  const body = { id: crowd, advertiser_id: data[0]?.id ?? 0, kind: 'rule', types: [type] }
  const push = `/api/v1/gdtcrowd/crowd/custom/push/${platform}`
  const { push_id } = await api<{ push_id: number }>(admin, 'post', push, body)
  await expect(async () => {
    const { push } = await api<{ push: { status: string } }>(admin, 'get', `/api/push/${push_id}`)
    // One of the platforms has the values long before it publishes them.
    expect(['done', 'paused']).toContain(push.status)
  }).toPass({ timeout: 90_000 })
}

test('the receipt has a line for each account that the person was pushed to, until the platform has taken the removal', async ({
  page,
  admin,
}) => {
  await authorise(admin, { adv_id, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户2/ })
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /巨量账户4/ })
  const crowd = await aCrowd(admin, { name: `全部会员${SUFFIX}`, adv_id, uses: { id: everyone, tag_type: 1 } })
  await pushEverybody(admin, crowd, SOCIAL, 'HASH_MOBILE_PHONE')
  await pushEverybody(admin, crowd, VIDEO, 'SHA256_MOBILE_PHONE')

  await selectAdvertiser(page, adv_id)
  const { id } = await api<{ id: number }>(admin, 'post', '/api/linkuser/forget', {
    ...{ adv_id, oneID: 'a-002', confirm: 'a-002' },
  })
  await page.goto(`/basic-manage/index/suppression?forgotten=${id}`)
  const receipt = page.getByRole('dialog', { name: '删除回执' })
  for (const platform of ['腾讯广告', '巨量引擎']) {
    const row = receipt.getByRole('row').filter({ hasText: platform })
    await expect(row).toContainText('平台已受理', { timeout: 90_000 })
    await expect(row).toContainText('全部会员')
  }
  await expectAccessible(page)
})
