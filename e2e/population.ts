import { anAdvertiser, api, type TreeNode } from './crowds.ts'
import { eventsCsv, type Person, usersCsv } from './people.ts'
import { expect, OWN_PAGE, type Page } from './test.ts'

/** Uploads a file like the page, and imports it. */
export async function importFile(
  page: Page,
  name: string,
  content: string,
  adv_id: number,
  mapping: object,
): Promise<void> {
  const body = Buffer.from(content)
  const sent = await page.request.post('/api/upload', {
    data: body,
    headers: {
      ...OWN_PAGE,
      'content-type': 'application/offset+octet-stream',
      'tus-resumable': '1.0.0',
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
  expect(sent.status(), await sent.text()).toBe(201)
  const upload_id = decodeURIComponent(sent.headers().location?.split('/').at(-1) ?? '')
  const { id } = await api<{ id: number }>(page, 'post', '/api/import', { adv_id, upload_id, mapping })
  await expect(async () => {
    const { status } = await api<{ status: string }>(page, 'get', `/api/import/${id}`)
    expect(status).toBe('done')
  }).toPass({ timeout: 60_000 })
}

/** An advertiser with these people and events; returns its tags by name once they are counted. */
export async function anAdvertiserOf(page: Page, name: string, people: readonly Person[]) {
  const { id: adv_id } = await anAdvertiser(page, name)
  const users = { kind: 'users', id: '用户', identifiers: [], skip: [] }
  await importFile(page, '人口-用户.csv', usersCsv(people), adv_id, users)
  const events = { kind: 'events', id: '用户', event: '事件', time: '时间', skip: [] }
  await importFile(page, '人口-事件.csv', eventsCsv(people), adv_id, events)
  const tags = new Map<string, number>()
  await expect(async () => {
    for (const type of [1, 2]) {
      const { data } = await api<{ data: TreeNode[] }>(page, 'get', `/api/tree?adv_id=${adv_id}&tag_type=${type}`)
      for (const tag of data.flatMap((category) => category.group ?? [])) {
        expect(tag.count, tag.tag).not.toBeNull()
        tags.set(tag.tag, tag.id)
      }
    }
    expect([...tags.keys()]).toEqual(expect.arrayContaining(['全部用户', '男', '一线', '是', '做过支付', '做过退款']))
  }).toPass({ timeout: 30_000 })
  const tagOf = (tag: string): number => {
    const found = tags.get(tag)
    if (found === undefined) throw new Error(`no tag ${tag}`)
    return found
  }
  return { adv_id, tagOf }
}

/** An advertiser with 10,000 tags: 50 attributes with 200 values each. */
export async function manyTags(page: Page, name: string): Promise<{ adv_id: number }> {
  const { id: adv_id } = await anAdvertiser(page, name)
  const attributes = Array.from({ length: 50 }, (_, at) => `属性${at + 1}`)
  const rows = Array.from({ length: 1200 }, (_, row) =>
    [row, ...attributes.map((_, at) => `取值${(row * 7 + at) % 200}`)].join(','),
  )
  const users = { kind: 'users', id: '用户', identifiers: [], skip: [] }
  await importFile(page, '很多属性.csv', [['用户', ...attributes].join(','), ...rows].join('\n'), adv_id, users)
  await expect(async () => {
    const { data } = await api<{ data: (TreeNode & { tags?: number })[] }>(
      page,
      'get',
      `/api/tree?adv_id=${adv_id}&tag_type=1&most=0`,
    )
    expect(data.reduce((sum, { tags = 0 }) => sum + tags, 0)).toBeGreaterThan(10_000)
  }).toPass({ timeout: 120_000 })
  return { adv_id }
}
