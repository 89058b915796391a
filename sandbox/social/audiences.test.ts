import { describe, expect, test } from 'vitest'
import { ACCOUNT, id, imeis, OTHER, socialForTest } from './testing.ts'

const { bench, now, caller, anAudience, send, valuesOf, rowOf } = await socialForTest()

describe('creating an audience', () => {
  let named = 0
  const add = (more: object, headers: Record<string, string> = {}) =>
    caller.post(
      'custom_audiences/add',
      { account_id: id(ACCOUNT), name: `人群${++named}`, type: 'CUSTOMER_FILE', ...more },
      headers,
    )

  test.each([
    ['no account', { account_id: undefined }, 50035],
    ['an account as text', { account_id: ACCOUNT }, 18002],
    ['an account that a double rounded', { account_id: Number(ACCOUNT) }, 12203],
    ['no name', { name: undefined }, 50036],
    ['an empty name', { name: '' }, 50036],
    ['a name of 33 bytes', { name: '人'.repeat(11) }, 50042],
    ['a name with a forbidden character', { name: '男/女' }, 31002],
    ['a name that is a number', { name: 12 }, 18002],
    ['no type', { type: undefined }, 18001],
    ['an unknown type', { type: 'FILE' }, 18009],
    ['a description of 251 bytes', { description: 'a'.repeat(251) }, 50044],
    ['an outer id with a hyphen', { outer_audience_id: 'a-b' }, 31002],
    ['an outer id of 129 characters', { outer_audience_id: 'a'.repeat(129) }, 18003],
  ])('%s is refused', async (_, change, code) => {
    expect((await add(change)).code).toBe(code)
  })

  test('a body that is not JSON is refused', async () => {
    const response = await fetch(caller.address('custom_audiences/add'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"account_id":',
    })
    expect(await response.json()).toMatchObject({ code: 12003 })
  })

  test('a new audience waits for data, and its id exceeds a double', async () => {
    const audience = await anAudience({ name: '三十二字节的名称就是十个汉字'.slice(0, 10), description: '说明' })
    expect(Number.isSafeInteger(Number(audience))).toBe(false)
    expect(await rowOf(audience)).toMatchObject({
      audience_id: audience,
      status: 'PENDING',
      is_own: true,
      user_count: 0,
    })
  })

  test('a name can be used once per account', async () => {
    await anAudience({ name: '重名' })
    expect(await add({ name: '重名' })).toMatchObject({ code: 50007, message_cn: expect.stringContaining('重复') })
  })

  test('a used outer id returns the earlier audience', async () => {
    const first = await anAudience({ outer_audience_id: 'rq_1' })
    const { data } = await add({ outer_audience_id: 'rq_1' })
    expect(data.audience_id).toBe(first)
    expect(await rowOf(first)).toMatchObject({ outer_audience_id: 'rq_1' })
  })

  test('a request id creates one audience, and is refused with another body', async () => {
    const body = { name: '只做一次' }
    const before = await liveOf(ACCOUNT)
    const first = await add(body, { 'x-request-id': 'r-1' })
    expect((await add(body, { 'x-request-id': 'r-1' })).data).toEqual(first.data)
    expect((await add({ name: '另一个' }, { 'x-request-id': 'r-1' })).code).toBe(31060)
    expect(await liveOf(ACCOUNT)).toBe(before + 1)
    const audience = first.data.audience_id
    const update = { account_id: id(ACCOUNT), audience_id: audience, name: '改名' }
    expect((await caller.post('custom_audiences/update', update, { 'x-request-id': 'r-2' })).code).toBe(12010)
  })

  test('the refusal’s message contains the quota', async () => {
    await anAudience()
    const quota = await liveOf(ACCOUNT)
    await bench.control('switches', { social_audiences: quota })
    const { code, message } = await add({})
    expect(code).toBe(50008)
    expect(message).toMatch(new RegExp(`quotaType: \\w+, quotaValue: ${quota}, quotaConsumed: ${quota}`))
  })

  const liveOf = async (account: string) =>
    ((await bench.read(`audiences?platform=social&account_id=${account}`)) as unknown[]).length
})

