import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, sandboxForTest } from './testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await sandboxForTest()
})
afterAll(() => bench.close())

async function statusOf(method: string, path: string, host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(bench.box.url)
  const call = request({ hostname, port, method, path, headers: { host, origin: `http://${host}` } })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test.each([
  ['GET', '/sandbox'],
  ['POST', '/sandbox/switches/reset'],
  ['GET', '/social/oauth/authorize'],
  ['GET', '/no-such-page'],
])('%s %s is refused under a name that is not the loopback', async (method, path) => {
  const { port } = new URL(bench.box.url)
  for (const host of [
    `rebound.test:${port}`,
    'localhost.rebound.test',
    '127.0.0.1.rebound.test',
    'rebound.test@localhost',
  ])
    expect(await statusOf(method, path, host), host).toBe(403)
})

test.each(['localhost', '127.0.0.1', '[::1]'])('%s is accepted as the sandbox’s name', async (name) => {
  const { port } = new URL(bench.box.url)
  expect(await statusOf('GET', `/sandbox?key=${bench.box.key}`, `${name}:${port}`)).toBe(200)
})

test.each([
  '/',
  '/sandbox',
  '/sandbox/',
  '/sandbox/state',
  '/sandbox/calls',
  '/sandbox?key=',
  '/sandbox/state?key=guess',
  '/SANDBOX/../sandbox/state',
  '/%73andbox',
  '/%73andbox/state',
  '/sandbox%2Fstate',
])('%s needs the key', async (path) => {
  const { port } = new URL(bench.box.url)
  expect([403, 404]).toContain(await statusOf('GET', path, `127.0.0.1:${port}`))
})

test('a change without the key is refused, and no page can be shown in a frame', async () => {
  const change = await fetch(`${bench.box.url}/sandbox/switches/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(change.status).toBe(403)
  for (const path of [`/sandbox?key=${bench.box.key}`, '/sandbox', '/social/oauth/authorize']) {
    const { headers } = await fetch(`${bench.box.url}${path}`)
    expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
      'DENY',
      "frame-ancestors 'none'",
    ])
  }
})

test('the key stays the same after a restart', async () => {
  const { key } = bench.box
  await bench.restart()
  expect(bench.box.key).toBe(key)
})
