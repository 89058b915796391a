import { randomBytes } from 'node:crypto'
import { writeJson } from '../json.ts'
import type { Answer } from '../wire.ts'

/** Every code of this stand-in, in the platform's two languages. */
export const CODES = {
  10000: ['System busy', '系统繁忙，请稍后再试'],
  11000: ['Access token has expired', 'access_token 已过期'],
  11002: ['Access token is invalid', 'access_token 不正确'],
  11004: ['Access token is malformed', 'access_token 格式不正确'],
  11005: ['Access token is empty', 'access_token 为空'],
  11007: ['client_id or client_secret is invalid', '应用 client_id 或 client_secret 不正确'],
  11009: ['Authorization code has expired', 'authorization_code 已过期'],
  11010: ['Refresh token is malformed', 'refresh_token 格式不正确'],
  11011: ['Authorization code is malformed', 'authorization_code 不正确'],
  11012: ['Refresh token has expired', 'refresh_token 已过期'],
  11013: ['Authorization code has been used', 'authorization_code 已被使用'],
  11014: ['The interface is outside the granted scope', '接口不在授权范围内，请重新授权'],
  11017: ['Requests per minute exceed the limit', '接口调用次数超过每分钟的限制'],
  11018: ['Requests per day exceed the limit', '接口调用次数超过每天的限制'],
  11019: ['Requests are too frequent', '接口调用过于频繁'],
  11101: ['user_token is missing', '缺少 user_token，请先完成实名认证'],
  11102: ['user_token is invalid', 'user_token 不正确或已过期，请重新实名认证'],
  12000: ['access_token, timestamp or nonce is missing', '缺少 access_token、timestamp 或 nonce'],
  12003: ['The body is not valid JSON', '请求内容不是正确的 JSON'],
  12007: ['Unknown path or wrong HTTP method', '接口不存在，或 HTTP 方法不正确'],
  12008: ['fields is not an array', 'fields 应为字符串数组'],
  12009: ['fields has an unknown field', 'fields 中有未知的字段'],
  12010: ['Idempotency is not supported', '接口不支持幂等'],
  12100: ['nonce has been used', 'nonce 重复'],
  12101: ['timestamp is outside the window', 'timestamp 与服务器时间相差超过 300 秒'],
  12201: ['account_id is invalid', 'account_id 不正确'],
  12203: ['No permission for this account_id', '没有操作该 account_id 的权限'],
  12700: ['The resource is being modified', '资源正在修改中'],
  18001: ['A required parameter is missing', '缺少必填参数'],
  18002: ['A parameter has the wrong type', '参数类型不正确'],
  18003: ['A parameter is above its maximum', '参数超过上限'],
  18004: ['A parameter is below its minimum', '参数低于下限'],
  18009: ['A parameter is not one of its values', '参数不在可选范围内'],
  18012: ['Too few values', '参数个数不足'],
  18014: ['A parameter has too many decimals', '参数的小数位数过多'],
  30001: ['System exception', '系统异常，请稍后再试'],
  31002: ['Value out of range', '参数取值不合法'],
  31033: ['Not on an allow list', '不在白名单内，没有权限'],
  31060: ['The same X-Request-Id came with another body', '幂等请求的内容与之前不一致'],
  36019: ['A request with this X-Request-Id is in progress', '相同幂等标识的请求正在处理'],
  50003: ['File extension is invalid', '文件后缀不正确，只支持 txt、csv、zip'],
  50004: ['File is too large', '文件过大'],
  50005: ['Audience id is invalid', '人群不存在'],
  50007: ['Audience name is duplicated', '人群名称重复'],
  50008: ['Quota is not enough', '配额不足'],
  50013: ['The type of the audience does not allow this', '人群类型不支持该操作'],
  50014: ['The status of the audience does not allow this', '人群状态不支持该操作'],
  50015: ['No permission on the audience', '没有该人群的权限'],
  50018: ['Too frequent', '操作过于频繁'],
  50022: ['A grant of the audience exists', '人群存在授权关系，不可删除'],
  50023: ['The audience is used by an ad', '人群正在被广告使用，不可删除'],
  50024: ['A lookalike audience uses it', '人群正在被拓展人群使用，不可删除'],
  50025: ['A combined audience uses it', '人群正在被组合人群使用，不可删除'],
  50027: ['The audience is granted already', '人群已授权给该账户'],
  50031: ['The file is not ready', '文件尚未就绪'],
  50035: ['account_id is missing', '缺少 account_id'],
  50036: ['name is missing', '缺少人群名称'],
  50038: ['file is missing', '缺少文件'],
  50039: ['account_id is invalid', 'account_id 不正确'],
  50041: ['File reception failed', '文件接收失败，请重试'],
  50042: ['Name is too long', '人群名称过长'],
  50044: ['Description is too long', '人群描述过长'],
  50047: ['The id type is invalid', '号码类型不正确'],
  51001: ['The report is temporarily unavailable', '报表暂时不可用，请一分钟后再试'],
  54307: ['The previous file is still being processed', '人群的上一个文件正在处理中'],
  64016: ['Reports per minute exceed the limit', '报表查询超过每分钟的限制'],
  69005: ['Targeting not found', '定向不存在'],
  71003: ['Only tokens of an organization may call this', '仅组织（客户工作台）授权可以调用'],
  127003: ['end_date is before begin_date', '结束日期早于开始日期'],
  1800307: ['The adgroup does not exist', '广告不存在、已删除或没有操作权限'],
  1901873: ['The daily budget is below the spend', '日预算不能低于已消耗金额的要求'],
  1901905: ['Too many adgroups deliver', '投放中的广告数量已达上限'],
  1801104: ['The targeting refers to an expired audience', '定向中的人群已过期'],
} as const
export type Code = keyof typeof CODES

/** Thrown to refuse a call. */
export class Refusal extends Error {
  readonly code: Code
  readonly fields: readonly string[]
  readonly more: string
  constructor(code: Code, fields: readonly string[] = [], more = '') {
    super(CODES[code][0])
    this.code = code
    this.fields = fields
    this.more = more
  }
}

const trace = () => randomBytes(16).toString('hex')

function answered(code: number, body: object, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-tsa-trace-id': trace(), ...headers },
    body: writeJson({ code, ...body }),
    code,
  }
}

/** Sent with HTTP 200, like every answer of the platform. */
export const success = (data: object | null) => answered(0, { message: '', message_cn: '', ...(data ? { data } : {}) })

const isSystem = (code: number) => code < 11000 || (code >= 30000 && code < 30100)

export function refused({ code, fields, more }: Refusal): Answer {
  const [english, chinese] = CODES[code]
  const traceId = trace()
  const errors = fields.length
    ? {
        errors: [
          {
            type: 'CommonParamException',
            description: english,
            common_param_exception_spec: { error_fields: fields, error_user_msg: chinese },
          },
        ],
      }
    : {}
  const said = {
    message: [english, fields.join(', '), more].filter(Boolean).join(': '),
    message_cn: [chinese, fields.join('、'), more].filter(Boolean).join('：'),
    ...errors,
    code_type: isSystem(code) ? 'SysException' : 'BusinessException',
    trace_id: traceId,
  }
  return answered(code, said, { 'x-tsa-trace-id': traceId })
}
