import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PlatformFault } from './audience-platform.ts'
import { gatewayFault, send, waitAsked } from './http.ts'

let server: Server
let url: URL
let answer: RequestListener
beforeEach(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/call`)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const ask = (more: Partial<Parameters<typeof send>[0]> = {}) =>
  send({ method: 'GET', url, headers: {}, timeoutMs: 5000, ...more })

describe('a call over the wire', () => {
  test('returns the text, and the parsed value if it is JSON', async () => {
    answer = (_request, response) => response.writeHead(200, { 'x-a': 'b' }).end('{"id":9007199254750003}')
    const got = await ask()
    expect(got).toMatchObject({ status: 200, json: { id: '9007199254750003' } })
    expect(got.headers.get('x-a')).toBe('b')
    answer = (_request, response) => response.end('<html>')
    expect((await ask()).json).toBeUndefined()
  })

  test('after a connection broken during the answer, the call may have been carried out', async () => {
    answer = (request) => request.resume().once('end', () => request.socket.destroy())
    await expect(ask({ method: 'POST', body: '{}' })).rejects.toMatchObject({ kind: 'later', isUncertain: true })
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"code"', () => response.destroy())
    }
    await expect(ask()).rejects.toMatchObject({ kind: 'later', isUncertain: true })
  })

  test('after a failed connection, the call was not carried out', async () => {
    const closed = new URL(url)
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => other.once('listening', done))
    closed.port = String((other.address() as AddressInfo).port)
    await new Promise((done) => other.close(done))
    await expect(ask({ url: closed })).rejects.toMatchObject({
      kind: 'later',
      isUncertain: false,
      code: 'ECONNREFUSED',
      message: '与平台的连接中断（那里没有程序在监听）',
    })
  })

  test('a missing answer ends in a timeout', async () => {
    answer = () => {}
    const began = performance.now()
    await expect(ask({ timeoutMs: 100 })).rejects.toMatchObject({ kind: 'later', isUncertain: true })
    expect(performance.now() - began).toBeLessThan(2000)
  })

  test('reading an endless answer is stopped', async () => {
    let written = 0
    answer = (_request, response) => {
      const chunk = Buffer.alloc(2 ** 20, 'x')
      const more = () => {
        if (response.destroyed || written > 64) return
        written++
        response.write(chunk, more)
      }
      more()
    }
    await expect(ask()).rejects.toThrow('过大')
    expect(written).toBeLessThan(40)
  })

  test('JSON nested too deeply to parse counts as no JSON, without a crash', async () => {
    answer = (_request, response) => response.end('['.repeat(200_000))
    expect((await ask()).json).toBeUndefined()
  })

  test('a redirect is not followed, since it would carry the token along', async () => {
    let calls = 0
    answer = (_request, response) => {
      calls++
      response.writeHead(302, { location: `${url}-elsewhere` }).end()
    }
    expect((await ask()).status).toBe(302)
    expect(calls).toBe(1)
  })

  test('a call aborted by the caller ends with the caller’s reason', async () => {
    answer = () => {}
    const stop = new AbortController()
    const reason = new Error('the server is closing')
    setTimeout(() => stop.abort(reason), 30)
    await expect(ask({ signal: stop.signal })).rejects.toBe(reason)
  })
})

describe('answers that are not in the envelope', () => {
  const faultOf = (status: number, headers: Record<string, string> = {}) =>
    gatewayFault({ status, headers: new Headers(headers), text: '', json: undefined }, 0)

  test.each([
    [429, { 'retry-after': '7' }, { kind: 'later', retryAfter: 7, isUncertain: false }],
    [500, {}, { kind: 'later', isUncertain: true }],
    [503, { 'retry-after': '30' }, { kind: 'later', retryAfter: 30 }],
    [413, {}, { kind: 'refused' }],
    [403, {}, { kind: 'later', isUncertain: false }],
    [404, {}, { kind: 'configuration' }],
    [302, {}, { kind: 'configuration' }],
    [200, {}, { kind: 'later', isUncertain: true }],
  ] as [number, Record<string, string>, object][])('HTTP %i %o', (status, headers, wanted) => {
    const fault = faultOf(status, headers)
    expect(fault).toBeInstanceOf(PlatformFault)
    expect(fault).toMatchObject(wanted)
  })

  test("the platform's own header takes precedence over the common one; a date works like seconds", () => {
    expect(waitAsked(new Headers({ 'x-ratelimit-retryin': '12', 'retry-after': '90' }), 0)).toBe(12)
    expect(waitAsked(new Headers({ 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' }), 30_000)).toBe(30)
    expect(waitAsked(new Headers({ 'retry-after': 'soon' }), 0)).toBeNull()
    expect(waitAsked(new Headers(), 0)).toBeNull()
  })
})
