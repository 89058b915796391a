import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Bench, md5, type Row, SOCIAL_ACCOUNTS, sandboxForTest, sha256, socialCaller, zip } from './testing.ts'

let bench: Bench
let token = ''
const [ACCOUNT, OTHER] = SOCIAL_ACCOUNTS
const id = (text: string) => BigInt(text)
let made = 0

beforeAll(async () => {
  bench = await sandboxForTest()
})
beforeEach(async () => {
  await bench.control('switches/reset')
  await bench.control('switches', { processing_seconds: 0 })
  token = await bench.token('social', [ACCOUNT])
})
afterAll(() => bench.close())

const caller = () => socialCaller(bench, () => token)
const imeis = (...from: number[]) => from.map((no) => md5(`imei${no}`))

async function anAudience(more: object = {}): Promise<bigint> {
  const body = { account_id: id(ACCOUNT), name: `人群${++made}`, type: 'CUSTOMER_FILE', ...more }
  const { code, data, message } = await caller().post('custom_audiences/add', body)
  expect({ code, message }).toEqual({ code: 0, message: '' })
  return data.audience_id
}
const send = (audience: bigint, values: readonly string[], more: Record<string, string> = {}) =>
  caller().file(
    { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI', ...more },
    'part.txt',
    `${values.join('\n')}\n`,
  )
const valuesOf = async (audience: bigint): Promise<string[]> =>
  ((await bench.look(`values?platform=social&audience_id=${audience}`)) as { values: string[] }).values
async function rowOf(audience: bigint): Promise<Row> {
  const { data } = await caller().get('custom_audiences/get', { account_id: ACCOUNT, audience_id: audience })
  return data.list[0] ?? {}
}
async function filesOf(audience: bigint): Promise<Row[]> {
  const { data } = await caller().get('custom_audience_files/get', { account_id: ACCOUNT, audience_id: audience })
  return data.list
}

describe('what stands before every call', () => {
  const get = (carry: object) => caller().get('custom_audiences/get', { account_id: ACCOUNT }, carry)

  test.each([
    ['without a token', (url: URL) => url.searchParams.delete('access_token'), 12000],
    ['without a timestamp', (url: URL) => url.searchParams.delete('timestamp'), 12000],
    ['without a nonce', (url: URL) => url.searchParams.delete('nonce'), 12000],
    ['an empty token', (url: URL) => url.searchParams.set('access_token', ''), 11005],
    ['a token that is none', (url: URL) => url.searchParams.set('access_token', '!'), 11004],
    ['an unknown token', (url: URL) => url.searchParams.set('access_token', 'a'.repeat(40)), 11002],
    ['a nonce of 33 characters', (url: URL) => url.searchParams.set('nonce', 'n'.repeat(33)), 18003],
    ['a timestamp of five minutes ago', (url: URL) => setTime(url, -301), 12101],
    ['a timestamp of the future', (url: URL) => setTime(url, 302), 12101],
    ['one in milliseconds', (url: URL) => url.searchParams.set('timestamp', String(Date.now())), 18002],
  ])('%s', async (_, change, code) => {
    const url = new URL(caller().address('custom_audiences/get', { account_id: ACCOUNT }))
    change(url)
    const answer = (await (await fetch(url)).json()) as { code: number; code_type: string; trace_id: string }
    expect(answer).toMatchObject({ code, code_type: 'BusinessException', trace_id: expect.stringMatching(/^\w{32}$/) })
  })
  const setTime = (url: URL, by: number) =>
    url.searchParams.set('timestamp', String(Math.floor(Date.now() / 1000) + by))

  test('a nonce works once for a token', async () => {
    expect((await get({ nonce: 'once' })).code).toBe(0)
    expect((await get({ nonce: 'once' })).code).toBe(12100)
    token = await bench.token('social', [ACCOUNT])
    expect((await get({ nonce: 'once' })).code).toBe(0)
  })

  test.each([
    ['GET', 'custom_audiences/add'],
    ['POST', 'custom_audiences/get'],
    ['GET', 'custom_audience/get'],
    ['PUT', 'custom_audiences/add'],
  ])('%s %s is no interface, told with HTTP 200', async (method, path) => {
    const response = await fetch(`${bench.box.socialUrl}/v3.0/${path}`, { method })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      code: 12007,
      message: expect.stringMatching(/\w/),
      message_cn: expect.stringMatching(/\p{Script=Han}/u),
    })
    expect(response.headers.get('x-tsa-trace-id')).toMatch(/^\w{32}$/)
  })

  test('an old token, a withdrawn one, a foreign account and a missing scope', async () => {
    await bench.control('tokens/expire', { platform: 'social', account_id: ACCOUNT })
    expect((await get({})).code).toBe(11000)
    token = await bench.token('social', [ACCOUNT])
    await bench.control('tokens/revoke', { platform: 'social', account_id: ACCOUNT })
    expect((await get({})).code).toBe(11002)
    token = await bench.token('social', [OTHER])
    expect((await get({})).code).toBe(12203)
    token = await bench.token('social', [ACCOUNT], ['ads_insights'])
    expect((await get({})).code).toBe(11014)
  })

  test('a token is good for a day by the clock of the sandbox', async () => {
    await bench.control('clock', { advance: 86_300 })
    expect((await get({})).code).toBe(0)
    await bench.control('clock', { advance: 200 })
    expect((await get({})).code).toBe(11000)
  })

  test('the share of calls left is told, and none left is refused', async () => {
    await bench.control('switches', { social_calls_per_minute: 4 })
    const rests: (string | null)[] = []
    for (let call = 0; call < 2; call++) {
      const { headers } = await caller().get('custom_audience_files/get', { account_id: ACCOUNT })
      rests.push(headers.get('x-ratelimit-remaining'))
    }
    expect(rests[0]).toMatch(/^100%,\d+%$/)
    await bench.control('switches', { social_calls_per_minute: 1 })
    expect((await caller().get('custom_audience_files/get', { account_id: ACCOUNT })).code).toBe(11017)
  })

  test('a parameter that no interface knows is written down', async () => {
    const { code } = await caller().get('custom_audiences/get', { account_id: ACCOUNT, name: '名称' })
    expect(code).toBe(0)
    const calls = (await bench.look('calls')) as { unknown: string | null }[]
    expect(calls.at(-1)?.unknown).toBe('name')
  })
})

