import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AccountSession, CallSample } from './audience-platform.ts'
import { PlatformFault } from './audience-platform.ts'
import type { Answer, Ask } from './http.ts'
import { send, strangeAnswer } from './http.ts'
import type { Pace } from './pace.ts'

/** A sample keeps at most this many characters of a request or an answer. */
const SAMPLE_MOST = 2000
/** Tries within one call: the token may be refreshed, and a header or a nonce be changed, once each. */
const TRIES_MOST = 4

/** What an answer means. `again`: repeat the call, with another token or without what was refused. */
export type Verdict =
  | { data: unknown; hold?: Hold }
  | { fault: PlatformFault; hold?: Hold; again?: 'token' | 'changed' }

/** Which calls wait when a platform throttles: the account's, the account's to this interface, or everyone's to it. */
export type HoldScope = 'account' | 'accountInterface' | 'interface'
export interface Hold {
  scope: HoldScope
  seconds: number
  /** `seconds` is the most of a wait that doubles with each refusal in a row. */
  grows?: true
}

export interface Caller {
  signal?: AbortSignal | undefined
  sample?: ((sample: CallSample) => void) | undefined
}

/** Where a platform is reached, and as which application. */
export interface Endpoint {
  /** Without a version or a trailing slash. */
  url: string
  appId: string
  secret: string
}

/** What every call of one platform shares. */
export interface WireOptions {
  /** Asked at each call: the sandbox starts late and may move. Fault 'configuration' when there is none. */
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
  /** The request, anew for each try: a nonce is never used twice. */
  build(token: string): Omit<Ask, 'signal' | 'method'> | Promise<Omit<Ask, 'signal' | 'method'>>
  judge(answer: Answer): Verdict
}

/** Makes a call for an account: paced, recorded, and repeated with a fresh token if the platform says that the token is old. */
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
    if (hold) pace.hold(keys[hold.scope], hold.seconds)
    if ('data' in verdict) return verdict.data
    const { fault, again } = verdict
    if (again === 'token' && !isTokenRenewed) {
      isTokenRenewed = true
      await account.tokenExpired(token)
      continue
    }
    if (again === 'changed' && tries < TRIES_MOST) continue
    if (fault.kind !== 'unauthorised') throw fault
    // A refresh during the call replaced the token, so the refused one was old.
    if (!isTokenRenewed && (await account.token()) !== token) {
      isTokenRenewed = true
      continue
    }
    await account.refused?.(fault.outcome)
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
  return call.judge(answer)
}

const waiting = ({ kind, outcome, code, isUncertain }: PlatformFault, retryAfter: number) =>
  new PlatformFault(kind, outcome, { code, isUncertain, retryAfter })

/** Judges an answer outside the platform's envelope; if it asks for a wait, calls wait. */
export function strangeVerdict(answer: Answer, nowMs: number): Verdict {
  const fault = strangeAnswer(answer, nowMs)
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

/** A query in both platforms' spelling: texts raw, all else as JSON. */
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