describe('the older generation', () => {
  const post = async (path: string, body: object) => {
    const url = caller.address(path).replace('/v3.0/', '/v1.3/')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body).replace(/"(\d{16,})"/g, '$1'),
    })
    return (await response.json()) as { code: number }
  }
  test('has another name for the outer id', async () => {
    const body = { account_id: ACCOUNT, name: '旧版', type: 'CUSTOMER_FILE', external_audience_id: 'old_1' }
    expect(await post('custom_audiences/add', body)).toMatchObject({ code: 0 })
    const audience = await anAudience({ outer_audience_id: 'old_1' })
    expect(await rowOf(audience)).toMatchObject({ name: '旧版' })
  })
})

describe('changing and deleting', () => {
  const act = (what: string, audience: bigint, more: object = {}) =>
    caller.post(`custom_audiences/${what}`, { account_id: id(ACCOUNT), audience_id: audience, ...more })

  test('renames, unless another audience has the name', async () => {
    const audience = await anAudience()
    await anAudience({ name: '占用的' })
    expect((await act('update', audience, { name: '占用的' })).code).toBe(50007)
    expect((await act('update', audience, {})).code).toBe(18001)
    expect((await act('update', audience, { description: 'a'.repeat(101) })).code).toBe(50044)
    expect((await act('update', audience, { name: '新名' })).code).toBe(0)
    expect(await rowOf(audience)).toMatchObject({ name: '新名' })
  })

  test.each([
    ['ad', 50023],
    ['lookalike', 50024],
    ['combine', 50025],
    ['grant', 50022],
  ])('one used by %s is not deleted', async (used_by, code) => {
    const audience = await anAudience()
    await bench.control('audiences/set', { platform: 'social', audience_id: String(audience), used_by })
    expect((await act('delete', audience)).code).toBe(code)
    await bench.control('audiences/set', { platform: 'social', audience_id: String(audience), used_by: null })
    expect((await act('delete', audience)).code).toBe(0)
    expect((await act('delete', audience)).code).toBe(50005)
    expect(await rowOf(audience)).toEqual({})
  })

  test('an audience of another account is not found', async () => {
    const audience = await anAudience()
    now.token = await bench.token('social', [ACCOUNT, OTHER])
    const stranger = { account_id: id(OTHER), audience_id: audience }
    expect((await caller.post('custom_audiences/delete', stranger)).code).toBe(50015)
  })
})

test('lists are paged', async () => {
  now.token = await bench.token('social', [OTHER])
  const made: bigint[] = []
  for (let no = 0; no < 3; no++) {
    const body = { account_id: id(OTHER), name: `第${no}个`, type: 'CUSTOMER_FILE' }
    made.push((await caller.post('custom_audiences/add', body)).data.audience_id)
  }
  const page = (query: object) => caller.get('custom_audiences/get', { account_id: OTHER, ...query })
  const { data } = await page({ page: 2, page_size: 2 })
  expect(data).toMatchObject({
    list: [{ audience_id: made[0] }],
    page_info: { page: 2, page_size: 2, total_number: 3, total_page: 2 },
  })
  expect((await page({ page_size: 101 })).code).toBe(18003)
  expect((await page({ page: 0 })).code).toBe(18004)
  expect((await page({ page: 'x' })).code).toBe(18002)
})

test('all state survives a restart', async () => {
  const audience = await anAudience({ outer_audience_id: 'kept' })
  await send(audience, imeis(1, 2))
  await bench.control('settle')
  const { url } = bench.box
  await bench.restart()
  expect(bench.box.url).toBe(url)
  expect(await valuesOf(audience)).toEqual(imeis(1, 2).sort())
  expect(await rowOf(audience)).toMatchObject({ status: 'SUCCESS' })
})
