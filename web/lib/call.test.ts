import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { type CallError, call, isFault, UNREACHED } from './call.ts'

const rename = endpoint({
  method: 'PUT',
  path: '/api/thing/{id}',
  group: 'test',
  summary: 'rename',
  params: z.object({ id: z.coerce.number() }),
  query: z.object({ adv_id: z.number().optional(), tags: z.array(z.string()).optional() }),
  body: z.object({ name: z.string() }),
  data: z.object({ id: z.number() }),
})

afterEach(() => vi.unstubAllGlobals())

function answering(answer: unknown, status = 200) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => {
    if (answer instanceof Error) throw answer
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status })
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}

const input = { params: { id: 7 }, query: { tags: ['a', 'b'] }, body: { name: '女' } }
const failure = () =>
  call(rename, input).then(
    () => expect.unreachable(),
    (error: CallError) => error,
  )

test('fills in path, query and body, and returns the data', async () => {
  const fetched = answering({ code: 0, msg: 'OK', data: { id: 7 } })
  expect(await call(rename, input)).toEqual({ id: 7 })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/api/thing/7?tags=a%2Cb')
  expect(init?.method).toBe('PUT')
  expect(init?.body).toBe('{"name":"女"}')
  expect(new Headers(init?.headers).get('content-type')).toBe('application/json')
})

test.each([
  ['a refusal', { code: 3, msg: '同级目录下不允许重名', data: { id: 9 } }, 409, 3, '同级目录下不允许重名'],
  ['a failure of the server', { code: 1, msg: '请求失败', data: null }, 500, 1, '请求失败'],
  ['a refusal without words, for which the caller has its own', { code: 5, msg: '', data: null }, 409, 5, ''],
  ['a gateway’s page', '<html>Bad gateway</html>', 502, UNREACHED, '服务器暂时不可用，请稍后重试'],
  ['an answer that is not ours', { hello: 1 }, 200, UNREACHED, '请求失败'],
  ['no answer', new TypeError('Failed to fetch'), 0, UNREACHED, '无法连接服务器，请检查网络后重试'],
])('%s becomes an error with its words', async (_what, answer, status, code, msg) => {
  answering(answer, status || 200)
  expect(await failure()).toMatchObject({ code, message: msg, status })
})

test('a refusal keeps its data, its code and its outcome', async () => {
  const outcome = { code: 'fault', params: { fault: 'nameTaken', words: {} } }
  answering({ code: 3, msg: '同级目录下不允许重名', data: { id: 9 }, outcome }, 409)
  const error = await failure()
  expect(error.data).toEqual({ id: 9 })
  expect(error.outcome).toEqual(outcome)
  expect(isFault(error, 'nameTaken')).toBe(true)
  expect(isFault(error, 'signedOut')).toBe(false)
})

test('an aborted call throws the abort', async () => {
  const given = new AbortController()
  given.abort()
  answering(new DOMException('aborted', 'AbortError'))
  await expect(call(rename, input, { signal: given.signal })).rejects.toMatchObject({ name: 'AbortError' })
})
