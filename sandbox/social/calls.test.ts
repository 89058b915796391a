import { describe, expect, test } from 'vitest'
import { ACCOUNT, id, OTHER, socialForTest } from './testing.ts'

const { bench, now, caller } = await socialForTest()

describe('the checks of every call', () => {
  const get = (carry: object) => caller.get('custom_audiences/get', { account_id: ACCOUNT }, carry)

  test.each([
    ['a call without a token', (url: URL) => url.searchParams.delete('access_token'), 12000],
    ['a call without a timestamp', (url: URL) => url.searchParams.delete('timestamp'), 12000],
    ['a call without a nonce', (url: URL) => url.searchParams.delete('nonce'), 12000],
    ['an empty token', (url: URL) => url.searchParams.set('access_token', ''), 11005],
    ['a malformed token', (url: URL) => url.searchParams.set('access_token', '!'), 11004],
    ['an unknown token', (url: URL) => url.searchParams.set('access_token', 'a'.repeat(40)), 11002],
    ['a nonce of 33 characters', (url: URL) => url.searchParams.set('nonce', 'n'.repeat(33)), 18003],
    ['a timestamp of five minutes ago', (url: URL) => setTime(url, -301), 12101],
    ['a timestamp in the future', (url: URL) => setTime(url, 302), 12101],
    ['a timestamp in milliseconds', (url: URL) => url.searchParams.set('timestamp', String(Date.now())), 18002],
  ])('%s is refused', async (_, change, code) => {
    const url = new URL(caller.address('custom_audiences/get', { account_id: ACCOUNT }))
    change(url)
    const answer = (await (await fetch(url)).json()) as { code: number; code_type: string; trace_id: string }
    expect(answer).toMatchObject({ code, code_type: 'BusinessException', trace_id: expect.stringMatching(/^\w{32}$/) })
  })
  const setTime = (url: URL, by: number) =>
    url.searchParams.set('timestamp', String(Math.floor(Date.now() / 1000) + by))

  test('a nonce works once per token', async () => {
    expect((await get({ nonce: 'once' })).code).toBe(0)
    expect((await get({ nonce: 'once' })).code).toBe(12100)
    now.token = await bench.token('social', [ACCOUNT])
    expect((await get({ nonce: 'once' })).code).toBe(0)
  })

  test.each([
    ['GET', 'custom_audiences/add'],
    ['POST', 'custom_audiences/get'],
    ['GET', 'custom_audience/get'],
    ['PUT', 'custom_audiences/add'],
  ])('%s %s is refused as unknown, with HTTP 200', async (method, path) => {
    const response = await fetch(`${bench.box.socialUrl}/v3.0/${path}`, { method })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      code: 12007,
      message: expect.stringMatching(/\w/),
      message_cn: expect.stringMatching(/\p{Script=Han}/u),
    })
    expect(response.headers.get('x-tsa-trace-id')).toMatch(/^\w{32}$/)
  })

  test('an expired token, a withdrawn one, another login’s account and a missing scope are refused', async () => {
    await bench.control('tokens/expire', { platform: 'social', account_id: ACCOUNT })
    expect((await get({})).code).toBe(11000)
    now.token = await bench.token('social', [ACCOUNT])
    await bench.control('tokens/revoke', { platform: 'social', account_id: ACCOUNT })
    expect((await get({})).code).toBe(11002)
    now.token = await bench.token('social', [OTHER])
    expect((await get({})).code).toBe(12203)
    now.token = await bench.token('social', [ACCOUNT], ['ads_insights'])
    expect((await get({})).code).toBe(11014)
  })

  test('a token is valid for a day by the sandbox’s clock', async () => {
    await bench.control('clock', { advance: 86_300 })
    expect((await get({})).code).toBe(0)
    await bench.control('clock', { advance: 200 })
    expect((await get({})).code).toBe(11000)
  })

  test('headers tell the share of calls left, and a call without any left is refused', async () => {
    await bench.control('switches', { social_calls_per_minute: 4 })
    const rests: (string | null)[] = []
    for (let call = 0; call < 2; call++) {
      const { headers } = await caller.get('custom_audience_files/get', { account_id: ACCOUNT })
      rests.push(headers.get('x-ratelimit-remaining'))
    }
    expect(rests[0]).toMatch(/^100%,\d+%$/)
    await bench.control('switches', { social_calls_per_minute: 1 })
    expect((await caller.get('custom_audience_files/get', { account_id: ACCOUNT })).code).toBe(11017)
  })

  test('an unknown parameter is logged', async () => {
    const { code } = await caller.get('custom_audiences/get', { account_id: ACCOUNT, name: '名称' })
    expect(code).toBe(0)
    const calls = (await bench.read('calls')) as { unknown: string | null }[]
    expect(calls.at(-1)?.unknown).toBe('name')
  })
})

describe('advertiser/get', () => {
  const query = { account_id: ACCOUNT, pagination_mode: 'PAGINATION_MODE_NORMAL', page_size: 10 }
  const get = (more: object) =>
    caller.get('advertiser/get', { ...query, fields: ['account_id', 'corporation_name'], ...more })

  test('returns the requested fields', async () => {
    const { data } = await get({})
    expect(data.list).toEqual([{ account_id: id(ACCOUNT), corporation_name: '云杉科技有限公司' }])
  })
  test.each([
    ['a fields parameter that is not a list', { fields: 'account_id' }, 12008],
    ['an unknown field', { fields: ['name'] }, 12009],
    ['no field', { fields: [] }, 18012],
    ['an unknown mode', { pagination_mode: 'ALL' }, 18009],
    ['an account of another login', { account_id: OTHER }, 12203],
  ])('%s is refused', async (_, more, code) => {
    expect((await get(more)).code).toBe(code)
  })
})
