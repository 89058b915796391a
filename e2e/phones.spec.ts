import { createHash } from 'node:crypto'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { choose } from './import-page.ts'
import { importFile } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

const CLOSED = '「备用电话」的值中有手机号，您没有查看手机号的权限，不能按它的值设条件'
const phone = (i: number) => String(13_900_000_000 + i)

test('a viewer who may not see phones is told where a condition is closed, and sees no hash', async ({
  page,
  openAs,
}) => {
  const { id: adv_id } = await anAdvertiser(page, `号码${SUFFIX}`)
  const rows = Array.from({ length: 20 }, (_, i) => `u${i},${phone(i)},城市${i % 2}`)
  const mapping = { kind: 'users', id: '用户', identifiers: [], skip: [] }
  await importFile(page, 'users.csv', ['用户,备用电话,城市', ...rows].join('\n'), adv_id, mapping)
  const listed = '13911112222'
  await api(page, 'post', '/api/suppression', { adv_id, type: 'HASH_MOBILE_PHONE', lines: [listed] })
  const theirs = await openAs(await aViewer(page, `号码${SUFFIX}`, [adv_id]))
  await selectAdvertiser(theirs, adv_id)
  await theirs.goto('/cowd-manage/tags')
  await theirs.getByRole('button', { name: '新建标签' }).click()
  const drawer = theirs.getByRole('dialog', { name: '新建标签' })
  const field = drawer.getByRole('combobox', { name: '属性', exact: true })
  await choose(theirs, field, '城市')
  await expect(drawer.getByRole('combobox', { name: '值' })).toBeEnabled()
  await choose(theirs, field, '备用电话')
  await expect(drawer.getByText(CLOSED)).toBeVisible()
  await expect(drawer.getByRole('combobox', { name: '值' })).toBeDisabled()
  await expectAccessible(theirs)
  await choose(theirs, drawer.getByRole('combobox', { name: '条件' }), '有值')
  await expect(drawer.getByText(CLOSED)).toHaveCount(0)
  await expect(drawer.getByText('20 人')).toBeVisible()

  await theirs.goto('/basic-manage/index/suppression')
  const table = theirs.getByRole('table', { name: '屏蔽名单' })
  await table.getByRole('button', { name: '展开行' }).click()
  await expect(table.getByText('密文已隐藏，您没有查看手机号的权限')).toHaveCount(2)
  await expect(table.getByText('139****2222')).toHaveCount(2)
  await expect(table).not.toContainText(createHash('md5').update(listed).digest('hex'))
  await table.getByRole('button', { name: '移出' }).click()
  await theirs.getByRole('dialog').getByRole('button', { name: '移出' }).click()
  await expect(theirs.getByText('已移出 1 个')).toBeVisible()
})
