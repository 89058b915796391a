import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder } from '#contract/folder.ts'
import { UPLOAD_PATH } from '#contract/import.ts'
import { CROWD_UPLOAD_PATH } from '#contract/upload.ts'
import { testApp } from '../testing/test-app.ts'
import { isOwnHost } from './own-host.ts'
import { openServer } from './server.ts'

const app = await testApp({ PUBLIC_URL: 'https://console.test' })
afterAll(() => app.close())

const CALLS = [
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/'],
  ['GET', '/cowd-manage/custom-cowd'],
  ['GET', '/api/console'],
  ['GET', '/api/docs/json'],
  ['GET', '/no-such-page'],
  ['POST', createAssetFolder.path],
  ['POST', UPLOAD_PATH],
  ['HEAD', `${CROWD_UPLOAD_PATH}/x`],
] as const

/** Asks over a real connection, so that the Host header can be set freely. */
async function ask(method: string, path: string, host: string, headers: Record<string, string> = {}) {
  const { port, hostname } = new URL(await app.origin())
  return new Promise<{ status: number; body: string }>((answered, failed) => {
    const call = request({ hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      answer.on('end', () => answered({ status: answer.statusCode ?? 0, body }))
    })
    call.on('error', failed).end()
  })
}

test.each(CALLS)('%s %s is refused under a name that is not ours, though its Origin agrees', async (method, path) => {
  const headers = {
    cookie: app.admin.cookie,
    origin: 'http://rebound.test:3000',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-host': 'console.test',
    'content-type': 'application/json',
  }
  const answer = await ask(method, path, 'rebound.test:3000', headers)
  expect(answer.status).toBe(FAULTS.foreignHost.status)
  if (method !== 'HEAD') expect(JSON.parse(answer.body)).toMatchObject({ code: FAULTS.foreignHost.code })
})

test('opening the console under another name shows a sentence that says what to set', async () => {
  const { status, body } = await ask('GET', '/', 'mybox:3000', { accept: 'text/html,*/*' })
  expect([status, body]).toEqual([403, FAULTS.foreignHost.msg])
})

test.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:1', '[::1]:3000', 'console.test', 'console.test:8443'])(
  'the host %s is ours',
  async (host) => {
    expect((await ask('GET', '/healthz', host)).status).toBe(200)
  },
)

test.each([
  ['box.lan:3000', { host: 'box.lan' }, '10.0.0.5', true],
  ['10.0.0.5:3000', { host: '0.0.0.0' }, '10.0.0.5', true],
  ['10.0.0.5:3000', { host: '::' }, '::ffff:10.0.0.5', true],
  ['[fd00::5]:3000', { host: '::' }, 'fd00::5', true],
  ['[fd00::5]', { host: 'fd00::5' }, undefined, true],
  ['console.test.', { publicUrl: 'https://console.test' }, undefined, true],
  ['10.0.0.6:3000', { host: '0.0.0.0' }, '10.0.0.5', false],
  ['0.0.0.0:3000', { host: '127.0.0.1' }, '127.0.0.1', false],
  ['console.test.evil.test', { publicUrl: 'https://console.test' }, undefined, false],
  ['localhost.evil.test', {}, undefined, false],
  ['127.0.0.1.evil.test', {}, undefined, false],
  ['evil.test/localhost', {}, undefined, false],
  ['evil.test@localhost', {}, undefined, false],
  ['localhost@evil.test', {}, undefined, false],
  ['', {}, undefined, false],
  [undefined, {}, undefined, false],
])('Host %s with %j at %s is ours: %s', (header, given, localAddress, expected) => {
  expect(isOwnHost(header, { host: '127.0.0.1', publicUrl: undefined, ...given }, localAddress)).toBe(expected)
})

const outer = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

test.skipIf(!outer)('a console that listens on every address accepts the one that was asked', async () => {
  const options = { host: '0.0.0.0', embedOrigins: [], webRoot: undefined, publicUrl: undefined, logLevel: 'silent' }
  const server = await openServer(options)
  server.get('/here', async () => 'here')
  await server.listen({ host: '0.0.0.0', port: 0 })
  const { port } = server.server.address() as { port: number }
  expect(await (await fetch(`http://${outer}:${port}/here`)).text()).toBe('here')
  await server.close()
})
