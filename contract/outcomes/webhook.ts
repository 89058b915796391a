import { z } from 'zod'
import { entry, plain, upgradedEntry } from './entry.ts'
import { NetworkError, plainNetworkSentence } from './network.ts'

/** Why a notice was not delivered or its address cannot be used. */
export const WEBHOOK_OUTCOMES = {
  webhook_url_missing: plain('请输入通知地址'),
  webhook_not_http: plain('只支持 http:// 或 https:// 开头的地址'),
  webhook_host_wrong: plain('地址中的主机名不正确'),
  webhook_with_password: plain('地址中不能带用户名或密码'),
  webhook_inner_address: plain('地址指向本机或内部网络；如需使用，请管理员在 WEBHOOK_ALLOW 中列出它的来源'),
  webhook_unresolved: plain('地址无法解析'),
  webhook_no_answer_within: entry({ seconds: z.int() }, ({ seconds }) => `对方在 ${seconds} 秒内没有答复`),
  webhook_disconnected: upgradedEntry(
    { errors: z.array(NetworkError).min(1) },
    ({ why, errors }) => ({ errors: why === undefined ? errors : [{ code: null, text: why }] }),
    ({ errors }) => `连接失败：${plainNetworkSentence(errors)}`,
  ),
  webhook_status: entry(
    { status: z.int(), text: z.string() },
    ({ status, text }) => `对方答复 HTTP ${status}${text ? `：${text}` : ''}`,
  ),
  webhook_refused: entry({ text: z.string() }, ({ text }) => `对方拒绝：${text}`),
  webhook_answer_unreadable: entry({ text: z.string() }, ({ text }) => `对方的答复无法识别：${text}`),
} as const