describe('making an audience', () => {
  const add = (more: object, headers: Record<string, string> = {}) =>
    caller().post(
      'custom_audiences/add',
      { account_id: id(ACCOUNT), name: `人群${++made}`, type: 'CUSTOMER_FILE', ...more },
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
    ['an outer id of 129', { outer_audience_id: 'a'.repeat(129) }, 18003],
  ])('%s', async (_, change, code) => {
    expect((await add(change)).code).toBe(code)
  })

  test('a body that is no JSON', async () => {
    const response = await fetch(caller().address('custom_audiences/add'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"account_id":',
    })
    expect(await response.json()).toMatchObject({ code: 12003 })
  })

  test('waits for data, with an id that a double cannot hold', async () => {
    const audience = await anAudience({ name: '三十二字节的名称就是十个汉字'.slice(0, 10), description: '说明' })
    expect(Number.isSafeInteger(Number(audience))).toBe(false)
    expect(await rowOf(audience)).toMatchObject({
      audience_id: audience,
      status: 'PENDING',
      is_own: true,
      user_count: 0,
    })
  })

  test('a name is taken once in an account', async () => {
    await anAudience({ name: '重名' })
    expect(await add({ name: '重名' })).toMatchObject({ code: 50007, message_cn: expect.stringContaining('重复') })
  })

  test('an outer id that was used gives the earlier audience', async () => {
    const first = await anAudience({ outer_audience_id: 'rq_1' })
    const { data } = await add({ outer_audience_id: 'rq_1' })
    expect(data.audience_id).toBe(first)
    expect(await rowOf(first)).toMatchObject({ outer_audience_id: 'rq_1' })
  })

  test('a request id makes it once, and another body under it is refused', async () => {
    const body = { name: '只做一次' }
    const before = await liveOf(ACCOUNT)
    const first = await add(body, { 'x-request-id': 'r-1' })
    expect((await add(body, { 'x-request-id': 'r-1' })).data).toEqual(first.data)
    expect((await add({ name: '另一个' }, { 'x-request-id': 'r-1' })).code).toBe(31060)
    expect(await liveOf(ACCOUNT)).toBe(before + 1)
    const audience = first.data.audience_id
    const update = { account_id: id(ACCOUNT), audience_id: audience, name: '改名' }
    expect((await caller().post('custom_audiences/update', update, { 'x-request-id': 'r-2' })).code).toBe(12010)
  })

  test('the quota is told in the message', async () => {
    await anAudience()
    const quota = await liveOf(ACCOUNT)
    await bench.control('switches', { social_audiences: quota })
    const { code, message } = await add({})
    expect(code).toBe(50008)
    expect(message).toMatch(new RegExp(`quotaType: \\w+, quotaValue: ${quota}, quotaConsumed: ${quota}`))
  })

  const liveOf = async (account: string) =>
    ((await bench.look(`audiences?platform=social&account_id=${account}`)) as unknown[]).length
})

