import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api } from './crowds.ts'
import { uploadFile } from './custom-crowds.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'
import { chooseFiles, chooseType, fileOf, heldIn, row, watchUploads } from './upload-page.ts'

/** Limits the page's upload speed, bytes per second; 0 removes the limit. */
async function throttle(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadThroughput || -1,
  })
}

const imeis = (howMany: number, from = 0) =>
  Array.from({ length: howMany }, (_, i) => String(861_000_000_000_000 + from + i)).join('\n')
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
let held = heldIn('')

test.beforeAll(async ({ admin, server }) => {
  held = heldIn(server.dataDir)
  await anAdvertiser(admin, `上传测试${SUFFIX}-${test.info().workerIndex}`)
})

test('an upload is paused, continues by itself after a reload, and arrives byte for byte', async ({ page }) => {
  const path = fileOf('设备.txt', imeis(400_000))
  await page.goto('/cowd-manage/custom-crowd/upload?dir_id=1')
  await expect(page.getByText('请先选择数据类型')).toBeVisible()
  await chooseType(page, 'IMEI')
  await expectAccessible(page)
  await page.getByLabel('人群名称').fill('一次上传')

  const uploads = watchUploads(page)
  await throttle(page, 700_000)
  await chooseFiles(page, path)
  const file = row(page, '设备.txt')
  await expect(file).toContainText('上传中')
  await expect(file).toContainText(/\/秒，剩余/, { timeout: 20_000 })
  await file.getByRole('button', { name: '暂停' }).click()
  await expect(file).toContainText('已暂停，点击继续')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('main').getByText('包含未上传文件，请上传或删除后提交')).toBeVisible()
  await expectAccessible(page)

  // A paused upload stays paused.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(file).toContainText('已暂停，点击继续')
  await expect(page.getByRole('radio', { name: 'IMEI', exact: true })).toBeChecked()
  await expect(page.getByLabel('人群名称')).toHaveValue('一次上传')
  await file.getByRole('button', { name: '继续' }).click()
  await expect(file).toContainText('上传中')
  await expect.poll(() => uploads.seen.at(-1)?.offset).toBeGreaterThan(0)

  // A running upload continues without a click.
  await page.reload()
  await expect(file).toContainText('上传中')
  await throttle(page, 0)
  await expect(file).toContainText('成功', { timeout: 60_000 })
  expect(uploads.begun()).toBe(1)
  expect(hashOf(held(uploads.uri()))).toBe(hashOf(readFileSync(path)))

  await page.reload()
  await expect(file).toContainText('成功')
})

test('a file that the browser lost is asked for again and continues where it stopped', async ({ page }) => {
  const path = fileOf('lost.csv', imeis(300_000, 1_000_000))
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  const uploads = watchUploads(page)
  await throttle(page, 700_000)
  await chooseFiles(page, path)
  const file = row(page, 'lost.csv')
  await expect(file).toContainText(/\/秒/, { timeout: 20_000 })
  await file.getByRole('button', { name: '暂停' }).click()
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('renqun-uploads')
        deleting.onsuccess = resolve
        deleting.onerror = reject
      }),
  )
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(file).toContainText('请重新选择该文件，从中断处继续上传')
  await expectAccessible(page)
  const again = page.getByLabel('重新选择「lost.csv」')
  await again.setInputFiles(fileOf('other.csv', imeis(10)))
  await expect(file).toContainText('请选择原来的文件「lost.csv」')
  await throttle(page, 0)
  await again.setInputFiles(path)
  await expect(file).toContainText('成功', { timeout: 60_000 })
  expect(uploads.begun()).toBe(1)
  expect(uploads.seen.at(-1)?.offset).toBeGreaterThan(0)
  expect(hashOf(held(uploads.uri()))).toBe(hashOf(readFileSync(path)))
})

test('a lost connection is retried; if it stays lost the upload fails and a click retries it', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  let refusals = 2
  await page.route('**/api/oss/upload/*', async (route) => {
    if (route.request().method() === 'PATCH' && refusals-- > 0) return route.abort('connectionreset')
    return route.continue()
  })
  await chooseFiles(page, fileOf('reconnect.txt', imeis(1000)))
  await expect(row(page, 'reconnect.txt')).toContainText('成功', { timeout: 30_000 })

  await page.unroute('**/api/oss/upload/*')
  await page.route('**/api/oss/upload', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ code: 130, msg: '磁盘空间不足，无法接收文件；请清理磁盘后再上传', data: null }),
    }),
  )
  await chooseFiles(page, fileOf('refused.txt', imeis(1000, 5000)))
  const file = row(page, 'refused.txt')
  await expect(file).toContainText('失败，点击重试')
  await expect(file).toContainText('磁盘空间不足')
  await page.unroute('**/api/oss/upload')
  await file.getByRole('button', { name: '重试' }).click()
  await expect(file).toContainText('成功', { timeout: 30_000 })
})

