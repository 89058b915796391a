import { z } from 'zod'
import { PLANS_MAX } from './activity/plan.ts'
import { campaignId, group, OnOff, Path, status } from './activity-fields.ts'
import { PlanDetail, SavedPlan } from './activity-plan.ts'
import { Id, IdParam, itemName } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

export const ActivityName = itemName('请输入活动名称')

const ActivityDetail = z.object({
  id: Id.describe('活动 ID'),
  name: z.string().describe('活动名称'),
  status,
  is_open: OnOff.describe('活动的开关：1 开，0 关'),
  auto_sync: OnOff.describe('1 每天同步平台数据，0 只在要求时'),
  advertiser_id: Id.describe('所属广告主 ID'),
  advertiser_name: z.string().describe('所属广告主名称'),
  product_id: Id.nullable().describe('产品 ID；没有时为 null'),
  product_name: z.string().nullable().describe('产品名称；没有时为 null'),
  ver: z.int().describe('保存的次数；修改时带上它，过期则拒绝'),
  sees_amounts: z
    .boolean()
    .describe('能否看到计划的预算与出价；不能时（无权查看受限的指标，又不能修改这个广告主的活动）它们为 null'),
  plans: z.array(PlanDetail).describe('计划'),
})
export type ActivityDetail = z.output<typeof ActivityDetail>

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/campaign',
  group,
  summary: '一个活动与其计划',
  query: z.object({ campaign_id: campaignId }),
  data: ActivityDetail,
})

export const findSameName = endpoint({
  method: 'GET',
  path: Path('/same_name'),
  group,
  summary: '广告主是否已有这个名称的活动；同名只提醒，可以保存',
  query: z.object({
    adv_id: IdParam.describe('广告主 ID'),
    name: ActivityName.describe('活动名称'),
    except: IdParam.optional().describe('不算这个活动，即正在编辑的活动'),
  }),
  data: z.object({ id: Id.nullable().describe('同名的活动中最新一个的 ID；没有时为 null') }),
})

const Content = z.object({
  name: ActivityName.describe('活动名称，1 到 30 个字符'),
  product_id: Id.nullable().default(null).describe('产品 ID；null 没有'),
  auto_sync: OnOff.default(1).describe('1 每天同步平台数据，0 只在要求时'),
  plans: z
    .array(SavedPlan)
    .max(PLANS_MAX, `一个活动最多 ${PLANS_MAX} 个计划`)
    .default([])
    .describe(`计划，最多 ${PLANS_MAX} 个`),
  submit: z
    .boolean()
    .default(false)
    .describe('提交：检查计划是否完整，之后活动可以启用；false 只保存，已提交的活动保持已提交'),
})

const Saved = z.object({
  id: Id.describe('活动 ID'),
  ver: z.int().describe('保存后的 ver'),
  status,
})

export const createActivity = endpoint({
  method: 'POST',
  path: '/api/campaign',
  group,
  summary: '新建活动与其计划；没有提交的是草稿，可以不完整',
  body: Content.extend({ advertiser_id: Id.describe('所属广告主 ID') }),
  data: Saved,
})

export const updateActivity = endpoint({
  method: 'PUT',
  path: '/api/campaign',
  group,
  summary: '保存活动与其全部计划：没有给出的计划会被删除。ver 过期则拒绝，并答复已保存的内容',
  body: Content.extend({ id: Id.describe('活动 ID'), ver: z.int().positive().describe('读取活动时的 ver') }),
  data: Saved,
})

export const deleteActivity = endpoint({
  method: 'DELETE',
  path: '/api/campaign',
  group,
  summary: '删除活动与其计划；先在平台上暂停关联的计划，暂停不了则不删除并逐个说明',
  query: z.object({
    campaign_id: campaignId,
    leave_running: z.enum(['0', '1']).default('0').describe('1 不等平台，直接在这里删除；平台上的计划保持原样'),
  }),
  data: z.object({
    is_deleted: z.boolean().describe('已删除；false 平台还没有答复，暂停后会删除'),
    problems: z.array(AnyOutcome).describe('还没有答复的计划，每个一条'),
  }),
})

export const copyActivity = endpoint({
  method: 'POST',
  path: Path('/copy'),
  group,
  summary: '复制为未提交的活动，不带日期与平台计划',
  body: z.object({ id: Id.describe('来源活动的 ID') }),
  data: z.object({ id: Id.describe('副本的 ID'), name: z.string().describe('副本的名称') }),
})
