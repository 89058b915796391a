import { z } from 'zod'
import type { AccountSession } from '../audience-platform.ts'
import type { Caller, Verdict, WireOptions } from '../call.ts'
import { callFor, gatewayVerdict, queryOf, readData } from '../call.ts'
import type { Answer } from '../http.ts'
import { waitAsked } from '../http.ts'
import { verdictOf } from './codes.ts'

const Envelope = z.object({ code: z.number().int(), message: z.string().nullish(), data: z.unknown().optional() })

/** Values other than text are sent as JSON. */
type Query = Record<string, unknown>

interface Request {
  account: Pick<AccountSession, 'external_id' | 'token' | 'tokenExpired' | 'refused'>
  on: Caller
  /** The path under `/open_api/`, with version and trailing slash. */
  path: string
  query?: Query
  /** Names in the query that samples must not show. */
  hidden?: readonly string[]
  body?: { json: Query } | { form: FormData; shown: string }
}

export type VideoWire = ReturnType<typeof videoWire>

/** Calls the platform: token in a header, the answer in an envelope. */
export function videoWire(options: WireOptions) {
  const { nowMs } = options

  async function call<T>(method: 'GET' | 'POST', shape: z.ZodType<T>, request: Request): Promise<T> {
    const { account, on, body, query = {} } = request
    const path = `/open_api/${request.path}`
    const isForm = body !== undefined && 'form' in body
    const text = body && 'json' in body ? JSON.stringify(body.json) : undefined
    const search = new URLSearchParams(queryOf(query)).toString()
    const open = Object.entries(query).filter(([key]) => !request.hidden?.includes(key))
    const data = await callFor({
      pace: options.pace,
      nowMs,
      account,
      on,
      method,
      path,
      shown: isForm ? body.shown : (text ?? new URLSearchParams(queryOf(Object.fromEntries(open))).toString()),
      build: async (token) => {
        const { url: base } = await options.endpoint()
        const url = new URL(base + path)
        url.search = search
        return {
          url,
          headers: {
            accept: 'application/json',
            'access-token': token,
            ...(text !== undefined && { 'content-type': 'application/json' }),
          },
          body: isForm ? body.form : text,
          timeoutMs: isForm ? options.uploadTimeoutMs : options.timeoutMs,
        }
      },
      interpret: (answer) => interpret(answer, nowMs()),
    })
    return readData(shape, data)
  }

  return {
    get: <T>(shape: z.ZodType<T>, request: Omit<Request, 'body'>) => call('GET', shape, request),
    post: <T>(shape: z.ZodType<T>, request: Request) => call('POST', shape, request),
  }
}

/** Reads the envelope `{code, message, data}` of an answer; 0 is success. */
export function interpret(answer: Answer, nowMs: number): Verdict {
  const read = Envelope.safeParse(answer.json)
  if (!read.success) return gatewayVerdict(answer, nowMs)
  if (read.data.code === 0) return { data: read.data.data }
  return verdictOf(read.data, { now: Math.floor(nowMs / 1000), asked: waitAsked(answer.headers, nowMs) })
}