test('a file of each bad kind is refused with its message', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  for (const [name, content, message] of [
    ['表格.xlsx', 'x', '不支持上传该类型文件'],
    ['空的.txt', '', '不能上传空文件'],
    ['太大.csv', 50 * 1024 ** 2 + 1, '单个文件大小不能超过 50M'],
  ] as const) {
    await chooseFiles(page, fileOf(name, content))
    await expect(page.getByRole('alert')).toHaveText(`${name}：${message}`)
    await expect(row(page, name)).toHaveCount(0)
  }
  await chooseFiles(page, ...Array.from({ length: 21 }, (_, i) => fileOf(`many-${i}.txt`, imeis(1, i))))
  await expect(page.getByRole('alert')).toHaveText('many-20.txt：最多上传 20 个文件')
  await expect(page.getByRole('row')).toHaveCount(21)
})

test('an incomplete form says what is missing', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  const main = page.getByRole('main')
  await page.getByRole('button', { name: '保存' }).click()
  for (const words of ['请选择数据类型', '请上传文件', '请输入人群名称']) {
    await expect(main.getByText(words, { exact: true })).toBeVisible()
  }
  await page.getByLabel('人群名称').fill('有 空格')
  await expect(main.getByText('名称只支持中英文，数字，横杠，下划线')).toBeVisible()
  await expectAccessible(page)
})

test('files that look like another type cause a warning before they are submitted', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  await chooseFiles(page, fileOf('phones.txt', Array.from({ length: 20 }, (_, i) => `1381234${1000 + i}`).join('\r\n')))
  const file = row(page, 'phones.txt')
  await expect(file).toContainText('看起来像「手机号（未加密）」')
  // Choosing the right type removes the warning: raw phones are hashed here.
  await chooseType(page, '手机号-MD5')
  await expect(page.getByRole('switch', { name: '在浏览器内加密' })).toBeChecked()
  await expect(file).not.toContainText('看起来像')
  await chooseFiles(page, fileOf('mixed.txt', ['abc', '???', '12'].join('\r\n')))
  await expect(row(page, 'mixed.txt')).toContainText('前几行与所选数据类型不符，无法识别为支持的标识类型，请确认')
})

test('raw phones are hashed before they are sent, the crowd is submitted, and files are removed from it', async ({
  page,
}) => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const phones = ['13812340001', '13812340002', '13812340003']
  const already = md5('13812340004').toUpperCase()
  const name = `浏览器加密${SUFFIX}`
  const { id: folder } = await api<{ id: number }>(page, 'post', '/api/v1/gdtcrowd/crowd_dir/custom', {
    name: `加密的${SUFFIX}`,
  })
  await page.goto(`/cowd-manage/custom-crowd/upload?dir_id=${folder}`)
  await chooseType(page, '手机号-MD5')
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('手机号.txt', [...phones, already, 'not a phone'].join('\n')))
  const file = row(page, '手机号.txt')
  await expect(file).toContainText('成功', { timeout: 30_000 })
  await expect(file).toContainText('共 5 行，1 行已是密文，1 行无效（只在本机，未上传）')
  const arrived = held(uploads.uri()).toString()
  for (const phone of phones) {
    expect(arrived).toContain(md5(phone))
    expect(arrived).not.toContain(phone)
  }
  await page.getByLabel('人群名称').fill(name)
  await expectAccessible(page)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('提交成功')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`custom-crowd/list\\?dir_id=${folder}`))
  await expect(row(page, name)).toBeVisible()

  const find = async () => {
    const { list } = await api<{
      list: { id: number; adv_id: number; name: string; status: string; user_count: number }[]
    }>(page, 'get', `/api/v1/gdtcrowd/crowd/custom/list?name=${encodeURIComponent(name)}`)
    return list[0]
  }
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('available')
  const crowd = await find()
  expect(crowd?.user_count).toBe(4)

  await page.goto(`/cowd-manage/custom-crowd/edit/${crowd?.id}?adv_id=${crowd?.adv_id}`)
  await expect(page.getByRole('radio', { name: '手机号-MD5' })).toHaveCount(0)
  await expect(page.getByText('手机号-MD5').first()).toBeVisible()
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('main').getByText('请选择更新类型')).toBeVisible()
  await page.getByText('删减文件').click()
  await chooseFiles(page, fileOf('去掉.txt', phones.slice(0, 2).join('\n')))
  await expect(row(page, '去掉.txt')).toContainText('成功', { timeout: 30_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('提交成功')).toBeVisible()
  await expect.poll(async () => (await find())?.user_count, { timeout: 60_000 }).toBe(2)
})

