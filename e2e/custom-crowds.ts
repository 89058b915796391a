import type { Locator } from '@playwright/test'
import type { PlatformCode } from '#contract/platform.ts'
import { api } from './crowds.ts'
import { expect, OWN_PAGE, type Page } from './test.ts'

interface Uploaded {
  name: string
  size: number
  uri: string
}

/** Uploads a file like the page. */
export async function uploadFile(page: Page, name: string, content: string): Promise<Uploaded> {
  const { endpoint, token } = await api<{ endpoint: string; token: string }>(page, 'get', '/api/oss/sts_token')
  const body = Buffer.from(content)
  const sent = await page.request.post(endpoint, {
    data: body,
    headers: {
      ...OWN_PAGE,
      'content-type': 'application/offset+octet-stream',
      'tus-resumable': '1.0.0',
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      'upload-token': token,
    },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  return { name, size: body.length, uri: decodeURIComponent(sent.headers().location?.split('/').at(-1) ?? '') }
}

/** Waits until the upload is checked. */
export async function checked(page: Page, id: number): Promise<void> {
  await expect(async () => {
    const { crowd } = await api<{ crowd: { status: string } }>(
      page,
      'get',
      `/api/v1/gdtcrowd/crowd/custom/get?id=${id}`,
    )
    expect(crowd.status).toBe('available')
  }).toPass({ timeout: 60_000 })
}

/** A crowd of these files, checked and available. */
export async function aCustomCrowd(
  page: Page,
  crowd: { name: string; adv_id: number; user_id_type?: string; files: Record<string, string>; dir_id?: number },
): Promise<number> {
  const files: Uploaded[] = []
  for (const [name, content] of Object.entries(crowd.files)) files.push(await uploadFile(page, name, content))
  const { id } = await api<{ id: number }>(page, 'post', '/api/v1/gdtcrowd/crowd/custom/add', {
    name: crowd.name,
    adv_id: crowd.adv_id,
    user_id_type: crowd.user_id_type ?? 'HASH_IMEI',
    dir_id: crowd.dir_id ?? 1,
    files,
  })
  await checked(page, id)
  return id
}

/** Authorises accounts of a login on a platform's page; defaults to the first login. */
export async function authorise(
  page: Page,
  given: { adv_id: number; platform: PlatformCode; login?: string; accounts: RegExp; scopes?: RegExp },
): Promise<void> {
  const { url } = await api<{ url: string }>(page, 'post', '/api/oauth/authorise', {
    adv_id: given.adv_id,
    platform: given.platform,
  })
  await page.goto(url)
  if (given.login) await page.getByRole('link', { name: given.login }).click()
  await tick(page, 'account', given.accounts)
  if (given.scopes) await tick(page, 'scope', given.scopes)
  await page.getByRole('button', { name: '同意授权' }).click()
  await page.waitForURL(/advertiser-data/)
}

async function tick(page: Page, name: 'account' | 'scope', labels: RegExp): Promise<void> {
  let isFound = false
  for (const choice of await page.locator(`input[name=${name}]`).all()) {
    const label = (await choice.locator('xpath=..').textContent()) ?? ''
    if (labels.test(label)) {
      isFound = true
      await choice.check()
    } else if ((await choice.getAttribute('type')) === 'checkbox') await choice.uncheck()
  }
  if (!isFound) throw new Error(`The platform offers no ${name} like ${labels}`)
}

/** MD5s that match nobody; the same arguments give the same ones. */
export const md5s = (howMany: number, from = 0): string[] =>
  Array.from({ length: howMany }, (_, i) => (from + i).toString(16).padStart(32, '0'))

/** The crowd's own row of the list. */
export const crowdRowOf = (page: Page, crowd: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: crowd, exact: true }) })

/** The row of its audience on a platform account. */
export const childRowOf = (page: Page, account: string): Locator =>
  page.getByRole('row').filter({ has: page.getByText(account, { exact: true }) })

/** Chooses options of a field that takes several; its list stays open, so it is closed by a click on the title. */
export async function chooseSeveral(page: Page, dialog: Locator, field: string, options: readonly string[]) {
  await dialog.getByLabel(field, { exact: true }).click()
  for (const option of options) {
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: option })
      .first()
      .click()
  }
  await dialog.locator('.ant-modal-title').click()
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}
