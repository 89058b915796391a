import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach } from 'vitest'
import type { AccountSession } from '../platforms/audience-platform.ts'
import { openPlatforms } from '../platforms/open.ts'

/** An account as the adapters know it. */
export const ANY_ACCOUNT: AccountSession = {
  account_id: 1,
  external_id: '9007199254750003',
  token: async () => 'the-token-itself',
  tokenExpired: async () => {},
}

/** The adapters of all platforms before a server that answers as a test says, anew for each test of the file. */
export function answeringPlatform() {
  let server: Server
  let platforms: ReturnType<typeof openPlatforms>
  const given = {
    /** How it answers; to be set by each test. */
    answer: ((_request, response) => response.destroy()) as RequestListener,
    get platforms() {
      return platforms
    },
  }
  beforeEach(async () => {
    server = createServer((request, response) => given.answer(request.resume(), response)).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    platforms = openPlatforms({
      endpointOf: async () => ({ url, appId: '1', secret: 's' }),
      dataDir: tmpdir(),
      callsPerSecond: 1000,
      timeoutMs: 10_000,
    })
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return given
}
