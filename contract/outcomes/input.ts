import { z } from 'zod'
import { entry, plain } from './entry.ts'

/** Refusals of what a caller sent. */
export const INPUT_OUTCOMES = {
  /** The message of a schema, which names the field. */
  input_refused: entry({ text: z.string().min(1) }, ({ text }) => text),
  /** The first of the keys that a body has and no schema names. */
  input_unknown_keys: entry(
    { keys: z.array(z.string()).min(1) },
    ({ keys }) => `请求内容中有不认识的参数：${keys.map((key) => `「${key}」`).join('、')}`,
  ),
  /** Spellings of one key. */
  input_spellings_differ: entry(
    { keys: z.array(z.string()).min(2) },
    ({ keys }) => `${keys.map((key) => `「${key}」`).join('与')}是同一个参数，值不一致`,
  ),
  input_not_storable: plain('内容中有无法保存的字符'),
  /** `field`: its path; empty when the body itself is the text. */
  input_not_text: entry(
    { field: z.string() },
    ({ field }) => `${field ? `参数「${field}」` : '请求内容'}中有无法保存的字符`,
  ),
  input_too_deep: entry({ max: z.int() }, ({ max }) => `请求内容嵌套层数过多，最多 ${max} 层`),

  password_wrong: plain('当前密码不正确'),
  password_common: plain('这个密码太常见，容易被猜到，请换一个'),
  password_is_name: plain('密码不能是用户名，也不能是用户名加几位数字'),
  read_only_not_member: plain('只能查看的广告主必须也在所属广告主里'),
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
  phone_as_one_id: plain('您没有查看手机号的权限，不能按手机号查找用户'),
  entries_or_filter: plain('选中的条目（keys）与筛选条件（keyword、type）只能给一种'),
  consent_values_missing: plain('请填写表示不同意的值'),
} as const
