import { randomBytes } from 'node:crypto'
import { writeJson } from '../json.ts'
import type { Answer } from '../wire.ts'

export const MESSAGES = {
  40000: '参数错误',
  40002: '没有权限进行相关操作',
  40100: '接口请求过于频繁，请稍后再试',
  40102: 'access_token已过期',
  40103: 'refresh_token已过期或已被使用',
  40104: 'access_token为空或不正确',
  40107: 'refresh_token不正确',
  40110: '开发者请求频率超限',
  40113: '应用不存在或状态异常',
  40115: 'auth_code不正确、已过期或已被使用',
  40130: '广告主请求频率超限',
  50000: '系统错误',
} as const
export type Code = keyof typeof MESSAGES

/** Thrown to refuse a call. */
export class Refusal extends Error {
  readonly code: Code
  readonly headers: Record<string, string>
  constructor(code: Code, message: string = MESSAGES[code], headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

/** Most refusals have the same code; only the message gives the reason. */
export const badRequest = (message: string) => new Refusal(40000, message)

const answered = (code: number, message: string, data: unknown, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: writeJson({ code, message, data, request_id: requestId() }),
  code,
})

export const success = (data: unknown) => answered(0, 'OK', data)
export const refused = ({ code, message, headers }: Refusal) => answered(code, message, {}, headers)

const requestId = () =>
  new Date().toISOString().replace(/\D/g, '').slice(0, 14) + randomBytes(9).toString('hex').toUpperCase()
