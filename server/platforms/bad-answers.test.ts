import type { RequestListener } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { sentenceOf } from '#contract/outcome.ts'
import { AUDIENCE_CODES } from '#contract/platform.ts'
import type { CallSample } from '../postgres/schema-custom.ts'
import { ANY_ACCOUNT, answeringPlatform } from '../testing/answering-platform.ts'
import { faultOf } from '../testing/platform-world.ts'
import { SOCIAL } from '../testing/platforms.ts'
import type { AccountSession, StepHooks } from './audience-platform.ts'

const vendor = answeringPlatform()
let samples: CallSample[]
let on: StepHooks
beforeEach(() => {
  samples = []
  on = { signal: new AbortController().signal, sample: (sample) => samples.push(sample) }
})

const says = (text: string, status = 200): RequestListener => {
  return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

describe.each(AUDIENCE_CODES)('platform %i', (code) => {
  const readAudience = () =>
    vendor.platforms
      .audiencesOf(code)
      .readAudience(ANY_ACCOUNT, { audience_id: '9207199254740995', source_id: 'd1' }, on)

  test.each([
    ['nothing', ''],
    ['half of an answer', '{"code":0,"data":{"list":[{"audience_id":92'],
    ['a page', '<html>login</html>'],
    ['another envelope', '{"status":"ok"}'],
    ['a list where an envelope should be', '[]'],
    ['null', 'null'],
    ['rows without ids', '{"code":0,"data":{"list":[{"status":1}],"data_list":[{"status":1}]}}'],
    ['something other than rows', '{"code":0,"data":{"list":"none","data_list":7}}'],
  ])('a call answered with %s is retried', async (_what, text) => {
    vendor.answer = says(text)
    expect(await faultOf(readAudience())).toMatchObject({ name: 'PlatformFault', kind: 'later', isUncertain: true })
    expect(samples).toHaveLength(1)
  })

  test('reading an endless answer is stopped, and samples stay short', async () => {
    vendor.answer = (_request, response) => {
      const chunk = Buffer.alloc(2 ** 20, ' ')
      const more = () => {
        if (!response.destroyed) response.write(chunk, more)
      }
      more()
    }
    expect(await faultOf(readAudience())).toMatchObject({ kind: 'later', isUncertain: true })
    vendor.answer = says(`{"code":1,"message":"${'很'.repeat(50_000)}"}`)
    await faultOf(readAudience())
    expect(samples.every((sample) => sample.answer.length < 3000)).toBe(true)
  })

  test('a token quoted in a refusal is masked in the sample and the message', async () => {
    vendor.answer = says('{"code":12345,"message":"bad token the-token-itself"}')
    const fault = await faultOf(readAudience())
    expect(JSON.stringify(samples)).not.toContain('the-token-itself')
    expect(fault.message).not.toContain('the-token-itself')
  })

  test('a call refused with a token that was replaced meanwhile is repeated; a refusal of the current token is final', async () => {
    const refusal = `{"code":${code === 1 ? 11002 : 40104},"message":"bad token"}`
    const refused: string[] = []
    let current = 'old'
    let calls = 0
    const holder: AccountSession = {
      ...ANY_ACCOUNT,
      token: async () => current,
      refused: async (reason) => {
        refused.push(sentenceOf(reason))
      },
    }
    const ask = () =>
      vendor.platforms.audiencesOf(code).readAudience(holder, { audience_id: '9207199254740995', source_id: 'd1' }, on)
    vendor.answer = (_request, response) => {
      calls++
      current = 'new'
      response.end(calls === 1 ? refusal : '{"code":0,"data":{"list":[],"data_list":[]}}')
    }
    expect(await faultOf(ask())).toMatchObject({ kind: 'gone' })
    expect([calls, refused]).toEqual([2, []])
    vendor.answer = says(refusal)
    const fault = await faultOf(ask())
    expect(fault).toMatchObject({ kind: 'unauthorised' })
    expect(refused).toEqual([fault.message])
  })

  test('an audience that the platform does not list is gone', async () => {
    vendor.answer = says('{"code":0,"data":{"list":[],"data_list":[]}}')
    expect(await faultOf(readAudience())).toMatchObject({ kind: 'gone' })
  })

  test('no call is made during the wait that a gateway asks for', async () => {
    let calls = 0
    vendor.answer = (_request, response) => {
      calls++
      response.writeHead(503, { 'retry-after': '30' }).end('busy')
    }
    expect(await faultOf(readAudience())).toMatchObject({ kind: 'later', retryAfter: 30 })
    expect(await faultOf(readAudience())).toMatchObject({ kind: 'later', retryAfter: 30 })
    expect(calls).toBe(1)
  })
})

describe('the social platform', () => {
  const wanted = { key: 'k1', name: '新客', description: '', type: 'HASH_IMEI' as const, receipts: [] }
  const ensure = () => vendor.platforms.audiencesOf(SOCIAL).ensureAudience(ANY_ACCOUNT, wanted, on)
  const made = '{"code":0,"data":{"audience_id":9207199254740995}}'

  test('a refused idempotency header is left out of the repeated call and of later calls', async () => {
    const ids: unknown[] = []
    vendor.answer = (request, response) => {
      const id = request.headers['x-request-id']
      ids.push(id)
      response.end(id ? '{"code":12010,"message_cn":"接口不支持幂等"}' : made)
    }
    expect(await ensure()).toEqual({ audience_id: '9207199254740995', source_id: null })
    await ensure()
    expect(ids).toEqual(['k1', undefined, undefined])
  })

  test('a call refused for a used nonce is repeated with another one, a limited number of times', async () => {
    const nonces = new Set<string | null>()
    vendor.answer = (request, response) => {
      nonces.add(new URL(request.url ?? '', 'http://x').searchParams.get('nonce'))
      response.end(nonces.size === 1 ? '{"code":12100,"message_cn":"nonce 重复"}' : made)
    }
    await ensure()
    expect(nonces.size).toBe(2)
    vendor.answer = (_request, response) => response.end('{"code":12100,"message_cn":"nonce 重复"}')
    expect(await faultOf(ensure())).toMatchObject({ kind: 'later', code: 12100 })
  })
})
