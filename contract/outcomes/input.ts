import { z } from 'zod'
import { entry, plain } from './entry.ts'

/** Refusals of what a caller sent. */
export const INPUT_OUTCOMES = {
  /** The message of a schema, which names the field. */
  input_refused: entry({ text: z.string().min(1) }, ({ text }) => text),
  input_not_storable: plain('内容中有无法保存的字符'),

  password_wrong: plain('当前密码不正确'),
  token_expiry_past: plain('令牌的失效时间不能早于现在'),
  tokens_full: entry({ max: z.int() }, ({ max }) => `每人最多 ${max} 个令牌`),
  embed_origin_unknown: entry(
    { origins: z.array(z.string()) },
    ({ origins }) => `origin 要写成 EMBED_ORIGINS 中的一个：${origins.join('、')}`,
  ),
  consent_attribute_unknown: entry(
    { attribute: z.string() },
    ({ attribute }) => `属性「${attribute}」不存在，请先接入数据`,
  ),
  consent_values_missing: plain('请填写表示不同意的值'),
} as const
