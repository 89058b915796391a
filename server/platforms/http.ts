import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'
import { parseJson } from './lossless-json.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string | FormData | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Masked where the answer quotes it, since answers reach samples and viewers. */
  secret?: string
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Undefined if the text is not JSON. */
  json: unknown
}

/** Longer than any page of rows that we request; a longer answer is not the platform's. */
const ANSWER_MOST = 8 * 2 ** 20

/** Failures before anything was sent: the call was certainly not carried out. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Makes one HTTP call. Throws PlatformFault 'later' if no complete answer came, and the signal's reason if it was aborted. */
export async function send(request: HttpRequest): Promise<Answer> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { 'user-agent': 'renqun', ...request.headers },
      body: request.body ?? null,
      // A redirect would send the token to another host.
      redirect: 'manual',
      signal,
    })
    const all = await readText(response)
    const text = request.secret ? all.replaceAll(request.secret, '***') : all
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (error instanceof PlatformFault) throw error
    if (timeout.aborted) {
      const seconds = Math.round(request.timeoutMs / 1000)
      throw new PlatformFault('later', outcome('platform_no_answer_within', { seconds }), {
        isUncertain: true,
        cause: error,
      })
    }
    const code = causeCode(error)
    throw new PlatformFault('later', outcome('platform_disconnected', { code }), {
      code,
      isUncertain: !(code !== null && NEVER_SENT.has(code)),
      cause: error,
    })
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > ANSWER_MOST)
      throw new PlatformFault('later', outcome('platform_answer_too_large'), { isUncertain: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function causeCode(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return null
}

/** Seconds that an answer asks to wait; null if it does not. */
export function waitAsked(headers: Headers, nowMs: number): number | null {
  const asked = headers.get('x-ratelimit-retryin') ?? headers.get('retry-after')
  if (asked === null) return null
  if (/^\d+(\.\d+)?$/.test(asked.trim())) return Number(asked)
  const until = Date.parse(asked)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - nowMs) / 1000))
}

/** The fault for an answer that is not the platform's own: from a gateway or a proxy, or unreadable. */
export function gatewayFault({ status, headers }: Answer, nowMs: number): PlatformFault {
  const retryAfter = waitAsked(headers, nowMs)
  const code = `HTTP ${status}`
  if (status === 429) return new PlatformFault('later', outcome('platform_throttled'), { code, retryAfter })
  if (status >= 500)
    return new PlatformFault('later', outcome('platform_unavailable', { code }), {
      code,
      retryAfter,
      isUncertain: true,
    })
  if (status === 413) return new PlatformFault('refused', outcome('platform_file_too_large'), { code })
  // The platforms refuse tokens in their envelope, so this comes from a firewall or a proxy.
  if (status === 401 || status === 403 || status === 407) {
    return new PlatformFault('later', outcome('platform_blocked_by_proxy', { code }), { code, retryAfter })
  }
  if (status >= 300) return new PlatformFault('configuration', outcome('platform_address_wrong', { code }), { code })
  return new PlatformFault('later', outcome('platform_answer_unreadable'), { code, isUncertain: true })
}