describe('the older generation', () => {
  const post = async (path: string, body: object) => {
    const url = caller().address(path).replace('/v3.0/', '/v1.3/')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body).replace(/"(\d{16,})"/g, '$1'),
    })
    return (await response.json()) as { code: number }
  }
  test('names the outer id otherwise', async () => {
    const body = { account_id: ACCOUNT, name: '旧版', type: 'CUSTOMER_FILE', external_audience_id: 'old_1' }
    expect(await post('custom_audiences/add', body)).toMatchObject({ code: 0 })
    const audience = await anAudience({ outer_audience_id: 'old_1' })
    expect(await rowOf(audience)).toMatchObject({ name: '旧版' })
  })
})

describe('changing and deleting', () => {
  const act = (what: string, audience: bigint, more: object = {}) =>
    caller().post(`custom_audiences/${what}`, { account_id: id(ACCOUNT), audience_id: audience, ...more })

  test('a new name, which may not be another’s', async () => {
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
  ])('one used by %s stays', async (used_by, code) => {
    const audience = await anAudience()
    await bench.control('audiences/set', { platform: 'social', audience_id: String(audience), used_by })
    expect((await act('delete', audience)).code).toBe(code)
    await bench.control('audiences/set', { platform: 'social', audience_id: String(audience), used_by: null })
    expect((await act('delete', audience)).code).toBe(0)
    expect((await act('delete', audience)).code).toBe(50005)
    expect(await rowOf(audience)).toEqual({})
  })

  test('another account’s is not seen', async () => {
    const audience = await anAudience()
    token = await bench.token('social', [ACCOUNT, OTHER])
    const stranger = { account_id: id(OTHER), audience_id: audience }
    expect((await caller().post('custom_audiences/delete', stranger)).code).toBe(50015)
  })
})

