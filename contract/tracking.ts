import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, meaningsOf, NAME_MAX, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { MESSAGE_KINDS } from './tracking-message.ts'

const group = '数据接入'

/** Who holds a write key: a server keeps it secret, a page shows it to everybody. */
export const WRITE_KEY_KINDS = { server: '服务端', page: '网页' } as const
export const WriteKeyKind = z
  .enum(keysOf(WRITE_KEY_KINDS))
  .describe(`${meaningsOf(WRITE_KEY_KINDS)}；网页密钥是公开的，不能合并用户，也不能改写已有用户的属性`)
/** Active keys of an advertiser. */
export const WRITE_KEYS_MAX = 20

const WriteKeyName = z.string('请输入密钥名称').trim().min(1, '请输入密钥名称').max(NAME_MAX)

export const WriteKey = z.object({
  id: Id.describe('写入密钥 ID'),
  adv_id: Id.describe('广告主 ID'),
  kind: WriteKeyKind,
  name: z.string().describe('密钥名称'),
  tail: z.string().describe('密钥的最后 4 个字符'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  last_used: Seconds.nullable().describe('最近一次使用的时间，时间戳（秒），几分钟更新一次；从未使用为 null'),
})

const Key = z.object({
  id: Id.describe('写入密钥 ID'),
  key: z.string().describe('密钥，只能用于上报数据'),
})

export const listWriteKeys = endpoint({
  method: 'GET',
  path: '/api/write_key/list',
  group,
  summary: '一个广告主的写入密钥，不含已撤销的',
  query: z.object({ adv_id: IdParam.describe('广告主 ID') }),
  data: z.object({ list: z.array(WriteKey).describe('写入密钥，先建的在前') }),
})
export const makeWriteKey = endpoint({
  method: 'POST',
  path: '/api/write_key',
  group,
  summary: '新建写入密钥，用于上报事件',
  holdsSecret: true,
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    kind: WriteKeyKind.default('server'),
    name: WriteKeyName.describe('密钥名称，例如用在哪里'),
  }),
  data: Key,
})
export const showWriteKey = endpoint({
  method: 'POST',
  path: '/api/write_key/{id}/show',
  group,
  summary: '再次显示一个写入密钥；会记入审计',
  holdsSecret: true,
  params: IdParams,
  data: Key.extend({
    origin: z
      .string()
      .nullable()
      .describe('上报发往的地址，即 PUBLIC_URL；没有设置时为 null，发往打开控制台所用的地址'),
  }),
})
export const revokeWriteKey = endpoint({
  method: 'DELETE',
  path: '/api/write_key/{id}',
  group,
  summary: '撤销写入密钥，立即生效；已收到的数据不受影响',
  params: IdParams,
  data: Nothing,
})

/** The most messages and refusals that a look at what was received lately shows. */
export const LATELY_MAX = 200
/** How long messages are shown after they were counted, in seconds. */
export const LATELY_SECONDS = 900

const Kind = z.enum(MESSAGE_KINDS).describe('消息类型')

export const LatelyMessage = z.object({
  key_id: Id.describe('写入密钥 ID'),
  kind: Kind,
  message_id: z.string().describe('消息 ID，重复的只计一次'),
  received_at: Seconds.describe('收到的时间，时间戳（秒）'),
  happened_at: Seconds.describe('发生的时间，时间戳（秒），已按发送方的时钟校正'),
  user_id: z.string().describe('用户 ID（userId），没有则为空'),
  anonymous_id: z.string().describe('匿名 ID（anonymousId），没有则为空'),
  previous_id: z.string().describe('合并用户时原来的 ID，其余为空'),
  event: z.string().describe('事件名；identify 与 alias 为空'),
  display_name: z.string().describe('事件的显示名称，没有改过的是事件名；identify 与 alias 为空'),
  title: z.string().describe('事件标题'),
  properties: z
    .array(z.object({ name: z.string().describe('属性名'), text: z.string().describe('值') }))
    .describe('事件属性，或 identify 的用户属性'),
  is_counted: z.boolean().describe('是否已经计入用户与事件；几秒内计入'),
  is_repeat: z
    .boolean()
    .describe('计入时发现消息 ID 用过不止一次（在文件里、较早的消息里或同一批里）：同一 ID 的事件只计一次'),
})

export const LatelyRefusal = z.object({
  id: Id.describe('记录 ID'),
  key_id: Id.nullable().describe('写入密钥 ID；按请求移除的、较早版本在计入时发现的不按密钥统计，为 null'),
  at: Seconds.describe('时间，时间戳（秒）'),
  is_kept: z.boolean().describe('true：消息已接收，只有一部分没有保存；false：消息被拒绝'),
  reason: z.string().describe('原因，一句话'),
  outcome: AnyOutcome,
  times: z.int().describe('这一秒内同样原因的消息数；整次请求被拒绝的，是请求数'),
  kind: z.string().describe('其中一条的消息类型，写错的照原样；不明的、整次请求被拒绝的为空'),
  event: z.string().describe('其中一条的事件名；不明则为空'),
  message_id: z.string().describe('其中一条的消息 ID；不明则为空'),
})

export const listLately = endpoint({
  method: 'GET',
  path: '/api/tracking/lately',
  group,
  summary: '最近收到的消息与被拒绝的消息',
  query: z.object({
    adv_id: IdParam.describe('广告主 ID'),
    key_id: IdParam.optional().describe('只看这个写入密钥的'),
    most: z.coerce
      .number()
      .int()
      .min(1)
      .max(LATELY_MAX)
      .default(50)
      .describe(`两个列表各最多多少条，1 到 ${LATELY_MAX}`),
  }),
  data: z.object({
    messages: z
      .array(LatelyMessage)
      .describe(`最近收到的消息，最近的在前；计入后约 ${LATELY_SECONDS / 60} 分钟不再显示`),
    refusals: z.array(LatelyRefusal).describe('最近被拒绝、或没有全部保存的消息，最近的在前'),
    minutes: z
      .array(
        z.object({
          at: Seconds.describe('这一分钟的开始，时间戳（秒）'),
          messages: z.int().describe('收到的消息数'),
        }),
      )
      .describe(`最近 ${LATELY_SECONDS / 60} 分钟每分钟收到的消息数，最早的在前，没有消息的分钟为 0`),
  }),
})

/** The tracking calls, by path, and the kind of message; null for a batch, whose messages say it. */
export const TRACKING_PATHS = {
  '/v1/track': 'track',
  '/v1/page': 'page',
  '/v1/screen': 'screen',
  '/v1/identify': 'identify',
  '/v1/group': 'group',
  '/v1/alias': 'alias',
  '/v1/batch': null,
  '/v1/import': null,
  '/v1/t': 'track',
  '/v1/p': 'page',
  '/v1/s': 'screen',
  '/v1/i': 'identify',
  '/v1/g': 'group',
  '/v1/a': 'alias',
  '/v1/b': null,
} as const
/** The settings document that analytics.js fetches before it sends. */
export const TRACKING_SETTINGS_PATH = '/v1/projects/{key}/settings'
