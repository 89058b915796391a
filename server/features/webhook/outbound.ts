import { lookup as resolve } from 'node:dns'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { isInner } from '../../network/inner-address.ts'
import { networkErrors } from '../../network/network-reason.ts'

export class OutboundFault extends Error {
  /** A retry would fail too. */
  readonly isFinal: boolean
  readonly outcome: AnyOutcome
  constructor(outcome: AnyOutcome, isFinal: boolean) {
    super(sentenceOf(outcome))
    this.name = 'OutboundFault'
    this.outcome = outcome
    this.isFinal = isFinal
  }
}

const TIMEOUT_MS = 8000
const ANSWER_MAX = 4000
const INNER = outcome('webhook_inner_address')

/** Names of the DNS have labels of 1 to 63 characters, 253 in all; no other name can be looked up. */
const isHostName = (host: string) =>
  host.startsWith('[') ||
  (host.length <= 253 &&
    host
      .replace(/\.$/, '')
      .split('.')
      .every((label) => /^.{1,63}$/.test(label)))

/** Why an address is refused before it is looked up; null when it is allowed so far. */
export function urlFault(text: string, allowed: readonly string[]): AnyOutcome | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return outcome('webhook_not_http')
  if (url.username || url.password) return outcome('webhook_with_password')
  if (!isHostName(url.hostname)) return outcome('webhook_host_wrong')
  if (allowed.includes(url.origin)) return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return INNER
  if (isIP(host) !== 0 && isInner(host)) return INNER
  return null
}

/** Refuses names with internal addresses at connection time, so that a name cannot change between check and call. */
const outerOnly: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    if (addresses.some(({ address }) => isInner(address))) return done(new OutboundFault(INNER, true), [])
    const [first] = addresses
    if (options.all) return done(null, addresses)
    if (!first) return done(new OutboundFault(outcome('webhook_unresolved'), false), [])
    done(null, first.address, first.family)
  })
}

/** Posts JSON to an outside host; follows no redirect, waits a few seconds and reads only a short answer. */
export function postJson(
  to: string,
  body: object,
  { allowed, signal }: { allowed: readonly string[]; signal?: AbortSignal },
): Promise<{ status: number; text: string }> {
  const fault = urlFault(to, allowed)
  if (fault) return Promise.reject(new OutboundFault(fault, true))
  const url = new URL(to)
  const isAllowed = allowed.includes(url.origin)
  const payload = Buffer.from(JSON.stringify(body))
  const patience = AbortSignal.timeout(TIMEOUT_MS)
  const send = url.protocol === 'https:' ? secure : plain
  return new Promise((done, failed) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': payload.length },
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
        agent: false,
        ...(isAllowed ? {} : { lookup: outerOnly }),
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          if (text.length > ANSWER_MAX) answer.destroy()
        })
        answer.on('close', () => done({ status: answer.statusCode ?? 0, text: text.slice(0, ANSWER_MAX) }))
        answer.on('error', () => {})
      },
    )
    request.on('error', (error) => {
      if (signal?.aborted) return failed(error)
      if (error instanceof OutboundFault) return failed(error)
      failed(
        new OutboundFault(
          patience.aborted
            ? outcome('webhook_no_answer_within', { seconds: TIMEOUT_MS / 1000 })
            : outcome('webhook_disconnected', { errors: networkErrors(error) }),
          false,
        ),
      )
    })
    request.end(payload)
  })
}
