import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, meaningsOf, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Somebody } from './link-user.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { AudienceCode } from './platform.ts'

const group = '用户'

/** The values that platforms must still remove are kept encrypted for at most this long. */
export const REMOVAL_KEPT_SECONDS = 30 * 86_400

/** Where data of a person may be, in the order of the receipt. */
export const FORGET_STORES = {
  people: '身份与属性',
  identifiers: '设备号与手机号',
  events: '行为事件',
  tags: '标签（所有版本）',
  crowds: '人群（所有版本）',
  uploaded: '上传人群中的标识',
  pushed: '推送记录',
  suppression: '屏蔽名单',
  messages: '上报的消息（等待计入的与被拒绝的）',
  refused: '被拒绝的行',
  malformed: '上传人群的无效行',
  texts: '任务、日志与审计中的文字',
  memory: '内存中的副本',
  uploads: '等待读取的上传文件',
} as const
export type ForgetStore = keyof typeof FORGET_STORES

export const FORGET_STATUS = {
  waiting: '等待中',
  running: '移除中',
  failed: '未完成，稍后再试',
  done: '本系统已移除',
} as const
export type ForgetStatus = keyof typeof FORGET_STATUS

/** `retrying`: the platform did not answer or was busy, and is asked again. `accepted`: the platform took the removal; when it takes effect there is up to the platform. */
export const REMOVAL_STATUS = {
  waiting: '等待发送',
  sending: '发送中',
  retrying: '待重试',
  paused: '已暂停',
  failed: '未成功，稍后再试',
  accepted: '平台已受理',
  gone: '平台人群已不存在',
  expired: '超过 30 天未受理',
} as const
export type RemovalStatus = keyof typeof REMOVAL_STATUS

const StoreReceipt = z.object({
  store: z.enum(keysOf(FORGET_STORES)).describe(meaningsOf(FORGET_STORES)),
  found: z.int().describe('移除的条数；0 表示查过，没有'),
  status: z.enum(['waiting', 'done']).describe('waiting 未完成，done 已移除并核对'),
  at: Seconds.nullable().describe('核对完成的时间，时间戳（秒）；未完成为 null'),
})
export type StoreReceipt = z.infer<typeof StoreReceipt>

const AccountReceipt = z.object({
  id: Id.describe('回执行的 ID'),
  account_id: Id.describe('平台账户的 ID'),
  account_name: z.string().describe('平台账户的名称'),
  external_id: z.string().describe('平台账户在平台上的 ID'),
  platform: AudienceCode.describe('平台'),
  crowd_name: z.string().describe('推送过去的人群的名称'),
  count: z.int().describe('要移除的标识个数'),
  status: z.enum(keysOf(REMOVAL_STATUS)).describe(meaningsOf(REMOVAL_STATUS)),
  reason: z.string().nullable().describe('等待、暂停或未成功的原因；没有为 null'),
  reason_outcome: AnyOutcome.nullable().describe('同一原因的代码与参数'),
  at: Seconds.nullable().describe('平台受理的时间，时间戳（秒）；未受理为 null'),
})
export type AccountReceipt = z.infer<typeof AccountReceipt>

const Forgetting = z.object({
  id: Id.describe('删除记录的 ID'),
  adv_id: Id.describe('广告主 ID'),
  adv_name: z.string().describe('广告主名称'),
  person: z.int().nullable().describe('被删除的用户的编号；不再给别人。恢复备份后补做的为 null'),
  status: z.enum(keysOf(FORGET_STATUS)).describe(meaningsOf(FORGET_STATUS)),
  error: z.string().nullable().describe('没有完成的原因；没有为 null'),
  error_outcome: AnyOutcome.nullable().describe('同一原因的代码与参数'),
  asked_by: z.string().describe('删除人'),
  asked_at: Seconds.describe('要求删除的时间，时间戳（秒）'),
  finished_at: Seconds.nullable().describe('本系统移除完毕的时间，时间戳（秒）；未完成为 null'),
  replays: z.int().describe('恢复备份后再次移除的次数'),
  accounts: z.int().describe('要移除的平台人群的个数'),
  accepted: z.int().describe('其中平台已受理（或已不存在）的个数'),
})
export type Forgetting = z.infer<typeof Forgetting>

export const forgetPerson = endpoint({
  method: 'POST',
  path: '/api/linkuser/forget',
  group,
  summary: '删除一个用户：本系统的全部数据、推送过的平台人群；不能撤销。同一个人再次要求，答复同一条记录',
  body: Somebody.extend({
    confirm: z.string().max(1000).describe('再写一遍 One ID，与这个人的完全相同才删除；One ID 被遮住时写页面所显示的'),
  }),
  data: z.object({ id: Id.describe('删除记录的 ID') }),
})

export const listForgettings = endpoint({
  method: 'GET',
  path: '/api/linkuser/forgotten',
  group,
  summary: '删除记录：最近的在前',
  query: PageQuery.extend({
    adv_id: IdParam.describe('广告主 ID'),
    oneID: z.string().min(1).max(1000).optional().describe('只列这个 One ID 的删除记录，完整、原样比较'),
  }),
  data: z.object({
    list: z.array(Forgetting).describe('本页的删除记录'),
    total: z.int().describe('删除记录总数'),
  }),
})

export const getForgetting = endpoint({
  method: 'GET',
  path: '/api/linkuser/forgotten/{id}',
  group,
  summary: '删除一个用户的回执：每处数据、每个平台账户的状态与时间',
  params: IdParams,
  data: Forgetting.extend({
    stores: z.array(StoreReceipt).describe('本系统中的每一处'),
    platforms: z.array(AccountReceipt).describe('推送过的每个平台人群'),
  }),
})
