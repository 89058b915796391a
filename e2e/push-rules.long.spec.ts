import { createHash } from 'node:crypto'
import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser } from './crowds.ts'
import { authorise, chooseSeveral } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const PEOPLE = 1_500
const REFUSING = 100
const phone = (i: number) => String(13_800_000_000 + i)
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

let adv_id = 0
let account = ''
let crowd = ''
test.beforeAll(async ({ admin }) => {
  const advertiser = await anAdvertiser(admin, `推送规则${SUFFIX}${test.info().workerIndex}`)
  adv_id = advertiser.id
  const rows = Array.from({ length: PEOPLE }, (_, i) => `u${i},${i < REFUSING ? '否' : '是'},${md5(phone(i))}`)
  const mapping = { kind: 'users', id: '用户', identifiers: [{ column: '手机', type: 'HASH_MOBILE_PHONE' }], skip: [] }
  await importFile(admin, 'users.csv', ['用户,同意,手机', ...rows].join('\n'), adv_id, mapping)
  await authorise(admin, { adv_id, platform: SOCIAL, login: '海棠运营', accounts: /海棠腾讯账户4/ })
  const path = `/api/advertiser/list?auth_type=1&adv_id=${adv_id}`
  const { data } = await api<{ data: { name: string }[] }>(admin, 'get', path)
  account = data[0]?.name ?? ''
  crowd = `全部会员${SUFFIX}${test.info().workerIndex}`
  await aCrowd(admin, { name: crowd, adv_id, uses: { id: advertiser.everyone, tag_type: 1 } })
})

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('dialog').getByLabel(field, { exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: option }).click()
}

test('suppressed people and people without consent are in no push of a rule crowd, and are counted', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/basic-manage/index/suppression')
  const dialog = page.getByRole('dialog')
  await expect(page.getByText('屏蔽名单是空的')).toBeVisible()
  await page.getByRole('button', { name: '加入屏蔽名单' }).first().click()
  // Typed values: a phone, a malformed one, and one that is stored as its hash.
  await dialog
    .getByLabel('标识', { exact: true })
    .fill([phone(PEOPLE - 1), '没有这样的号', md5(phone(PEOPLE - 2))].join('\n'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog.getByText('1 行无效，已留在上面，请修改或删除')).toBeVisible()
  await expect(dialog.getByLabel('标识', { exact: true })).toHaveValue('没有这样的号')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(page.getByText('手机号-MD5 2')).toBeVisible()

  await page.getByLabel('属性', { exact: true }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: '同意' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('请选择不同意的值')).toBeVisible()
  await page.getByLabel('不同意的值').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '否' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(`当前不同意的用户：${REFUSING} 人`)).toBeVisible()
  await expectAccessible(page)

  await page.goto('/cowd-manage/cowd-assets?dir_id=1')
  await crowdRow(page, crowd).getByRole('button', { name: '推送至' }).click()
  await chooseSeveral(page, dialog, '平台', ['腾讯广告'])
  await chooseSeveral(page, dialog, '投放账户', [account])
  await dialog.getByRole('button', { name: '推送', exact: true }).click()
  await expect(dialog.locator('.ant-form-item-explain').getByText('请选择标识类型')).toBeVisible()
  // Only the visible options of a long list are rendered.
  await dialog.getByLabel('标识类型').fill('手机号-MD5')
  await page.locator('.ant-select-item-option').filter({ hasText: '手机号-MD5' }).click()
  // The open list covers the next field.
  await dialog.getByText(`推送「${crowd}」`).click()
  const check = dialog.getByRole('region', { name: '推送前检查' }).getByRole('row').filter({ hasText: '手机号-MD5' })
  await expect(check.getByRole('cell')).toHaveText([/手机号-MD5/, '1,500', '1,398', '2', '100', '0', '0'])
  await dialog.getByRole('switch', { name: '自动更新' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '推送', exact: true }).click()
  await expect(page.getByText('已提交推送，进度见任务')).toBeVisible()

  // The drawer of its audiences opens by itself.
  const drawer = page.getByRole('dialog', { name: '的平台人群' })
  const audience = drawer.getByRole('table', { name: '平台人群' }).getByRole('row').filter({ hasText: account })
  await expect(audience).toContainText('可用', { timeout: 60_000 })
  await expect(audience.getByRole('switch')).toBeChecked()
  const record = drawer.getByRole('table', { name: '推送记录' }).getByRole('row').filter({ hasText: account })
  await expect(record).toContainText('1,398')
  await expect(record).toContainText('屏蔽 2')
  await expect(record).toContainText('不同意 100')
  await audience.getByRole('switch').click()
  await expect(audience.getByRole('switch')).not.toBeChecked()
  await expectAccessible(page)

  // The task leads to the same drawer from any page, and a reload keeps it open.
  await page.goto('/cowd-manage/tags')
  await page.getByRole('button', { name: /^任务/ }).click()
  await page
    .getByRole('link', { name: `推送人群「${crowd}」` })
    .first()
    .click()
  await expect(drawer).toContainText(crowd)
  await drawer.locator('.ant-pagination-options .ant-select').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '20' }).click()
  await expect(page).toHaveURL(/pushes_page_size=20/)
  await page.reload()
  await expect(audience).toContainText('可用')
  await expect(drawer.locator('.ant-pagination-options')).toContainText('20')
  await drawer.getByRole('button', { name: '关闭' }).click()
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/crowd=|pushes_/)
})

test('a webhook is created, tested, switched off and deleted; none may call into this network', async ({ page }) => {
  await selectAdvertiser(page, adv_id)
  await page.goto('/basic-manage/index/webhooks')
  await expect(page.getByText('还没有通知')).toBeVisible()
  await page.getByRole('button', { name: '新建通知' }).first().click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: '确定' })
  await choose(page, '类型', '通用 JSON')
  await save.click()
  await expect(dialog.getByText('请输入完整的地址')).toBeVisible()
  await dialog.getByLabel('地址').fill('http://127.0.0.1:9/hook')
  await save.click()
  await expect(dialog.getByText('地址指向本机或内部网络')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('地址').fill('http://robot.invalid/hook')
  await save.click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: '通用 JSON' })
  await expect(row).toContainText('还没有发送过')
  await row.getByRole('button', { name: '发送测试' }).click()
  await expect(dialog).toContainText('测试通知没有送达', { timeout: 30_000 })
  const why = (await dialog.locator('.ant-typography').textContent()) ?? ''
  expect(why).not.toBe('')
  await dialog.getByRole('button', { name: '知道了' }).click()
  await expect(row).toContainText(why)
  await row.getByRole('switch').click()
  await expect(row.getByRole('switch')).not.toBeChecked()
  await expectAccessible(page)
  await row.getByRole('button', { name: '删除' }).click()
  await dialog.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('还没有通知')).toBeVisible()
})
