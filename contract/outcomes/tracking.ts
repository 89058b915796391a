import { z } from 'zod'
import { entry, plain } from './entry.ts'

const Count = z.int().nonnegative()

/** Why a tracked message was refused, or kept in part. */
export const TRACKING_OUTCOMES = {
  track_not_an_object: plain('消息不是 JSON 对象'),
  track_message_too_long: entry({ kb: Count }, ({ kb }) => `消息超过 ${kb} KB`),
  track_flattened_too_long: entry({ kb: Count }, ({ kb }) => `属性展开后（每个值带上各级属性名）超过 ${kb} KB`),
  track_too_many_properties: entry({ max: Count }, ({ max }) => `一条消息的属性超过 ${max} 个`),
  track_kind_unknown: entry({ kind: z.string() }, ({ kind }) =>
    kind ? `不认识的消息类型「${kind}」` : '消息没有写明类型（type）',
  ),
  track_without_id: plain('userId 与 anonymousId 都为空'),
  track_id_not_exact: plain('用户 ID 是超过 2^53 的数字，已不精确，请用文本'),
  track_id_reserved: entry({ prefix: z.string() }, ({ prefix }) => `userId 不能以 ${prefix} 开头，它是匿名 ID 专用的`),
  track_message_id_too_long: entry({ max: Count }, ({ max }) => `messageId 超过 ${max} 个字符`),
  track_name_too_long: entry({ max: Count }, ({ max }) => `属性名超过 ${max} 个字符`),
  track_number_too_large: plain('属性值是过大的数字，无法保存，请用文本'),
  track_time_unreadable: plain('时间（timestamp）无法识别，要写成 ISO 8601，例如 2026-01-02T03:04:05.000Z'),
  track_without_group: plain('groupId 为空'),
  track_alias_ids: plain('合并用户（alias）要同时给出 userId 与 previousId'),
  track_page_alias: plain('网页密钥是公开的，不能合并用户（alias），请用服务端密钥'),
  track_batch_not_a_list: plain('batch 不是数组'),
  track_batch_too_many: entry({ max: Count }, ({ max }) => `一次最多 ${max} 条消息`),
  track_call_unreadable: plain('整次请求读不了：不是 JSON，或不是 UTF-8，或压缩方式不符'),
  track_call_too_large: entry({ kb: Count }, ({ kb }) => `整次请求超过 ${kb} KB（压缩的按解压后计）`),
  track_too_fast: entry({ max: Count }, ({ max }) => `这个密钥每秒最多接收 ${max} 条消息，请稍后重试`),

  /** Of messages that were there when their person was forgotten. */
  track_removed_on_request: plain('按请求移除：其用户已被删除'),

  /** Of messages that are kept. */
  track_known_person: plain('用户已经存在，网页密钥不能改写其属性，属性没有保存'),
  track_device_links_full: entry(
    { max: Count },
    ({ max }) => `这个匿名 ID 所属的用户已变更 ${max} 次，不再变更，消息没有把它关联到新的用户`,
  ),
  track_properties_full: entry({ max: Count }, ({ max }) => `事件属性超过 ${max} 种：其余的随事件保存，但不能用于标签`),
  track_attributes_full: entry({ max: Count }, ({ max }) => `用户属性超过 ${max} 种，其余的没有保存`),
  track_page_attributes_full: entry(
    { max: Count },
    ({ max }) => `用户属性已有 ${max} 种，公开的网页密钥不能再增加，其余的没有保存`,
  ),
  track_events_full: entry({ max: Count }, ({ max }) => `事件名超过 ${max} 种：其余的已保存，但不能用于标签`),
} as const
