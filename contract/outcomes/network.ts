import { z } from 'zod'
import { keysOf } from '../common.ts'

const SENTENCES = {
  ECONNREFUSED: '那里没有程序在监听',
  ECONNRESET: '连接被对方中断',
  EPIPE: '连接被对方中断',
  UND_ERR_SOCKET: '连接被对方中断',
  UND_ERR_CONNECT_TIMEOUT: '连接超时',
  UND_ERR_HEADERS_TIMEOUT: '连接超时',
  UND_ERR_BODY_TIMEOUT: '连接超时',
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
} as const

/** Codes of Node and its HTTP client for a connection that failed. */
const NetworkCode = z.enum(keysOf(SENTENCES))
export type NetworkCode = z.infer<typeof NetworkCode>
export const isNetworkCode = (code: unknown): code is NetworkCode => NetworkCode.safeParse(code).success

/** `text` is the error's own message, which contains the address or the code. */
export const NetworkError = z.object({ code: NetworkCode.nullable(), text: z.string() })
export type NetworkError = z.infer<typeof NetworkError>

/** Why a connection failed. A name with several addresses gives one error for each. */
export const networkSentence = (errors: readonly NetworkError[]): string =>
  [...new Set(errors.map(({ code, text }) => (code ? `${SENTENCES[code]}（${text}）` : text)))].join('；')

/** The same for viewers: the errors' own messages, which are English, only where no sentence is known. */
export const plainNetworkSentence = (errors: readonly NetworkError[]): string =>
  [...new Set(errors.map(({ code, text }) => (code ? SENTENCES[code] : text)))].join('；')

/** The sentence of a code alone; a code that is not in the table stands for itself. */
export const networkCodeSentence = (code: string): string => (isNetworkCode(code) ? SENTENCES[code] : code)
