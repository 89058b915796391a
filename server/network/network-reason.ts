const REASONS: Record<string, string> = {
  ECONNREFUSED: '那里没有程序在监听',
  ECONNRESET: '连接被对方中断',
  EPIPE: '连接被对方中断',
  UND_ERR_SOCKET: '连接被对方中断',
  UND_ERR_CONNECT_TIMEOUT: '连接超时',
  ENOTFOUND: '找不到这个主机名',
  EAI_AGAIN: '主机名暂时无法解析',
  ETIMEDOUT: '连接超时',
  EHOSTUNREACH: '无法到达这个地址',
  ENETUNREACH: '网络不通',
  CERT_HAS_EXPIRED: '对方的证书已过期',
  DEPTH_ZERO_SELF_SIGNED_CERT: '对方的证书不受信任',
  SELF_SIGNED_CERT_IN_CHAIN: '对方的证书不受信任',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '对方的证书不受信任',
  EPROTO: '对方没有按 https 答复',
  ERR_SSL_WRONG_VERSION_NUMBER: '对方没有按 https 答复',
  HPE_INVALID_CONSTANT: '对方没有按 HTTP 答复',
  ERR_TLS_CERT_ALTNAME_INVALID: '对方的证书不属于这个主机名',
}
/** Longer messages, such as a page of HTML, are cut. */
const LENGTH_MAX = 200

/** Why a connection failed, with the error's own message, which contains the address or the code. */
export function networkReason(error: unknown): string {
  // A name with several addresses gives one error per address and no message of its own.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(networkReason))].join('；')
  if (!(error instanceof Error)) return String(error)
  const code = (error as NodeJS.ErrnoException).code
  const said = (error.message || code || error.name).replace(/\s+/g, ' ').trim().slice(0, LENGTH_MAX)
  const known = wordsOfCode(code ?? '') ?? (/timeout|timed out/i.test(said) ? REASONS.ETIMEDOUT : undefined)
  return known ? `${known}（${said}）` : said
}

/** The sentence for an error's code; undefined if it is not in the list. */
export const wordsOfCode = (code: string): string | undefined => REASONS[code]