test('what is no text, a zip while hashing is on, and a zip without its end are not sent', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('程序.csv', 'MZ\0\0\0'), fileOf('旧表.csv', Buffer.from('d0cf11e0a1b11ae1', 'hex')))
  await expect(row(page, '程序.csv')).toContainText('文件内容是程序')
  await expect(row(page, '旧表.csv')).toContainText('Excel 97-2003 工作簿')
  await chooseFiles(page, fileOf('名单.zip', 'PK\u0003\u0004'))
  await expect(row(page, '名单.zip')).toContainText('zip 文件不能在浏览器内加密')
  await page.getByRole('switch', { name: '在浏览器内加密' }).click()
  await expect(row(page, '名单.zip')).toContainText('压缩包已损坏或不完整')
  await expect(page.getByText('成功')).toHaveCount(0)
  expect(uploads.begun()).toBe(0)
})

test('turning hashing off and on again at once sends no raw phone', async ({ page }) => {
  const phone = '13812340009'
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('来回切换.txt', phone))
  const file = row(page, '来回切换.txt')
  await expect(file).toContainText('成功', { timeout: 30_000 })

  let go = () => {}
  const answered = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route('**/api/oss/uploads/*', async (route) => {
    await answered
    await route.continue()
  })
  const hashing = page.getByRole('switch', { name: '在浏览器内加密' })
  await hashing.click()
  await expect(hashing).not.toBeChecked()
  await hashing.click()
  await expect(hashing).toBeChecked()
  go()
  await expect.poll(() => uploads.begun()).toBe(2)
  await expect(file).toContainText('成功', { timeout: 30_000 })
  await expect(file).toContainText('共 1 行')
  const arrived = held(uploads.uri()).toString()
  expect(arrived).toContain(createHash('md5').update(phone).digest('hex'))
  expect(arrived).not.toContain(phone)
})

test('a crowd can be edited once its check is done; after a failed check the page says what to do', async ({
  page,
}) => {
  const { id: adv_id } = await anAdvertiser(page, `编辑测试${SUFFIX}`)
  const add = async (name: string, content: string) => {
    const body = { name, adv_id, user_id_type: 'IMEI', dir_id: 1, files: [await uploadFile(page, '1.txt', content)] }
    return (await api<{ id: number }>(page, 'post', '/api/v1/gdtcrowd/crowd/custom/add', body)).id
  }
  await page.goto(`/cowd-manage/custom-crowd/edit/${await add(`计算中的${SUFFIX}`, imeis(1_500_000))}`)
  await expect(page.getByText('计算中的人群不可编辑')).toBeVisible()
  await expect(page.getByText('完成后会自动打开此页')).toBeVisible()
  await expect(page.getByText('追加文件')).toBeVisible({ timeout: 60_000 })

  const failed = await add(`失败的${SUFFIX}`, 'PK\u0003\u0004')
  await page.goto(`/cowd-manage/custom-crowd/edit/${failed}`)
  await expect(page.getByText('计算失败的人群不可编辑')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('可在右上角的任务中重试，或删除后重新上传')).toBeVisible()
})

test('leaving asks first, and cancelling a file removes it from the server', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, 'IMEI')
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('gone.txt', imeis(100)))
  const file = row(page, 'gone.txt')
  await expect(file).toContainText('成功')
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await file.getByRole('button', { name: '删除' }).click()
  expect((await removed).ok()).toBe(true)
  await expect(file).toHaveCount(0)
  expect(() => held(uploads.uri())).toThrow()

  await page.getByLabel('人群名称').fill('要走了')
  await page.getByRole('button', { name: '取消' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('离开后，已填写的内容和已上传的文件将丢失。')
  await dialog.getByRole('button', { name: '放弃修改' }).click()
  await expect(page).toHaveURL(/custom-crowd\/list/)
})

test('an upload to another viewer’s advertiser is refused', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd/upload?adv_id=999999')
  await expect(page.getByText('没有权限，无法查看或新建自定义人群')).toBeVisible()
  await page.goto('/cowd-manage/custom-crowd/edit/999999?adv_id=1')
  await expect(page.getByText('人群不存在或已被删除', { exact: true })).toBeVisible()
})
