import { SOCIAL } from '../server/testing/platforms.ts'
import { anAdvertiser, api } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { makeSocialCrowds } from './platform-crowds.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

export const LIST = '/cowd-manage/cowd-assets/2?dir_id=0'
export const CALLS = '/api/v1/gdtcrowd/custom/targetings'

/** An advertiser with authorised accounts of 腾讯广告, whose first one has two crowds there. */
export async function socialBrand(admin: Page): Promise<number> {
  const { id: adv_id } = await anAdvertiser(admin, '社交品牌')
  await authorise(admin, { adv_id, platform: SOCIAL, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${adv_id}`
  const { data } = await api<{ data: { external_id: string }[] }>(admin, 'get', path)
  await makeSocialCrowds(await sandboxOf(admin), data[0]?.external_id ?? '', ['老客', '新客'])
  return adv_id
}

export const accountOf = async (page: Page, of: number) => {
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${of}`
  const { data } = await api<{ data: { id: number }[] }>(page, 'get', path)
  return data[0]?.id ?? 0
}
export const addPackage = (page: Page, advertiser_id: number, targeting_name: string, targeting: object) =>
  api<{ id: number }>(page, 'post', `${CALLS}/add`, { targeting_name, dir_id: 1, advertiser_id, targeting })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
export const radios = (page: Page, name: string) => page.getByRole('radiogroup', { name, exact: true })
export const custom = (page: Page, name: string) => radios(page, name).getByRole('radio', { name: '自定义' }).check()
export const options = (page: Page, name: string) => page.getByRole('group', { name: `${name}的选项` })
export const save = (page: Page) => page.getByRole('button', { name: '确定' }).click()
export const wrong = async (page: Page, tabName: string, field: string) => {
  // The sentence is there for some seconds, in which a busy page may not come to be looked at.
  await expect(async () => {
    await save(page)
    await expect(page.getByText(`${tabName}未填写完整`).first()).toBeVisible({ timeout: 5000 })
  }).toPass()
  await expect(page.getByText(field).first()).toBeVisible()
}

export async function fillDialog(page: Page, name: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('定向包名称').fill(name)
  if ((await dialog.getByText('请选择平台账户').count()) > 0) {
    await dialog.getByRole('combobox', { name: '平台账户' }).click()
    await page.locator('.ant-select-item-option').first().click()
  }
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('腾讯广告定向包')
}
