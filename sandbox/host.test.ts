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
  expect(await statusOf('GET', '/sandbox', `${name}:${port}`)).toBe(200)
})
