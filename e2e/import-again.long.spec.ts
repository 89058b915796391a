import { getUploadCredentials } from '#contract/upload.ts'
import { expectAccessible } from './axe.ts'
import {
  choose,
  chooseKind,
  closeReport,
  DATA_ACCESS,
  dropFile,
  makeAdvertiser,
  mapColumn,
  reportOf,
  runImport,
} from './import-page.ts'
import { eventsCsv, somePeople, usersCsv } from './people.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

test.beforeEach(async ({ page }) => {
  await page.goto(DATA_ACCESS)
})

test('importing the same file again changes nothing, a longer one adds its new rows', async ({ page }) => {
  test.slow()
  const people = somePeople(60)
  const events = eventsCsv(people)
  const rows = events.split('\n').length - 1
  const send = async (page: Page, content: string) => {
    await dropFile(page, { name: 'events.csv', content })
    await chooseKind(page, '事件')
    await mapColumn(page, '用户', '用户 ID')
  }
  await send(page, events)
  await makeAdvertiser(page, `重复导入${SUFFIX}`)
  const first = await runImport(page)
  await expect(reportOf(first)).toHaveAccessibleName(`已存入 ${rows} 行，重复 0 行，被拒绝 0 行`)
  await closeReport(page, first)

  await send(page, events)
  const again = await runImport(page)
  await expect(reportOf(again)).toHaveAccessibleName(`已存入 0 行，重复 ${rows} 行，被拒绝 0 行`)
  await closeReport(page, again)

  await send(page, `${events}\n000001,支付,${Math.floor(Date.now() / 1000) - 3600},99\n000002,支付,不是时间,5`)
  const longer = await runImport(page)
  await expect(reportOf(longer)).toHaveAccessibleName(`已存入 1 行，重复 ${rows} 行，被拒绝 1 行`)
  const downloading = page.waitForEvent('download')
  await longer.getByRole('link', { name: /下载被拒绝的行/ }).click()
  const refused = await (await downloading).createReadStream()
  const text = (await refused.toArray()).join('')
  expect(text).toContain('不是时间')
  expect(text).not.toContain('000001')
  await closeReport(page, longer)
  await expect(page.getByRole('row', { name: /events\.csv/ })).toHaveCount(3)
})

test('an upload is paused and continues where it stopped', async ({ page }) => {
  let isHeld = true
  await page.route('**/api/upload/*', async (route) => {
    // Delayed until the page aborts it.
    if (isHeld && route.request().method() === 'PATCH') return
    await route.continue()
  })
  await dropFile(page, { name: 'users.csv', content: usersCsv(somePeople(2_000)) })
  await page.getByRole('button', { name: '暂停' }).click()
  await expect(page.getByText('已暂停')).toBeVisible()
  await expectAccessible(page)
  isHeld = false
  await page.getByRole('button', { name: '继续' }).click()
  await expect(page.getByText('上传完成')).toBeVisible()
  await expect(page.getByText('共 4 列，预览前 50 行')).toBeVisible()
  await page.getByRole('button', { name: '换一个文件' }).click()
  await expect(page.getByRole('button', { name: /将文件拖到此处/ })).toBeVisible()
})

test('an upload paused before its first request stays paused until it is continued', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (/\/api\/upload(\/|$)/.test(request.url()) && request.method() !== 'GET') sent.push(request.method())
  })
  let release = () => {}
  const isReleased = new Promise<void>((done) => {
    release = done
  })
  await page.route(`**${getUploadCredentials.path}*`, async (route) => {
    await isReleased
    await route.continue()
  })
  await dropFile(page, { name: 'users.csv', content: usersCsv(somePeople(100)) })
  await page.getByRole('button', { name: '暂停' }).click()
  await expect(page.getByText('已暂停')).toBeVisible()
  const answered = page.waitForResponse((response) => response.url().includes(getUploadCredentials.path))
  release()
  await answered
  await expect(page.getByText('已暂停')).toBeVisible()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: '继续' }).click()
  await expect(page.getByText('上传完成')).toBeVisible()
})

