import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api } from './crowds.ts'
import { expect, type Page, test } from './test.ts'

const people = [
  '用户编号,姓名,城市,消费',
  ...Array.from({ length: 40 }, (_, i) => `${1000 + i},用户${i},${i % 4 === 0 ? '上海' : '北京'},${i * 10}`),
  '1000,用户0,上海,0',
  ',没有编号,北京,5',
]
const csv = (name: string, lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\n')}\n`),
})
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).last().click()
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: new RegExp(`^${option}$`) })
    .click()
  // A list that is still closing would be visible beside the next one.
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

test('a file is dropped, its columns are mapped, and the report adds up', async ({ page }) => {
  await anAdvertiser(page, '接入测试')
  await page.goto('/basic-manage/index/data-access')
  await page.setInputFiles('input[type=file]', { name: 'x.xlsx', mimeType: '', buffer: Buffer.from('x') })
  await expect(page.getByRole('alert')).toContainText('仅支持 csv')

  await page.setInputFiles('input[type=file]', csv('people.csv', people))
  await expect(page.getByText('上传完成')).toBeVisible()
  await page.reload()
  await expect(page.getByText('预览前 42 行')).toBeVisible()
  await expectAccessible(page)

  await choose(page, '广告主', '接入测试')
  await choose(page, '列「用户编号」导入为', '不导入')
  await expect(page.getByText('请指定哪一列是用户 ID')).toBeVisible()
  await expect(page.getByRole('button', { name: '开始导入' })).toBeDisabled()
  await choose(page, '列「用户编号」导入为', '用户 ID')
  await choose(page, '列「姓名」导入为', '姓名')
  await expect(page.getByText(/--id '用户编号'/)).toBeVisible()
  await page.getByRole('button', { name: '开始导入' }).click()

  const report = page.getByRole('dialog')
  await expect(report.getByText('拒绝原因')).toBeVisible({ timeout: 30_000 })
  await expect(report).toContainText('42 行')
  await expect(report.getByRole('img', { name: /已存入 40 行|已存入 41 行/ })).toBeVisible()
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  const [response] = await Promise.all([
    page.request.get((await report.getByRole('link', { name: '下载被拒绝的行' }).getAttribute('href')) ?? ''),
    report.getByRole('link', { name: '下载被拒绝的行' }).click(),
  ])
  const download = await downloading
  // The browser takes the file name from this header.
  expect(response.headers()['content-disposition']).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('people-被拒绝的行.csv')}`,
  )
  const refused = (await (await download.createReadStream()).toArray()).join('')
  expect(await response.text()).toBe(refused)
  expect(refused).toBe('\uFEFF用户编号,姓名,城市,消费,原文件行号,未导入原因\n,没有编号,北京,5,43,用户 ID 为空\n')
  await expect(page).toHaveURL(/import_id=\d+/)
  await report.getByRole('button', { name: /关闭|Close/ }).click()
  await expect(page.getByRole('row', { name: /people\.csv/ })).toContainText('已完成')
})

test('a tag is defined with a live count, moved, and not deleted while a crowd uses it', async ({ page }) => {
  const { data } = await api<{ data: { id: number; name: string }[] }>(page, 'get', '/api/advertiser/list')
  const advertiser = data.find((one) => one.name === '接入测试')
  if (!advertiser) throw new Error('the import before this made the advertiser')
  const adv_id = advertiser.id
  await page.addInitScript((id) => window.localStorage.setItem('advertiser', String(id)), adv_id)
  await page.goto('/cowd-manage/tags')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  await expect(page.getByRole('button', { name: /^城市/ })).toContainText('2')
  await expectAccessible(page)

  await page.getByRole('button', { name: '新建标签' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(drawer.getByText('请输入标签名称')).toBeVisible()
  await drawer.getByLabel('名称', { exact: true }).fill('消费一百以上')
  await choose(page, '分类', '城市')
  await choose(page, '属性', '消费')
  await choose(page, '条件', '介于')
  await drawer.getByLabel('不小于').fill('100')
  await expect(drawer.getByText('消费不小于 100')).toBeVisible()
  await expect(drawer.getByText('30', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: '保存' }).click()
  await expect(drawer).toHaveCount(0)
  await page.getByLabel('搜索标签名称').fill('消费一百')
  await expect(row('消费一百以上')).toContainText('30', { timeout: 30_000 })

  await page.getByRole('button', { name: '「消费一百以上」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '移动到' }).click()
  await choose(page, '移动到分类', '消费')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(row('消费一百以上').getByText('消费', { exact: true })).toBeVisible()

  const { list } = await api<{ list: { id: number }[] }>(
    page,
    'get',
    `/api/tag/list?adv_id=${adv_id}&keyword=${encodeURIComponent('消费一百')}`,
  )
  await aCrowd(page, { name: '高消费', adv_id, uses: { id: list[0]?.id ?? 0, tag_type: 1 } })
  await page.reload()
  await page.getByRole('button', { name: '「消费一百以上」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  const refusal = page.getByRole('dialog').filter({ hasText: '无法删除标签' })
  await expect(refusal.getByRole('link', { name: '高消费' })).toBeVisible()
  await refusal.getByRole('button', { name: '知道了' }).click()

  await row('消费一百以上').getByRole('button', { name: '编辑' }).click()
  await expect(drawer.getByRole('link', { name: '高消费' })).toBeVisible()
  await drawer.getByLabel('不小于').fill('200')
  await expect(drawer.getByText(/20/).first()).toBeVisible()
  await drawer.getByRole('button', { name: '保存并重算 1 个人群' }).click()
  await expect(row('消费一百以上')).toContainText('20', { timeout: 30_000 })
})
