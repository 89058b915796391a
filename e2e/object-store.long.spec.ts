import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3Store, startS3 } from '../server/testing/s3-store.ts'
import { anAdvertiser } from './crowds.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A console whose uploads go straight to an object store, with and without temporary keys. */
const test = base.extend<object, { store: S3Store }>({
  store: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const store = await startS3({ sts: true })
      await use(store)
      await store.close()
    },
    { scope: 'worker' },
  ],
  server: [async ({ store }, use) => withServer({ OBJECT_STORE_URL: store.url }, use), SERVER_FIXTURE],
})

const scratch = mkdtempSync(join(tmpdir(), 'renqun-files-'))
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const hashOf = (bytes: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex')

async function throttle(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const rest = { offline: false, latency: 0, downloadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...rest, uploadThroughput: uploadThroughput || -1 })
}

/** The steps of multipart uploads. */
const ofPage = ({ calls }: S3Store) => calls.filter((one) => one.query.has('uploadId') || one.query.has('uploads'))

async function uploadWithReload(page: Page, store: S3Store, name: string) {
  const path = join(scratch, name)
  writeFileSync(path, Array.from({ length: 800_000 }, (_, i) => String(861_000_000_000_000 + i)).join('\n'))
  await anAdvertiser(page, `直传${name}`)
  await page.goto('/cowd-manage/custom-crowd/upload')
  await page.getByRole('radio', { name: 'IMEI', exact: true }).check()
  await throttle(page, 1_500_000)
  await page
    .getByRole('button', { name: /将文件拖到此处/ })
    .locator('input[type=file]')
    .setInputFiles(path)
  const file = page.getByRole('row').filter({ hasText: name })
  const parts = () => store.calls.filter((one) => one.method === 'PUT' && one.status === 200)
  await expect.poll(() => parts().length, { timeout: 30_000 }).toBeGreaterThan(0)
  await file.getByRole('button', { name: '暂停' }).click()
  await expect(file).toContainText('已暂停，点击继续')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(file).toContainText('已暂停，点击继续')
  await throttle(page, 0)
  await file.getByRole('button', { name: '继续' }).click()
  await expect(file).toContainText('成功', { timeout: 60_000 })
  const begun = store.calls.filter((one) => one.method === 'POST' && one.query.has('uploads'))
  expect(begun).toHaveLength(1)
  expect(hashOf(store.object(decodeURIComponent(begun[0]?.path ?? '').replace('/renqun/', '')))).toBe(
    hashOf(readFileSync(path)),
  )
  // Parts that had arrived were not sent again.
  expect(
    parts()
      .map((one) => one.query.get('partNumber'))
      .toSorted(),
  ).toEqual(['1', '2', '3'])
}

test('with temporary keys the page signs requests, and continues after a reload', async ({ page, store }) => {
  await uploadWithReload(page, store, 'sts.txt')
  expect(ofPage(store).filter((one) => !one.by.startsWith('TEMP'))).toEqual([])
})

test('without temporary keys the server signs each step', async ({ page, store }) => {
  store.setGivesKeys(false)
  store.calls.length = 0
  await uploadWithReload(page, store, 'signed.txt')
  expect(ofPage(store).map((one) => one.by)).toEqual(ofPage(store).map(() => 'ROOTKEY'))
})

test('a file of users goes into the store, is previewed and imported', async ({ page, store }) => {
  store.calls.length = 0
  await anAdvertiser(page, '直传导入')
  await page.goto('/basic-manage/index/data-access')
  const content = `id,city\n${Array.from({ length: 500 }, (_, i) => `${i},北京`).join('\n')}\n`
  await page.setInputFiles('input[type=file]', {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(content),
  })
  await expect(page.getByText('上传完成')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('预览前 50 行')).toBeVisible()
  expect(ofPage(store).map((one) => one.path)).toContainEqual(expect.stringContaining('/import-uploads/'))
  await page.getByRole('combobox', { name: '广告主', exact: true }).last().click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('直传导入', { exact: true }).click()
  await page.getByRole('button', { name: '开始导入' }).click()
  const report = page.getByRole('dialog').filter({ hasText: '等价的命令行' })
  await expect(report.getByText('已完成')).toBeVisible({ timeout: 60_000 })
  await expect(report).toContainText('500 行')
})
