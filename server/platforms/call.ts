import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { CallSample } from '../postgres/schema-custom.ts'
import type { AccountSession } from './audience-platform.ts'
import { PlatformFault } from './audience-platform.ts'
import type { Answer, HttpRequest } from './http.ts'
import { gatewayFault, send } from './http.ts'
import type { Pace } from './pace.ts'

/** A sample holds at most this many characters of a request or an answer. */
const SAMPLE_MOST = 2000
/** Tries within one call: one refresh of the token, and one change of a header or a nonce. */
const TRIES_MOST = 4

/** The meaning of an answer. `again`: repeat the call with another token or without what was refused. `isOfToken`: the token itself is refused. */
export type Verdict =
  | { data: unknown; hold?: Hold }
  | { fault: PlatformFault; hold?: Hold; again?: 'token' | 'changed'; isOfToken?: true }

/**
 * Which calls wait when a platform throttles: the account's, the account's to this interface, or all to this interface.
 */
export type HoldScope = 'account' | 'accountInterface' | 'interface'
export interface Hold {
  scope: HoldScope
  seconds: number
  /** `seconds` is the maximum of a wait that doubles with each consecutive refusal. */
  grows?: true
}

export interface Caller {
  signal?: AbortSignal | undefined
  sample?: ((sample: CallSample) => void) | undefined
}

/** A platform's address, and our application there. */
export interface Endpoint {
  /** Without a version or a trailing slash. */
  url: string
  appId: string
  secret: string
}

/** What all calls to a platform share. */
export interface WireOptions {
  /** Called for each call, since the sandbox starts late and may move. Fault 'configuration' if there is none. */
  endpoint(): Promise<Endpoint>
  pace: Pace
  nowMs: () => number
  timeoutMs: number
  uploadTimeoutMs: number
}

export interface BusinessCall {
  pace: Pace
  nowMs: () => number
  account: Pick<AccountSession, 'external_id' | 'token' | 'tokenExpired' | 'refused'>
  on: Caller
  method: 'GET' | 'POST'
  path: string
  /** The request as a sample shows it: no token, no file. */
  shown: string
  /** Makes the request for each try, since a nonce is never used twice. */
  build(token: string): Omit<HttpRequest, 'signal' | 'method'> | Promise<Omit<HttpRequest, 'signal' | 'method'>>
  interpret(answer: Answer): Verdict
}

/**
 * Makes a call for an account: paced, recorded, and repeated with a new token if the platform says that the token has
 * expired.
 */
export async function callFor(call: BusinessCall): Promise<unknown> {
  const { pace, account, on, path } = call
  const keys = {
    account: `account ${account.external_id}`,
    accountInterface: `account ${account.external_id} ${path}`,
    interface: `interface ${path}`,
  }
  let isTokenRenewed = false
  for (let tries = 1; ; tries++) {
    const token = await account.token()
    await pace.enter(keys.account, [keys.accountInterface, keys.interface], on.signal)
    const verdict = await tryOnce(call, token)
    const { hold } = verdict
    if ('data' in verdict) pace.taken(Object.values(keys))
    if (hold?.grows && 'fault' in verdict) throw waiting(verdict.fault, pace.backOff(keys[hold.scope], hold.seconds))
    if (hold && 'fault' in verdict && verdict.fault.kind === 'notYet')
      pace.holdForLimit(keys[hold.scope], hold.seconds, verdict.fault)
    else if (hold) pace.hold(keys[hold.scope], hold.seconds)
    if ('data' in verdict) return verdict.data
    const { fault, again } = verdict
    if (again === 'token' && !isTokenRenewed) {
      isTokenRenewed = true
      await account.tokenExpired(token)
      continue
    }
    if (again === 'changed' && tries < TRIES_MOST) continue
    if (fault.kind !== 'unauthorised') throw fault
    // The token was refreshed during the call, so the refused one was old.
    if (!isTokenRenewed && (await account.token()) !== token) {
      isTokenRenewed = true
      continue
    }
    await account.refused?.(fault.outcome, verdict.isOfToken ? token : null)
    throw fault
  }
}

async function tryOnce(call: BusinessCall, token: string): Promise<Verdict> {
  const { on, method, path, shown, nowMs } = call
  const request = await call.build(token)
  const began = nowMs()
  const record = (status: number | null, answer: string) =>
    on.sample?.({
      at: Math.floor(began / 1000),
      method,
      path,
      request: cut(shown),
      status,
      answer: cut(answer),
      took_ms: Math.max(0, Math.round(nowMs() - began)),
    })
  let answer: Answer
  try {
    answer = await send({ ...request, method, signal: on.signal, secret: token })
  } catch (error) {
    record(null, error instanceof Error ? error.message : String(error))
    throw error
  }
  record(answer.status, answer.text)
  return call.interpret(answer)
}

const waiting = ({ kind, outcome, code, isUncertain }: PlatformFault, retryAfter: number) =>
  new PlatformFault(kind, outcome, { code, isUncertain, retryAfter })

/** Handles an answer outside the platform's envelope; if it asks for a wait, later calls wait. */
export function gatewayVerdict(answer: Answer, nowMs: number): Verdict {
  const fault = gatewayFault(answer, nowMs)
  const { retryAfter } = fault
  return { fault, ...(retryAfter !== null && { hold: { scope: 'accountInterface', seconds: retryAfter } }) }
}

/** A vendor's own sentence with its code. */
export const refusedWith = (said: string | null | undefined, code: number): AnyOutcome =>
  said
    ? outcome('platform_refused', { text: `${said}（${code}）` })
    : outcome('platform_gave_no_reason', { code: String(code) })

const cut = (text: string) => (text.length > SAMPLE_MOST ? `${text.slice(0, SAMPLE_MOST)}…` : text)

export const isFault = (error: unknown, kind: PlatformFault['kind']): error is PlatformFault =>
  error instanceof PlatformFault && error.kind === kind

/** A query as both platforms spell it: texts unchanged, other values as JSON. */
export function queryOf(query: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** Parses the `data` of an answer. */
export function readData<T>(shape: z.ZodType<T>, data: unknown): T {
  const read = shape.safeParse(data ?? {})
  if (!read.success)
    throw new PlatformFault('later', outcome('platform_answer_incomplete'), { isUncertain: true, cause: read.error })
  return read.data
}
