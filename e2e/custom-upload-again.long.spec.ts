import { createHash } from 'node:crypto'
import { expectAccessible } from './axe.ts'
import { anAdvertiser } from './crowds.ts'
import { choose } from './import-page.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'
import { chooseFiles, chooseType, fileOf, heldIn, row, watchUploads } from './upload-page.ts'

// Files that are chosen, changed or removed while something else of them is still under way.

let held = heldIn('')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const phonesFrom = (first: number) => (_: unknown, at: number) => String(13_800_000_000 + first + at)
/** Two requests' worth of hashes. */
const TWO_CHUNKS = 200_000

test.beforeAll(async ({ admin, server }) => {
  held = heldIn(server.dataDir)
  await anAdvertiser(admin, `再次上传${SUFFIX}-${test.info().workerIndex}`)
})

/** Lets the first part of a file through, and no other. */
const holdAfterFirstPart = (page: Page) =>
  page.route('**/api/oss/upload/*', async (route) => {
    const request = route.request()
    if (request.method() === 'PATCH' && request.headers()['upload-offset'] !== '0') return
    await route.continue()
  })

test('a corrected file of the same size is sent whole, though an earlier one is half sent', async ({
  page,
  context,
}) => {
  const wrong = Array.from({ length: TWO_CHUNKS }, phonesFrom(0))
  const right = wrong.with(0, '13900000000')
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  await holdAfterFirstPart(page)
  const first = watchUploads(page)
  await chooseFiles(page, fileOf('更正.txt', wrong.join('\n')))
  await expect.poll(() => first.seen.at(-1)?.offset, { timeout: 30_000 }).toBeGreaterThan(0)

  const tab = await context.newPage()
  await tab.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(tab, '手机号-MD5')
  const second = watchUploads(tab)
  await chooseFiles(tab, fileOf('更正.txt', right.join('\n')))
  await expect(row(tab, '更正.txt')).toContainText('成功', { timeout: 30_000 })
  expect(held(second.uri()).toString() === `${right.map(md5).join('\n')}\n`).toBe(true)
  await tab.close()
})

test('a column chosen before a reload is used again when the file is asked for', async ({ page }) => {
  const name = '两列.csv'
  const rows = Array.from({ length: TWO_CHUNKS }, (_, at) => [13_800_000_000 + at, 13_900_000_000 + at])
  const path = fileOf(name, `手机号,备用手机号\n${rows.map((row) => row.join(',')).join('\n')}`)
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  await holdAfterFirstPart(page)
  const uploads = watchUploads(page)
  await chooseFiles(page, path)
  await expect.poll(() => uploads.seen.at(-1)?.offset, { timeout: 30_000 }).toBeGreaterThan(0)
  const preview = page.getByRole('group', { name: `「${name}」的预览` })
  await choose(page, preview.getByLabel('标识所在列'), '第 2 列「备用手机号」')
  await expect.poll(() => uploads.begun(), { timeout: 30_000 }).toBe(2)
  await expect.poll(() => uploads.seen.at(-1)?.offset, { timeout: 30_000 }).toBeGreaterThan(0)

  const file = row(page, name).first()
  await file.getByRole('button', { name: '暂停' }).click()
  await page.evaluate(() => indexedDB.deleteDatabase('renqun-uploads'))
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(file).toContainText('请重新选择该文件，从中断处继续上传')
  await page.unroute('**/api/oss/upload/*')
  await page.getByLabel(`重新选择「${name}」`).setInputFiles(path)
  await expect(file).toContainText('成功', { timeout: 60_000 })
  expect(uploads.begun()).toBe(2)
  const hashes = rows.map(([, spare]) => md5(String(spare)))
  expect(held(uploads.uri()).toString() === `\u001fh\n${hashes.join('\n')}\n`).toBe(true)
})

test('turning hashing on while a column is changed sends no raw phone', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  const hashing = page.getByRole('switch', { name: '在浏览器内加密' })
  await hashing.click()
  await expect(hashing).not.toBeChecked()
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('换列.csv', `手机号,备用\n13812340001,13812340002`))
  const file = row(page, '换列.csv').first()
  await expect(file).toContainText('成功', { timeout: 30_000 })

  const dropped = Promise.withResolvers<void>()
  await page.route('**/api/oss/uploads/*', async (route) => {
    await dropped.promise
    await route.continue()
  })
  await page.getByRole('group', { name: '「换列.csv」的预览' }).getByLabel('首行是列名').click()
  await hashing.click()
  await expect(hashing).toBeChecked()
  dropped.resolve()
  await expect.poll(() => uploads.begun()).toBe(2)
  await expect(file).toContainText('成功', { timeout: 30_000 })
  expect(held(uploads.uri()).toString()).toContain(md5('13812340001'))
  expect(held(uploads.uri()).toString()).not.toContain('13812340001')
})

test('a removed file does not come back with a reload', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  await chooseFiles(page, fileOf('去掉.txt', '861000000000001'))
  const file = row(page, '去掉.txt')
  await expect(file).toContainText('成功', { timeout: 30_000 })
  await file.getByRole('button', { name: '删除' }).click()
  await expect(file).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('请先选择数据类型')).toBeVisible()
  await expect(file).toHaveCount(0)
})

test('values that may be OAIDs or their hashes wait for an answer before anything is sent', async ({ page }) => {
  const oaids = ['0123456789abcdef'.repeat(2), 'fedcba9876543210'.repeat(2)]
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'OAID-MD5')
  await page.getByRole('switch', { name: '在浏览器内加密' }).click()
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('像密文.txt', oaids.join('\n')))
  const file = row(page, '像密文.txt').first()
  await expect(file).toContainText('无法判断这些值是原始 OAID 还是密文，请在预览中选择后继续')
  const preview = page.getByRole('group', { name: '「像密文.txt」的预览' })
  await expect(preview).toContainText('待选择：原始值或密文')
  await expectAccessible(page)
  expect(uploads.begun()).toBe(0)
  await choose(page, preview.getByLabel('这些值是'), '原始 OAID（加密后发送）')
  await expect(file).toContainText('成功', { timeout: 30_000 })
  expect(held(uploads.uri()).toString()).toBe(`${oaids.map(md5).join('\n')}\n`)
})
