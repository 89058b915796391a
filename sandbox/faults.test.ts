import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CONTROL_HEADER } from './control.ts'
import {
  type Bench,
  type Row,
  SOCIAL_ACCOUNTS,
  sandboxForTest,
  socialCaller,
  VIDEO_ACCOUNTS,
  videoCaller,
} from './testing.ts'

const [ACCOUNT, OTHER] = SOCIAL_ACCOUNTS
let bench: Bench
const tokens = { social: '', video: '' }
let made = 0

beforeAll(async () => {
  bench = await sandboxForTest()
  tokens.social = await bench.token('social', SOCIAL_ACCOUNTS)
  tokens.video = await bench.token('video', VIDEO_ACCOUNTS)
})
beforeEach(() => bench.control('switches/reset'))
afterAll(() => bench.close())

const social = () => socialCaller(bench, () => tokens.social)
const video = () => videoCaller(bench, () => tokens.video)
const add = (account: string = ACCOUNT) =>
  social().post('custom_audiences/add', { account_id: BigInt(account), name: `人群${++made}`, type: 'CUSTOMER_FILE' })
const list = (account: string = ACCOUNT) => social().get('custom_audiences/get', { account_id: account })
const select = () => video().get('dmp/custom_audience/select/', { advertiser_id: VIDEO_ACCOUNTS[0], select_type: 0 })
const count = async () => ((await bench.read('audiences?platform=social')) as unknown[]).length
const order = (more: object) => bench.control('faults', { platform: 'social', path: 'custom_audiences/', ...more })
const NO_JSON = expect.stringContaining('is not valid JSON')
const codesOf = async (calls: number) => {
  const codes: unknown[] = []
  for (let call = 0; call < calls; call++)
    codes.push(
      await list().then(
        ({ code, status }) => code ?? status,
        () => 'cut',
      ),
    )
  return codes
}

describe('an ordered fault applies to the calls it was ordered for', () => {
  test('the given number of times, after the given number of calls, for one account', async () => {
    await order({ kind: 'busy', times: 2, after: 1, account_id: ACCOUNT })
    expect((await list(OTHER)).code).toBe(0)
    expect(await codesOf(4)).toEqual([0, 30001, 30001, 0])
  })

  test('a throttled answer has its headers', async () => {
    await order({ kind: 'throttle', code: 11018 })
    const { code, headers } = await list()
    expect([code, headers.get('x-ratelimit-remaining')]).toEqual([11018, '50%,0%'])
    await bench.control('faults', { platform: 'video', kind: 'throttle' })
    const answer = await select()
    expect(answer.code).toBe(40110)
    expect(answer.headers.get('x-ratelimit-retryin')).toBe('1')
  })

  test.each([
    ['busy', 0, '30001'],
    ['throttle', 0, '11017'],
    ['error', 0, NO_JSON],
    ['error_after', 1, NO_JSON],
    ['drop_before', 0, 'fetch failed'],
    ['drop_after', 1, 'fetch failed'],
    ['timeout', 0, 'fetch failed'],
    ['timeout_after', 1, 'fetch failed'],
  ])('%s: %i audience is created', async (kind, carried, answer) => {
    const before = await count()
    await order({ kind, seconds: 0.05 })
    const outcome = await add().then(
      ({ code }) => String(code),
      (error: Error) => error.message,
    )
    expect(outcome).toEqual(answer)
    expect(await count()).toBe(before + carried)
  })

  test('an error is answered with a page instead of JSON', async () => {
    await order({ kind: 'error', status: 502 })
    const response = await fetch(social().address('custom_audiences/get', { account_id: ACCOUNT }))
    expect([response.status, response.headers.get('content-type')]).toEqual([502, expect.stringContaining('text/html')])
  })

  test('a dropped connection gets no answer, a timeout gets none for its time', async () => {
    await order({ kind: 'drop_after' })
    await expect(list()).rejects.toThrow('fetch failed')
    await order({ kind: 'timeout', seconds: 0.2 })
    const began = Date.now()
    await expect(list()).rejects.toThrow('fetch failed')
    expect(Date.now() - began).toBeGreaterThanOrEqual(190)
  })
})

describe('chances', () => {
  const hard = { seed: 7, throttle_rate: 0.2, busy_rate: 0.2, error_rate: 0.2, drop_before_rate: 0.2 }
  test('repeat with the same seed', async () => {
    await bench.control('switches', hard)
    const first = await codesOf(30)
    await bench.control('switches', { seed: 7 })
    expect(await codesOf(30)).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(3)
  })

  test('do not affect pages, and token calls only if switched on for them', async () => {
    await bench.control('switches', { busy_rate: 1 })
    const token = () => fetch(`${bench.box.socialUrl}/oauth/token`).then((response) => response.json())
    expect(await token()).toMatchObject({ code: 18001 })
    await bench.control('switches', { faults_on_oauth: true })
    expect(await token()).toMatchObject({ code: 30001 })
    expect((await fetch(`${bench.box.socialUrl}/oauth/authorize`)).status).toBe(400)
    expect((await select()).code).toBe(50000)
  })
})

describe('control', () => {
  const post = (body: string, type = 'application/json') =>
    fetch(`${bench.box.url}/sandbox/switches`, {
      method: 'POST',
      headers: { 'content-type': type, [CONTROL_HEADER]: bench.box.key },
      body,
    })
  test.each([
    ['an unknown switch', '{"speed": 1}', 400],
    ['a rate above 1', '{"error_rate": 2}', 400],
    ['no JSON', '{', 400],
  ])('%s is refused', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })
  test('a form from another site is refused', async () => {
    expect((await post('error_rate=1', 'application/x-www-form-urlencoded')).status).toBe(415)
  })
  test('accounts can be created, and their audiences are counted', async () => {
    await bench.control('logins', { platform: 'social', id: '880009', name: '新来的' })
    const account = { platform: 'social', login_id: '880009', name: '新账户' }
    const { id } = await bench.control('accounts', account)
    tokens.social = await bench.token('social', [String(id)])
    expect((await add(String(id))).code).toBe(0)
    const { accounts } = (await bench.read('state')) as { accounts: Row[] }
    expect(accounts.find((one) => one.id === id)).toMatchObject({ live: 1, ever_made: 1, name: '新账户' })
    tokens.social = await bench.token('social', SOCIAL_ACCOUNTS)
  })
  test('only the answer that creates tokens contains them', async () => {
    await list()
    expect(JSON.stringify([await bench.read('calls'), await bench.read('state')])).not.toContain(tokens.social)
  })
  test('the page shows accounts, switches and calls', async () => {
    await add()
    const text = await (await fetch(`${bench.box.url}/sandbox?key=${bench.box.key}`)).text()
    for (const word of ['沙箱', `人群${made}`, 'PENDING', '云杉腾讯账户1', '限流的比例', 'custom_audiences/get'])
      expect(text).toContain(word)
  })
  test('switches survive a restart', async () => {
    await bench.control('switches', { busy_rate: 1 })
    await bench.restart()
    expect((await list()).code).toBe(30001)
  })
})
