import { expectAccessible } from './axe.ts'
import { anAdvertiser } from './crowds.ts'
import { choose, closeReport, DATA_ACCESS, mapColumn, reportOf, runImport } from './import-page.ts'
import { expect, test } from './test.ts'

const LINES = [
  '日期,账户ID,活动名称,广告ID,消耗(元),展示数,点击率,备注',
  '2026-11-01,77,春季,1,"1,000.005",30000,2.3%,a',
  '2026-11-01,77,春季,2,234.5,10000,1.0%,b',
  '2026-11-02,77,春季,1,-5,1,0%,c',
  '合计,,,,1234.505,40001,2.0%,',
]

test('a file of reports is recognised, imported, and undone', async ({ page }) => {
  await anAdvertiser(page, '报表测试')
  await page.goto(DATA_ACCESS)
  const file = { name: '日报.csv', mimeType: 'text/csv', buffer: Buffer.from(`${LINES.join('\n')}\n`) }
  await page.setInputFiles('input[type=file]', file)
  await expect(page.getByText('预览前 4 行')).toBeVisible()
  await expect(page.getByRole('radio', { name: '报表' })).toBeChecked()
  await choose(page, page.getByRole('combobox', { name: '广告主', exact: true }).last(), '报表测试')
  await expect(page.getByText('「消耗(元)」是负数').first()).toBeVisible()
  await expectAccessible(page)

  await mapColumn(page, '消耗(元)', '不导入')
  await mapColumn(page, '展示数', '不导入')
  await expect(page.getByText('请指定哪一列是指标')).toBeVisible()
  await expect(page.getByRole('button', { name: '开始导入' })).toBeDisabled()
  await mapColumn(page, '消耗(元)', '消耗')
  await mapColumn(page, '展示数', '曝光量')
  const metrics = "--metric '消耗(元)=cost' --metric '展示数=imp_pv'"
  await expect(page.getByText(`import reports '日报.csv' --advertiser '报表测试'`)).toContainText(metrics)

  const drawer = await runImport(page)
  await expect(reportOf(drawer)).toHaveAccessibleName(/已存入 2 行/)
  await expect(drawer).toContainText('「消耗(元)」是负数')
  await expect(drawer).not.toContainText('人，')
  await expect(drawer).not.toContainText('标签会随数据自动更新')
  await closeReport(page, drawer)
  const row = page.getByRole('row', { name: /日报\.csv/ })
  await row.getByRole('button', { name: '撤销' }).click()
  const dialog = page.getByRole('dialog', { name: '撤销导入「日报.csv」？' })
  await expect(dialog).toContainText('移除 2 行。')
  await dialog.getByRole('button', { name: '撤销导入' }).click()
  await expect(row).toContainText('已撤销')
})
