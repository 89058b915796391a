import { beforeEach, expect, test } from 'vitest'
import { writeJson } from '../json.ts'
import { accountId } from '../platforms.ts'
import { ACCOUNT, id, videoForTest } from './testing.ts'

const SHOP = accountId('video', 6)
const { bench, now } = await videoForTest()
beforeEach(async () => {
  now.token = await bench.token('video', [SHOP])
})

type Row = Record<string, unknown>
async function call(method: 'GET' | 'POST', path: string, query: object) {
  const url = new URL(`${bench.box.videoUrl}/open_api/v1.0/qianchuan/${path}/`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, writeJson(value))
  const answer = await fetch(url, { method, headers: { 'access-token': now.token } })
  const text = await answer.text()
  return { text, ...JSON.parse(text) } as {
    text: string
    code: number
    message: string
    data: { list: Row[]; page_info: Row }
  }
}
const PACKAGES = 'orientation_package'
const list = (query: object = {}) => call('GET', `${PACKAGES}/get`, { advertiser_id: id(SHOP), ...query })
const add = async (name: string, fields: object = {}, more: object = {}) =>
  ((await bench.control('commerce-packages', { account_id: SHOP, name, fields, ...more })) as unknown as { id: string })
    .id

test('packages made on its pages are listed as the platform spells them', async () => {
  const crowds = await call('GET', 'dmp/audiences/get', { advertiser_id: id(SHOP), retargeting_tags_type: 1 })
  const crowd = /"retargeting_tags_id":(\d+)/.exec(crowds.text)?.[1] ?? ''
  await bench.control('commerce-crowds/set', { id: crowd, status: 11 })
  const made = await add('甲', { action_scene: ['E_COMMERCE'], retargeting_tags_include: [crowd] }, { ad_num: 2 })
  const { code, data } = await list()
  expect(code).toBe(0)
  expect(data.list[0]).toMatchObject({
    ...{ orientation_name: '甲', ad_num: 2, action_scene: ['E_COMMERCE'] },
    InActive_retargeting_tags: [{ InActive_type: 'EXPIRE', retargeting_name: expect.any(String) }],
  })
  await bench.control('commerce-packages/set', { id: made, name: '乙', is_deleted: true })
  expect((await list()).data.list).toEqual([])
})

test('pages, names and ids select', async () => {
  const ids = []
  for (let no = 0; no < 25; no++) ids.push(await add(`第${no}个`))
  expect((await list()).data).toMatchObject({ page_info: { page: 1, page_size: 20, total_number: 25, total_page: 2 } })
  expect((await list({ page: 2, page_size: 20 })).data.list).toHaveLength(5)
  expect((await list({ filtering: { name: '第3' } })).data.list).toHaveLength(1)
  expect((await list({ filtering: { id: [id(ids[0] as string)] } })).data.list).toHaveLength(1)
})

test.each<[string, object, string]>([
  ['a page that is too long', { page_size: 101 }, 'page_size'],
  ['a name that is too long', { filtering: { name: '长'.repeat(21) } }, 'name'],
  ['an unknown filter', { filtering: { status: 1 } }, 'filtering.status: 不支持'],
  ['an unknown argument', { fields: ['orientation_id'] }, 'fields'],
])('%s is refused', async (_, query, word) => {
  const { code, message } = await list(query)
  expect(code).toBe(40_000)
  expect(message).toContain(word)
})

test('accounts of the video engine have none, and no call writes any', async () => {
  now.token = await bench.token('video', [SHOP, ACCOUNT])
  expect(await list({ advertiser_id: id(ACCOUNT) })).toMatchObject({ code: 40_002 })
  for (const path of ['create', 'update', 'delete']) {
    expect(await call('POST', `${PACKAGES}/${path}`, { advertiser_id: id(SHOP) })).toMatchObject({ code: 40_000 })
  }
})
