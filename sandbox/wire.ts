import type { IncomingHttpHeaders } from 'node:http'

/** A received call; its path is without the platform's prefix. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  /** The platform's own code, for the log. */
  code: number | null
  /** Parameters unknown to the interface, for the log. */
  unknown?: readonly string[]
}

/** One platform's stand-in: answers calls, and makes the platform's own answers for throttling and busy. */
export interface StandIn {
  answer(call: Call): Answer
  throttled(code: number | null): Answer
  busy(code: number | null): Answer
}

export const html = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
  code: null,
})

export const redirect = (to: string): Answer => ({ status: 302, headers: { location: to }, body: '', code: null })

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

const NAMED = [/[?&](?:account_id|advertiser_id)=(\d+)/, /"(?:account_id|advertiser_id)"\s*:\s*"?(\d+)/]
const NAMED_PART = /name="?(?:account_id|advertiser_id)"?[^\n]*\r\n(?:[^\n]+\r\n)*\r\n(\d+)/

/** The account named in a call, before any checks. */
export function accountOf(call: Call): string | null {
  const start = call.body.subarray(0, 4096).toString('latin1')
  const found = NAMED[0]?.exec(`?${call.query}`) ?? NAMED[1]?.exec(start) ?? NAMED_PART.exec(start)
  return found?.[1] ?? null
}