describe('files', () => {
  test('appending unites, reducing takes away, and lines of another form are not valid', async () => {
    const audience = await anAudience()
    expect((await send(audience, [...imeis(1, 2, 2), 'not an imei', md5('imei3').toUpperCase()])).code).toBe(0)
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual(imeis(1, 2, 3).sort())
    expect(await rowOf(audience)).toMatchObject({ status: 'SUCCESS', online_status: 'ONLINE', user_count: 2 })
    expect(await filesOf(audience)).toMatchObject([
      { process_status: 'SUCCESS', process_code: 0, line_count: 5, valid_line_count: 4, operation_type: 'APPEND' },
    ])
    await send(audience, imeis(2, 9), { operation_type: 'REDUCE' })
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual(imeis(1, 3).sort())
  })

  test('a zip of several files', async () => {
    const audience = await anAudience()
    const [first = '', second = ''] = imeis(1, 2)
    const content = await zip({ 'a.txt': `${first}\r\n`, 'b.csv': second })
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    expect((await caller().file(fields, 'both.zip', content)).code).toBe(0)
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual([first, second].sort())
  })

  test.each([
    ['an unknown kind', { user_id_type: 'PHONE' }, 'a.txt', 50047],
    ['a kind that was removed', { user_id_type: 'HASH_MAC' }, 'a.txt', 50047],
    ['an open id without its application', { user_id_type: 'WX_OPENID' }, 'a.txt', 18001],
    ['an unknown operation', { operation_type: 'CREATE' }, 'a.txt', 18009],
    ['another extension', {}, 'a.xlsx', 50003],
    ['reducing what holds nothing', { operation_type: 'REDUCE' }, 'a.txt', 50014],
    ['an audience that is none', { audience_id: '9' }, 'a.txt', 50005],
  ])('%s', async (_, more, name, code) => {
    const audience = await anAudience()
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI', ...more }
    expect((await caller().file(fields, name, imeis(1)[0] ?? '')).code).toBe(code)
  })

  test.each([
    ['HASH_IMEI', md5('1'), sha256('1')],
    ['MD5_SHA256_OAID', sha256('1'), sha256('1').toUpperCase()],
    ['SHA256_MOBILE_PHONE', sha256('1'), md5('1')],
    ['HASH_MOBILE_PHONE', md5('1'), '13800000000'],
    ['IDFA', 'AEBE52E7-03EE-455A-B3C4-E57283966239', 'aebe52e7-03ee-455a-b3c4-e57283966239'],
    ['IMEI', '355065053311001', '35506505331100'.slice(1)],
    ['OAID', '1fe9a970-efbb-29e0-0bdd-f5dbbf751ab5', 'two words'],
  ])('a line of %s', async (user_id_type, good, bad) => {
    const audience = await anAudience()
    await send(audience, [good, bad], { user_id_type })
    await bench.control('settle')
    expect(await valuesOf(audience)).toEqual([good])
  })

  test('nothing valid, and what cannot be unpacked, end as errors', async () => {
    const audience = await anAudience()
    await send(audience, ['nobody'])
    await bench.control('settle')
    expect(await rowOf(audience)).toMatchObject({ status: 'ERROR', error_code: 203 })
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    await caller().file(fields, 'broken.zip', 'PK\x03\x04 broken')
    await bench.control('settle')
    expect(await filesOf(audience)).toMatchObject([{ process_status: 'ERROR', process_code: 202 }, {}])
  })

  test('one at a time: pending, processing, then good; the next is refused meanwhile', async () => {
    await bench.control('switches', { processing_seconds: 100 })
    const audience = await anAudience()
    await send(audience, imeis(1))
    const stateNow = async () => [(await rowOf(audience)).status, (await filesOf(audience))[0]?.process_status]
    expect(await stateNow()).toEqual(['PROCESSING', 'PENDING'])
    expect((await send(audience, imeis(2))).code).toBe(54307)
    expect(
      (await caller().post('custom_audiences/delete', { account_id: id(ACCOUNT), audience_id: audience })).code,
    ).toBe(12700)
    await bench.control('clock', { advance: 30 })
    await bench.control('settle')
    expect(await stateNow()).toEqual(['PROCESSING', 'PROCESSING'])
    await bench.control('clock', { advance: 80 })
    await bench.control('settle')
    expect(await stateNow()).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('a request id takes a file once, however the form is cut', async () => {
    const audience = await anAudience()
    const fields = { account_id: ACCOUNT, audience_id: String(audience), user_id_type: 'HASH_IMEI' }
    const post = (content: string) => caller().file(fields, 'a.txt', content, { 'x-request-id': `file-${audience}` })
    const first = await post(imeis(1)[0] ?? '')
    expect((await post(imeis(1)[0] ?? '')).data).toEqual(first.data)
    expect((await post(imeis(2)[0] ?? '')).code).toBe(31060)
    expect(await filesOf(audience)).toHaveLength(1)
  })

  test('half accepted: as an error after half of the lines, or as good with half of them valid', async () => {
    await bench.control('switches', { half_accept_rate: 1 })
    const audience = await anAudience()
    await send(audience, imeis(1, 2, 3, 4))
    await bench.control('settle')
    expect(await filesOf(audience)).toMatchObject([{ process_status: 'ERROR', process_code: 1, valid_line_count: 2 }])
    expect(await valuesOf(audience)).toHaveLength(2)
    await bench.control('switches', { half_accept_as: 'short' })
    await send(audience, imeis(1, 2, 3, 4))
    await bench.control('settle')
    expect((await filesOf(audience))[0]).toMatchObject({
      process_status: 'SUCCESS',
      line_count: 4,
      valid_line_count: 2,
    })
  })
})

test('lists are paged', async () => {
  token = await bench.token('social', [OTHER])
  const made: bigint[] = []
  for (let no = 0; no < 3; no++) {
    const body = { account_id: id(OTHER), name: `第${no}个`, type: 'CUSTOMER_FILE' }
    made.push((await caller().post('custom_audiences/add', body)).data.audience_id)
  }
  const page = (query: object) => caller().get('custom_audiences/get', { account_id: OTHER, ...query })
  const { data } = await page({ page: 2, page_size: 2 })
  expect(data).toMatchObject({
    list: [{ audience_id: made[0] }],
    page_info: { page: 2, page_size: 2, total_number: 3, total_page: 2 },
  })
  expect((await page({ page_size: 101 })).code).toBe(18003)
  expect((await page({ page: 0 })).code).toBe(18004)
  expect((await page({ page: 'x' })).code).toBe(18002)
})

describe('advertiser/get', () => {
  const query = { account_id: ACCOUNT, pagination_mode: 'PAGINATION_MODE_NORMAL', page_size: 10 }
  const get = (more: object) =>
    caller().get('advertiser/get', { ...query, fields: ['account_id', 'corporation_name'], ...more })

  test('names the fields asked for', async () => {
    const { data } = await get({})
    expect(data.list).toEqual([{ account_id: id(ACCOUNT), corporation_name: '云杉科技有限公司' }])
  })
  test.each([
    ['fields that are no list', { fields: 'account_id' }, 12008],
    ['an unknown field', { fields: ['name'] }, 12009],
    ['no field', { fields: [] }, 18012],
    ['an unknown mode', { pagination_mode: 'ALL' }, 18009],
    ['another’s account', { account_id: OTHER }, 12203],
  ])('%s', async (_, more, code) => {
    expect((await get(more)).code).toBe(code)
  })
})

test('everything is there after a restart', async () => {
  const audience = await anAudience({ outer_audience_id: `kept_${++made}` })
  await send(audience, imeis(1, 2))
  await bench.control('settle')
  const { url } = bench.box
  await bench.restart()
  expect(bench.box.url).toBe(url)
  expect(await valuesOf(audience)).toEqual(imeis(1, 2).sort())
  expect(await rowOf(audience)).toMatchObject({ status: 'SUCCESS' })
})
