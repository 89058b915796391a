import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './axe.ts'
import { anAdvertiser } from './crowds.ts'
import { crowdRowOf } from './custom-crowds.ts'
import { watchSent } from './sent-bytes.ts'
import { expect, SUFFIX, test } from './test.ts'
import { chooseFiles, chooseType, fileOf, heldIn, row, watchUploads } from './upload-page.ts'

// Raw values that are hashed in the browser stay there.

let held = heldIn('')

test.beforeAll(async ({ admin, server }) => {
  held = heldIn(server.dataDir)
  await anAdvertiser(admin, `明文测试${SUFFIX}-${test.info().workerIndex}`)
})

test('of a table nothing but hashes leaves the browser; malformed lines are saved there', async ({ page }) => {
  test.slow()
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const sent = await watchSent(page)
  const secrets = ['13812345671', '138-1234-5672', '张三的住址', '李四的住址', '1381234567x', '王五的住址', '62220000']
  const gbk = (hex: string) => Buffer.from(hex, 'hex')
  const table = `姓名,手机号,地址\n张三,${secrets[0]},张三的住址\n李四,"+86 ${secrets[1]}",李四的住址\n王五,${secrets[4]},王五的住址\n62220000\n`
  await page.goto('/cowd-manage/custom-crowd/upload')
  await chooseType(page, '手机号-MD5')
  const uploads = watchUploads(page)
  await chooseFiles(page, fileOf('会员表.csv', table))
  const file = row(page, '会员表.csv')
  await expect(file).toContainText('成功', { timeout: 30_000 })
  await expect(file).toContainText('共 4 行，1 行规范写法后加密，2 行无效（只在本机，未上传）')
  const preview = page.getByRole('group', { name: '「会员表.csv」的预览' })
  await expect(preview).toContainText('第 2 列「手机号」')
  await expect(preview).toContainText('不是 11 位手机号，也不是 MD5')
  await expect(preview).toContainText('没有所选的列')
  await expectAccessible(page)
  expect(held(uploads.uri()).toString()).toBe(
    `\u001fh\n${md5('13812345671')}\n${md5('13812345672')}\n\u001fw\n\u001fc\n`,
  )
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    file.getByRole('button', { name: '下载无效行（仅在本机）' }).click(),
  ])
  const saved = readFileSync(await download.path(), 'utf8')
  expect(saved).toContain(`4,不是 11 位手机号，也不是 MD5,"王五,${secrets[4]},王五的住址"`)
  expect(saved).toContain('5,没有所选的列,62220000')

  // A file of another encoding and column is read as recognised.
  await chooseFiles(page, fileOf('gbk.csv', gbk('d0d5c3fb2cb5e7bbb00ad5c5c8fd2c31333831323334353637310a')))
  await expect(row(page, 'gbk.csv')).toContainText('文件按 GBK 读取（可改）')
  await expect(row(page, 'gbk.csv')).toContainText('成功', { timeout: 30_000 })
  await expect(page.getByRole('group', { name: '「gbk.csv」的预览' })).toContainText('第 2 列「电话」')

  // Most lines of this one are malformed: it is asked before it is submitted.
  await chooseFiles(page, fileOf('多数无效.txt', `${secrets[0]}\n1\n2\n`))
  await expect(row(page, '多数无效.txt')).toContainText('成功', { timeout: 30_000 })
  await page.getByLabel('人群名称').fill(`列${SUFFIX}`)
  await page.getByRole('button', { name: '保存' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('「多数无效.txt」：3 行中 2 行无效')
  await dialog.getByRole('button', { name: '仍要提交' }).click()
  await expect(page.getByText('提交成功')).toBeVisible()
  const everything = sent.join('\n')
  // The uploaded bytes and the submitted form are among what was recorded.
  for (const known of [md5('13812345671'), md5('13812345672'), '"local_id"']) expect(everything).toContain(known)
  for (const secret of secrets) {
    expect(everything).not.toContain(Buffer.from(secret).toString('latin1'))
    expect(everything).not.toContain(encodeURIComponent(secret))
  }
})

test('malformed lines are saved from the crowd after submitting, until it is closed', async ({ page }) => {
  const name = `无效行${SUFFIX}`
  await page.goto('/cowd-manage/custom-crowd/upload?dir_id=1')
  await chooseType(page, '手机号-MD5')
  await chooseFiles(page, fileOf('保留.txt', '13812345671\n13812345672\n1381234567x\n'))
  await expect(row(page, '保留.txt')).toContainText('成功', { timeout: 30_000 })
  await page.getByLabel('人群名称').fill(name)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('提交成功')).toBeVisible()

  const opened = crowdRowOf(page, name).getByRole('button', { name, exact: true })
  await opened.click()
  const drawer = page.getByRole('dialog')
  const files = drawer.getByRole('region', { name: '文件' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: '下载无效行' }).click(),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toContain('1381234567x')

  await drawer.getByRole('button', { name: '关闭' }).click()
  await expect(drawer).toBeHidden()
  await opened.click()
  await expect(files.getByRole('link', { name: '下载无效行' })).toBeVisible({ timeout: 60_000 })
})
