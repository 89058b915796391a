import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

const PEOPLE = 400
const PAGE = '/basic-manage/index/suppression'
const phone = (i: number) => String(13_900_000_000 + i)
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

let adv_id = 0
let crowd = ''
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, `屏蔽${SUFFIX}${test.info().workerIndex}`)).id
  const rows = Array.from({ length: PEOPLE }, (_, i) => `u${i},${phone(i)}`)
  const mapping = { kind: 'users', id: '用户', phone: '手机', identifiers: [], skip: [] }
  await importFile(admin, 'users.csv', ['用户,手机', ...rows].join('\n'), adv_id, mapping)
  crowd = `退订${SUFFIX}${test.info().workerIndex}`
  await aCustomCrowd(admin, {
    name: crowd,
    adv_id,
    user_id_type: 'HASH_MOBILE_PHONE',
    files: { 'a.txt': Array.from({ length: 30 }, (_, i) => md5(phone(200 + i))).join('\n') },
  })
})

test('many people are suppressed after a confirmation; they are searched, exported and removed in bulk', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(PAGE)
  const dialog = page.getByRole('dialog')
  const table = page.getByRole('table', { name: '屏蔽名单' })
  await page.getByRole('button', { name: '加入屏蔽名单' }).first().click()
  const lines = Array.from({ length: 12 }, (_, i) => phone(i))
  await dialog.getByLabel('标识', { exact: true }).fill([...lines, phone(0)].join('\n'))
  await dialog.getByRole('button', { name: '确定' }).click()
  const question = page.getByRole('dialog', { name: '屏蔽的人较多' })
  await expect(question).toContainText(`将加入 12 个标识，屏蔽 12 个已有用户（共 ${PEOPLE} 个）`)
  await expectAccessible(page)
  await question.getByRole('button', { name: '取消' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByText('屏蔽名单是空的')).toBeVisible()
  await dialog.getByRole('button', { name: '确定' }).click()
  await question.getByRole('button', { name: '加入' }).click()
  await expect(page.getByText('已加入 12 个，粘贴内容中重复 1 个')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  // One phone is one row, with its forms below.
  await expect(page.getByText('共 12 个')).toBeVisible()
  const phones = table.getByRole('row').filter({ hasText: /1\d{10}/ })
  await page.getByRole('listitem', { name: '2' }).click()
  await expect(phones).toHaveCount(2)
  await expect(page).toHaveURL(/[?&]page=2(&|$)/)
  await page.reload()
  await expect(phones).toHaveCount(2)
  await page.getByLabel('完整标识，或 138****1234').fill(md5(phone(3)))
  await expect(page).toHaveURL(new RegExp(`keyword=${md5(phone(3))}`))
  await expect(page.getByText('共 1 个')).toBeVisible()
  await expect(table.getByRole('row').filter({ hasText: phone(3) })).toBeVisible()
  await table.getByRole('button', { name: '展开行' }).click()
  await expect(table).toContainText(createHash('sha256').update(phone(3)).digest('hex'))
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByText('共 1 个')).toBeVisible()
  await page.getByLabel('完整标识，或 138****1234').fill('139****0005')
  await expect(table.getByRole('row').filter({ hasText: phone(5) })).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: '导出符合条件的 1 个' }).click(),
  ])
  expect(
    readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(3)
  await page.getByRole('button', { name: '移出符合条件的 1 个' }).click()
  await expect(page.getByRole('dialog', { name: '移出符合条件的全部 1 个？' })).toBeVisible()
  await dialog.getByRole('button', { name: '移出' }).click()
  await expect(page.getByText('没有符合条件的标识')).toBeVisible()

  await page.goto(PAGE)
  await expect(page.getByText('共 11 个')).toBeVisible()
  await table.getByLabel(`选择「手机号 ${phone(1)}」`).check()
  await table.getByLabel(`选择「手机号 ${phone(2)}」`).check()
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '移出' }).click()
  await expect(page.getByRole('dialog', { name: '移出选中的 2 个？' })).toBeVisible()
  await dialog.getByRole('button', { name: '移出' }).click()
  await expect(page.getByText('已移出 2 个')).toBeVisible()
  await expect(page.getByText('共 9 个')).toBeVisible()

  // Files come in as an uploaded crowd.
  await page.getByRole('button', { name: '从上传的人群加入' }).click()
  await dialog.getByLabel('上传的人群').click()
  await page.locator('.ant-select-item-option').filter({ hasText: crowd }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(question).toContainText('将加入 30 个标识，屏蔽 30 个已有用户')
  await question.getByRole('button', { name: '加入' }).click()
  await expect(page.getByText('已提交，30 个标识，进度见任务')).toBeVisible()
  await expect(page.getByText('已加入屏蔽名单：')).toBeVisible({ timeout: 60_000 })
  await page.reload()
  await expect(page.getByText('共 39 个')).toBeVisible()

  await page.getByRole('button', { name: '全部移出' }).click()
  await expect(page.getByRole('dialog', { name: /全部 39 个/ })).toBeVisible()
  await dialog.getByRole('button', { name: '移出' }).click()
  await expect(page.getByText('屏蔽名单是空的')).toBeVisible()
})
