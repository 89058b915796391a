import { VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its faults affect no other journey, and it has no copies of dictionaries yet. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const CALLS = '/api/v1/gdtcrowd/custom/targetings'

test('an editor whose platform is away says so at each picker, keeps the work, and goes on once it is back', async ({
  page,
  admin,
}) => {
  const { id: adv_id } = await anAdvertiser(admin, '平台故障')
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${VIDEO}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number }[] }>(admin, 'get', path)
  const { control } = await sandboxOf(admin)
  for (const part of ['tools/', 'dmp/'])
    await control('faults', { platform: 'video', path: part, kind: 'error', times: 1000 })
  const { id } = await api<{ id: number }>(admin, 'post', `${CALLS}/add`, {
    ...{ targeting_name: '平台故障的包', dir_id: 1, advertiser_id: data[0]?.id },
    targeting: { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] },
  })
  await selectAdvertiser(page, adv_id)
  await page.goto(`/cowd-manage/assets/crowd/${VIDEO}/${id}`)

  const radio = (group: string, name: string) =>
    page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name, exact: true })
  await radio('地理位置', '省市').check()
  await expect(page.getByText('地域加载失败')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: '用户行为' }).click()
  await radio('行为兴趣', '自定义').check()
  await expect(page.getByText('兴趣类目加载失败')).toBeVisible()
  await page.getByRole('tab', { name: '自定义人群' }).click()
  await page.getByRole('checkbox', { name: '定向人群' }).check()
  await expect(page.getByText('人群加载失败')).toBeVisible()
  const reach = page.getByRole('region', { name: '预估覆盖' })
  await expect(reach).toContainText('暂无')
  await expect(reach).not.toContainText('正在预估')

  // What is chosen meanwhile outlives a reload.
  await page.getByRole('tab', { name: '人口学属性' }).click()
  await page.getByRole('group', { name: '年龄', exact: true }).getByRole('checkbox').nth(1).check()
  await page.reload()
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await expect(page.getByRole('group', { name: '年龄', exact: true }).getByRole('checkbox').nth(1)).toBeChecked()

  await expect(page.getByText('地域加载失败')).toBeVisible()
  await control('faults/forget', {})
  await page.getByRole('tabpanel', { name: '人口学属性' }).getByRole('button', { name: '重试' }).click()
  await page.getByRole('tree', { name: '地域' }).locator('.ant-tree-checkbox').first().click()
  await radio('地点类型', '居住在该地区的用户').check()
  await page.getByRole('tab', { name: '用户行为' }).click()
  await radio('行为兴趣', '不限').check()
  await page.getByRole('tab', { name: '自定义人群' }).click()
  await page.getByRole('checkbox', { name: '定向人群' }).uncheck()
  await expect(reach).toContainText(/[\d,]+\s*人/, { timeout: 40_000 })
  await page.getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
})
