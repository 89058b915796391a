import type { Locator } from '@playwright/test'
import { type Account, expect, OWN_PAGE, type Page } from './test.ts'

/** Calls the API as the page's viewer; a refusal fails the test. */
export async function api<T>(page: Page, method: 'get' | 'post' | 'put', path: string, data?: object): Promise<T> {
  const response = await page.request[method](path, { ...(data ? { data } : {}), headers: OWN_PAGE })
  const answer = await response.json()
  expect(answer, `${method} ${path}: ${answer.msg}`).toMatchObject({ code: 0 })
  return answer.data
}

export interface TreeNode {
  id: number
  tag: string
  count: number | null
  group?: TreeNode[]
}

/** An advertiser whose tag 全部用户 has been counted, so that crowds can use it. */
export async function anAdvertiser(page: Page, name: string): Promise<{ id: number; everyone: number }> {
  const { id } = await api<{ id: number }>(page, 'post', '/api/advertiser', { name })
  let everyone = 0
  await expect(async () => {
    const { data } = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?adv_id=${id}`)
    const tag = data.flatMap((category) => category.group ?? []).find((one) => one.tag === '全部用户')
    expect(tag?.count).not.toBeNull()
    everyone = tag?.id ?? 0
  }).toPass({ timeout: 30_000 })
  return { id, everyone }
}

/** A saved crowd of one tag, or of another crowd (tag_type 3). */
export async function aCrowd(
  page: Page,
  crowd: { name: string; adv_id: number; uses: { id: number; tag_type: 1 | 2 | 3 }; dirId?: number },
): Promise<number> {
  const { rId } = await api<{ rId: number }>(page, 'post', '/api/peoplerule', { advId: crowd.adv_id })
  const rule = { id: 'n1', op: crowd.uses.tag_type === 3 ? null : 'n', subTags: [crowd.uses], exps: [] }
  await api(page, 'put', `/api/peoplerule/${rId}`, { advId: crowd.adv_id, rule })
  const invalidTime = Math.floor(Date.now() / 1000) + 30 * 86_400
  const body = { rId, name: crowd.name, invalidTime, dirId: crowd.dirId ?? 1 }
  const { id } = await api<{ id: number }>(page, 'post', '/api/people', body)
  await expect(async () => {
    const { status } = await api<{ status: string }>(page, 'get', `/api/people/${id}`)
    expect(status).toBe('completed')
  }).toPass({ timeout: 30_000 })
  return id
}

/** The crowd's row in the list of rule crowds. */
export const crowdRow = (page: Page, crowd: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: crowd, exact: true }) })

/** Sets the current advertiser of a page. */
export async function selectAdvertiser(page: Page, adv_id: number): Promise<void> {
  await page.addInitScript((id) => window.localStorage.setItem('advertiser', String(id)), adv_id)
}

/** A viewer of only these advertisers. */
export async function aViewer(
  page: Page,
  username: string,
  adv_ids: number[],
  { realname = username, read_only_adv_ids = [] as number[] } = {},
): Promise<Account> {
  const account = { username, password: 'a-long-password-1' }
  await api(page, 'post', '/api/viewer', { ...account, realname, adv_ids, read_only_adv_ids })
  return account
}
