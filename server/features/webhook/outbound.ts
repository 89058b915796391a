import { lookup as resolve } from 'node:dns'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isInner } from '../../network/inner-address.ts'
import { networkReason } from '../../network/network-reason.ts'

export class OutboundFault extends Error {
  /** Trying again is of no use. */
  readonly isFinal: boolean
  constructor(message: string, isFinal: boolean) {
    super(message)
    this.name = 'OutboundFault'
    this.isFinal = isFinal
  }
}

const TIMEOUT_MS = 8000
const ANSWER_MAX = 4000
const INNER_SAID = '地址指向本机或内部网络；如需使用，请管理员在 WEBHOOK_ALLOW 中列出它的来源'

/** What can be told of an address before it is looked up; null when nothing speaks against it. */
export function urlFault(text: string, allowed: readonly string[]): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return '只支持 http:// 或 https:// 开头的地址'
  if (url.username || url.password) return '地址中不能带用户名或密码'
  if (allowed.includes(url.origin)) return null
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return INNER_SAID
  if (isIP(host) !== 0 && isInner(host)) return INNER_SAID
  return null
}

/** Refuses names that lead to inner addresses when the connection is made, so that none changes between look-up and call. */
const outerOnly: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    if (addresses.some(({ address }) => isInner(address))) return done(new OutboundFault(INNER_SAID, true), [])
    const [first] = addresses
    if (options.all) return done(null, addresses)
    if (!first) return done(new OutboundFault('地址无法解析', false), [])
    done(null, first.address, first.family)
  })
}

/** Posts JSON to a host outside; follows no redirect, waits a few seconds, reads a short answer. */
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
          patience.aborted ? `对方在 ${TIMEOUT_MS / 1000} 秒内没有答复` : `连接失败：${networkReason(error)}`,
          false,
        ),
      )
    })
    request.end(payload)
  })
}