test('an upload paused while a busy page has not begun it is continued', async ({ page }) => {
  await page.addInitScript(() => {
    const setAtOnce = window.setTimeout
    // The uploader begins 4 ms after it got the file; this page is too busy for that.
    const setLate = (run: () => void, delay?: number) => {
      if (delay !== 4) return setAtOnce(run, delay)
      const { dataset } = document.documentElement
      dataset.batch = 'due'
      return setAtOnce(() => {
        run()
        dataset.batch = 'begun'
      }, 2_000)
    }
    window.setTimeout = Object.assign(setLate, setAtOnce)
  })
  await page.reload()
  await dropFile(page, { name: 'users.csv', content: usersCsv(somePeople(100)) })
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-batch', 'due')
  await page.getByRole('button', { name: '暂停' }).click()
  await expect(page.getByText('已暂停')).toBeVisible()
  await expect(html).toHaveAttribute('data-batch', 'begun')
  await page.getByRole('button', { name: '继续' }).click()
  await expect(page.getByText('上传完成')).toBeVisible()
})

test('an upload interrupted by a reload is found again and continues where it stopped', async ({ page, context }) => {
  const begun: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/upload')) begun.push(request.url())
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const throttle = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(20_000)
  await dropFile(page, { name: 'users.csv', content: usersCsv(somePeople(20_000)) })
  await expect(page.getByText(/\/秒/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: '暂停' }).click()
  await expect(page.getByText('已暂停')).toBeVisible()
  await page.reload()
  await expect(page.getByText('已暂停')).toBeVisible()
  await throttle(-1)
  await page.getByRole('button', { name: '继续' }).click()
  await expect(page.getByText('上传完成')).toBeVisible()
  await expect(page.getByText('共 4 列，预览前 50 行')).toBeVisible()
  expect(begun).toHaveLength(1)
  await page.getByRole('button', { name: '换一个文件' }).click()
})

test('a file that the browser no longer has is asked for again', async ({ page }) => {
  let isHeld = true
  await page.route('**/api/upload/*', async (route) => {
    if (isHeld && route.request().method() === 'PATCH') return
    await route.continue()
  })
  const content = usersCsv(somePeople(2_000))
  await dropFile(page, { name: 'users.csv', content })
  await page.getByRole('button', { name: '暂停' }).click()
  await expect(page.getByText('已暂停')).toBeVisible()
  await page.evaluate(
    () =>
      new Promise((deleted) => {
        indexedDB.deleteDatabase('renqun-uploads').onsuccess = deleted
      }),
  )
  await page.reload()
  await expect(page.getByText('请重新选择该文件，从中断处继续上传')).toBeVisible()
  await expectAccessible(page)
  isHeld = false
  const again = page.getByLabel('重新选择文件')
  await again.setInputFiles({ name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByText('请选择原来的文件「users.csv」')).toBeVisible()
  await again.setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByText('上传完成')).toBeVisible()
  await page.getByRole('button', { name: '换一个文件' }).click()
})

test('a GBK file is read, and an unreadable one says why', async ({ page }) => {
  // 用户 and 男 in GBK, as a Chinese Windows writes them.
  const gbk = Buffer.concat([Buffer.from([0xd3, 0xc3, 0xbb, 0xa7]), Buffer.from(',a\n1,'), Buffer.from([0xc4, 0xd0])])
  await page.setInputFiles('input[type=file]', { name: 'gbk.csv', mimeType: 'text/csv', buffer: gbk })
  await expect(page.getByText('文件按 GBK 读取（可改）')).toBeVisible()
  await expect(page.getByText('男', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await choose(page, page.getByRole('combobox', { name: '文件编码' }), 'UTF-8')
  await expect(page.getByText('无法读取这个文件')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '换一个文件' }).last().click()
  await dropFile(page, { name: 'notes.docx', content: 'x' })
  await expect(page.getByRole('alert')).toContainText('仅支持')
})
