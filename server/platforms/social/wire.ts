import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Generation } from '#contract/targeting/social/platform.ts'
import type { AccountSession } from '../audience-platform.ts'
import type { Caller, Hold, Verdict, WireOptions } from '../call.ts'
import { callFor, gatewayVerdict, queryOf, readData } from '../call.ts'
import type { Answer } from '../http.ts'
import { waitAsked } from '../http.ts'
import { REQUEST_ID_REFUSED, REQUEST_ID_UNKNOWN, verdictOf } from './codes.ts'

/** The generation of the API that this adapter uses unless a call says otherwise. */
const VERSION = 'v3.0'

const Envelope = z.object({
  code: z.number().int(),
  message: z.string().nullish(),
  message_cn: z.string().nullish(),
  code_type: z.string().nullish(),
  data: z.unknown().optional(),
})

type Account = Pick<AccountSession, 'external_id' | 'token' | 'tokenExpired' | 'refused'>
/** Values other than text are sent as JSON. */
type Query = Record<string, unknown>

interface Request {
  account: Account
  on: Caller
  path: string
  version?: Generation
  /** Seconds until the account's next call of this interface. */
  pause?: number
  query?: Query
  body?: { json: Query } | { form: FormData; shown: string }
  /** Makes a create call idempotent, if the interface supports it. */
  requestId?: string
  /** Whether a call whose id another body has is refused; otherwise it is made without an id. */
  isIdKept?: boolean
}

export type SocialWire = ReturnType<typeof socialWire>

/** Calls the platform: token, time and nonce in the query, the answer in an envelope. */
export function socialWire(options: WireOptions) {
  const { nowMs } = options
  /** Interfaces that refused the idempotency header, so that a file is not sent twice to learn it again. */
  const withoutIds = new Set<string>()

  async function call<T>(method: 'GET' | 'POST', shape: z.ZodType<T>, request: Request): Promise<T> {
    const { account, on, body, query = {} } = request
    const path = `/${request.version ?? VERSION}/${request.path}`
    const isForm = body !== undefined && 'form' in body
    const text = body && 'json' in body ? JSON.stringify(body.json) : undefined
    let requestId = withoutIds.has(path) ? undefined : request.requestId
    const data = await callFor({
      pace: options.pace,
      nowMs,
      account,
      on,
      method,
      path,
      shown: isForm ? body.shown : (text ?? new URLSearchParams(queryOf(query)).toString()),
      build: async (token) => {
        const { url: base } = await options.endpoint()
        const url = new URL(base + path)
        const nonce = randomBytes(8).toString('hex')
        const common = { access_token: token, timestamp: String(Math.floor(nowMs() / 1000)), nonce }
        url.search = new URLSearchParams({ ...common, ...queryOf(query) }).toString()
        return {
          url,
          headers: {
            accept: 'application/json',
            ...(text !== undefined && { 'content-type': 'application/json' }),
            ...(requestId !== undefined && { 'x-request-id': requestId }),
          },
          body: isForm ? body.form : text,
          timeoutMs: isForm ? options.uploadTimeoutMs : options.timeoutMs,
        }
      },
      interpret: (answer) => {
        const { pause } = request
        const given = interpret(answer, nowMs())
        const isPaced = pause !== undefined && 'data' in given && !given.hold
        const verdict: Verdict = isPaced ? { ...given, hold: { scope: 'accountInterface', seconds: pause } } : given
        if ('fault' in verdict && REQUEST_ID_REFUSED.has(Number(verdict.fault.code))) {
          const isUnknown = verdict.fault.code === REQUEST_ID_UNKNOWN
          if (requestId === undefined || (request.isIdKept && !isUnknown)) return { fault: verdict.fault }
          requestId = undefined
          if (isUnknown) withoutIds.add(path)
        }
        return verdict
      },
    })
    return readData(shape, data)
  }

  return {
    get: <T>(shape: z.ZodType<T>, request: Omit<Request, 'body'>) => call('GET', shape, request),
    post: <T>(shape: z.ZodType<T>, request: Request) => call('POST', shape, request),
  }
}

/** Reads the envelope `{code, message, data}` of an answer. 0 is success; the headers may still ask for a wait. */
export function interpret(answer: Answer, nowMs: number): Verdict {
  const read = Envelope.safeParse(answer.json)
  if (!read.success) return gatewayVerdict(answer, nowMs)
  if (read.data.code === 0) return { data: read.data.data, ...exhausted(answer.headers, nowMs) }
  return verdictOf(read.data, { now: Math.floor(nowMs / 1000), asked: waitAsked(answer.headers, nowMs) })
}

/** `X-RateLimit-Remaining: "<day%>,<minute%>"`: with nothing left of the minute, calls wait for the next minute. */
function exhausted(headers: Headers, nowMs: number): { hold?: Hold } {
  const minute = /^\s*\d+(?:\.\d+)?%\s*,\s*(\d+(?:\.\d+)?)%/.exec(headers.get('x-ratelimit-remaining') ?? '')?.[1]
  if (minute === undefined || Number(minute) > 0) return {}
  return { hold: { scope: 'accountInterface', seconds: 60 - (Math.floor(nowMs / 1000) % 60) } }
}
