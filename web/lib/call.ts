import { type DataOf, type Endpoint, type InputOf, PAGE_HEADER, urlOf } from '#contract/endpoint.ts'
import { FAULTS, type Fault } from '#contract/errors.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { embedding } from './embedding.ts'

/** A call that was refused or got no answer: the envelope's `msg`, which may be empty, as message, its `code`, `data` and `outcome`. */
export interface CallError extends Error {
  code: number
  status: number
  data: unknown
  /** Null if our server did not answer. */
  outcome: AnyOutcome | null
  /** The call was a GET that changes nothing. */
  isRead: boolean
}

/** The code of a call without an answer of our server: no network, or another server answered. */
export const UNREACHED = -1

const callError = (msg: string, about: Pick<CallError, 'code' | 'status' | 'data' | 'outcome' | 'isRead'>): CallError =>
  Object.assign(new Error(msg), { name: 'CallError', ...about })

export const isCallError = (error: unknown): error is CallError => error instanceof Error && error.name === 'CallError'

export const isFault = (error: unknown, fault: Fault): boolean =>
  isCallError(error) && error.code === FAULTS[fault].code

interface Envelope {
  code: number
  msg: string
  data: unknown
  outcome?: AnyOutcome
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'

/** Calls an endpoint and returns the `data` of its envelope; any code but 0 throws a CallError. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input?: InputOf<E>,
  options: { signal?: AbortSignal } = {},
): Promise<DataOf<E>> {
  const given: { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown } = input ?? {}
  const frame = embedding()
  const headers: Record<string, string> = { accept: 'application/json', [PAGE_HEADER]: '1' }
  if (frame) headers.authorization = `Bearer ${frame.session}`
  const isRead = endpoint.method === 'GET' && !endpoint.changes
  const init: RequestInit = { method: endpoint.method, headers }
  if (options.signal) init.signal = options.signal
  if (given.body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(given.body)
  }
  const response = await fetch(urlOf(endpoint, given), init).catch((error: unknown) => {
    if (options.signal?.aborted) throw error
    throw callError('无法连接服务器，请检查网络后重试', {
      code: UNREACHED,
      status: 0,
      data: null,
      outcome: null,
      isRead,
    })
  })
  return unwrap(response, isRead) as Promise<DataOf<E>>
}

/** The `data` of an envelope. */
async function unwrap(response: Response, isRead: boolean): Promise<unknown> {
  const { status } = response
  // Our answers are always JSON.
  const answer: unknown = await response.json().catch(() => null)
  if (!isEnvelope(answer)) {
    const msg = status >= 500 ? '服务器暂时不可用，请稍后重试' : '请求失败'
    throw callError(msg, { code: UNREACHED, status, data: null, outcome: null, isRead })
  }
  const { code, data, outcome = null } = answer
  if (code !== 0) throw callError(answer.msg, { code, status, data, outcome, isRead })
  return data
}
