import { z } from 'zod'
import { CommaList, ID_MAX, Id, IdParam, IdParams, ItemName, keysOf, Nothing, Seconds } from './common.ts'
import { CrowdListQuery } from './crowd-list.ts'
import { DeletedCrowds, RestoreIds } from './deleted.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { Rule, RuleShape, SubTag } from './rule.ts'

export const RULE_CROWD_STATUS = {
  computing: '计算中',
  completed: '已完成',
  in_use: '使用中',
  failed: '计算失败',
  invalid: '已失效',
} as const
export type RuleCrowdStatus = keyof typeof RULE_CROWD_STATUS
export const RuleCrowdStatus = z.enum(keysOf(RULE_CROWD_STATUS))

/** A crowd in use by a plan can be neither edited nor deleted. */
export const mayEdit = (status: RuleCrowdStatus): boolean => status !== 'in_use'
export const mayDelete = (status: RuleCrowdStatus): boolean => status !== 'in_use'

/** The first that applies: invalid (past its expiry day), in use, failed, computing (no result or its rule changed), completed. */
export function statusOf(
  crowd: { invalidTime: number; inUse: boolean; failed: boolean; hasResult: boolean; ruleChanged: boolean },
  now: number,
): RuleCrowdStatus {
  if (now > crowd.invalidTime) return 'invalid'
  if (crowd.inUse) return 'in_use'
  if (crowd.failed) return 'failed'
  if (!crowd.hasResult || crowd.ruleChanged) return 'computing'
  return 'completed'
}

/** Counts keyed by rule node id. */
const NodeCounts = z.record(z.string(), z.int().nonnegative())

/** A combined package: a rule crowd in lists and on its own page. */
export const RuleCrowd = z.object({
  id: Id,
  name: z.string(),
  tagId: Id,
  /** 0 for an uploaded crowd, which has no rule. */
  rId: z.int().nonnegative().max(ID_MAX),
  adv_id: Id,
  adv_name: z.string(),
  dirId: Id,
  status: RuleCrowdStatus,
  /** A recomputation is running; `magnitude` is the last result, which is still used. */
  refreshing: z.boolean(),
  /** 0 to 1 while computing or refreshing. */
  progress: z.number().min(0).max(1).nullable(),
  creatorId: Id,
  creator: z.string(),
  createTime: Seconds,
  /** Last second of its expiry day. */
  invalidTime: Seconds,
  /** Exact number of people of the last result; null before the first. */
  magnitude: z.int().nullable(),
  computedAt: Seconds.nullable(),
  /** Milliseconds of the last computation. */
  tookMs: z.int().nullable(),
  failReason: z.string().nullable(),
  fail_outcome: AnyOutcome.nullable(),
  ver: z.int(),
})
export type RuleCrowd = z.infer<typeof RuleCrowd>

/** A row of the list: a combined package or, when history crowds are requested, an uploaded crowd. */
export const RuleCrowdRow = RuleCrowd.extend({ kind: z.enum(['rule', 'custom']) })
export type RuleCrowdRow = z.infer<typeof RuleCrowdRow>

/** The expiry of a crowd that never expires. */
export const NEVER = Date.UTC(9999, 11, 30) / 1000

export const listRuleCrowds = endpoint({
  method: 'GET',
  path: '/api/people',
  group: '人群资产',
  summary: '组合定向包列表；ordinary=1 是可作历史人群的：已完成与使用中的定向包，以及上传的自定义人群',
  query: CrowdListQuery.extend({
    status: CommaList.pipe(z.array(RuleCrowdStatus)).optional(),
    tag_id: IdParam.optional(),
    ordinary: z.literal('1').optional(),
  }),
  data: z.object({ res: z.array(RuleCrowdRow), total: z.int() }),
})

export const getRuleCrowd = endpoint({
  method: 'GET',
  path: '/api/people/{id}',
  group: '人群资产',
  summary: '一个组合定向包',
  params: IdParams,
  data: RuleCrowd,
})

/** Any second of the expiry day in the deployment's time zone; stored as that day's last second. */
const InvalidTime = z.int('请选择失效时间').positive('请选择失效时间').max(NEVER, '失效时间不能晚于 9999 年')
const DirId = z.int('请选择存储路径').positive('请选择存储路径').max(ID_MAX, '请选择存储路径')

export const createRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people',
  group: '人群资产',
  summary: '以一个规则草稿新建组合定向包，并开始计算',
  body: z.object({ rId: Id, name: ItemName, invalidTime: InvalidTime, dirId: DirId }),
  data: z.object({ id: Id, tagId: Id }),
})

export const updateRuleCrowd = endpoint({
  method: 'PUT',
  path: '/api/people/{id}',
  group: '人群资产',
  summary: '修改组合定向包；ver 过期则拒绝。只给 dirId 是移动，不需要 ver',
  params: IdParams,
  body: z.object({
    rId: Id.optional(),
    name: ItemName.optional(),
    invalidTime: InvalidTime.optional(),
    dirId: DirId.optional(),
    ver: z.int().optional(),
  }),
  data: z.object({ ver: z.int() }),
})

export const deleteRuleCrowd = endpoint({
  method: 'DELETE',
  path: '/api/people/{id}',
  group: '人群资产',
  summary: '删除组合定向包',
  params: IdParams,
  data: Nothing,
})

/** The selected rows of the list. */
const CrowdIds = z.array(Id, '请选择文件').min(1, '请选择文件').max(500, '一次最多选择 500 个定向包')

export const deleteRuleCrowds = endpoint({
  method: 'POST',
  path: '/api/people/delete',
  group: '人群资产',
  summary: '按 ID 列表删除，全部可删才删',
  body: z.object({ ids: CrowdIds }),
  data: Nothing,
})

export const listDeletedRuleCrowds = endpoint({
  method: 'GET',
  path: '/api/people/deleted',
  group: '人群资产',
  summary: '一小时内删除、仍可恢复的定向包，最近删除的在前',
  data: DeletedCrowds,
})

/** Undoes deletions while the members are still kept. */
export const restoreRuleCrowds = endpoint({
  method: 'POST',
  path: '/api/people/restore',
  group: '人群资产',
  summary: '撤销一小时内的删除',
  body: RestoreIds,
  data: Nothing,
})

export const moveRuleCrowds = endpoint({
  method: 'POST',
  path: '/api/people/move',
  group: '人群资产',
  summary: '批量移动到一个文件夹',
  body: z.object({
    ids: CrowdIds,
    dirId: z.int('请选择移动的文件夹').positive('请选择移动的文件夹').max(ID_MAX, '请选择移动的文件夹'),
  }),
  data: Nothing,
})

export const copyRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people/{id}/copy',
  group: '人群资产',
  summary: '复制组合定向包，名称自动加后缀',
  params: IdParams,
  body: z.object({ name: ItemName.optional(), dirId: Id.optional() }).default({}),
  data: z.object({ id: Id, name: z.string() }),
})

export const computeRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people/{id}/compute',
  group: '人群资产',
  summary: '立即重新计算',
  params: IdParams,
  data: Nothing,
})

export const getRuleCrowdQuota = endpoint({
  method: 'GET',
  path: '/api/people/quota',
  group: '人群资产',
  summary: '组合定向包配额',
  query: z.object({ advertiser_id: IdParam }),
  data: z.object({ capacity: z.int(), used: z.int() }),
})

/** 1 combined package, 2 custom crowd. apply_status 1 in use, 0 free. */
export const checkCrowdUse = endpoint({
  method: 'POST',
  path: '/api/people/check_use',
  group: '人群资产',
  summary: '查询定向包是否正在使用',
  body: z.object({ type: z.union([z.literal(1), z.literal(2)]), crowd_id: Id, tag_id: Id.optional() }),
  data: z.object({
    apply_status: z.union([z.literal(0), z.literal(1)]),
    by: z.array(z.object({ kind: z.enum(['crowd', 'plan']), id: Id, name: z.string() })),
  }),
})

export const checkRuleCrowdApplied = endpoint({
  method: 'POST',
  path: '/api/campaign/node/checkPeopleApplied',
  group: '人群资产',
  summary: '人群是否被活动的计划使用',
  body: z.object({ people_id: Id }),
  data: z.object({
    applied: z.boolean(),
    plans: z.array(z.object({ id: Id, name: z.string() })),
  }),
})

export const listCreators = endpoint({
  method: 'POST',
  path: '/api/user_line/user_list',
  group: '人群资产',
  summary: '创建人列表',
  body: z
    .object({
      keyword: z.string().max(100).optional(),
      /** If left out, creators of crowds of both kinds. */
      kind: z.enum(['custom', 'rule']).optional(),
    })
    .default({}),
  data: z.array(z.object({ id: Id, realname: z.string() })),
})

// Rules. A rule is a draft until a crowd takes it.

export const openRule = endpoint({
  method: 'POST',
  path: '/api/peoplerule',
  group: '人群规则',
  summary: '打开一个规则草稿；from 给出要编辑的规则',
  body: z.object({ advId: Id, from: Id.optional() }),
  data: z.object({ rId: Id }),
})

const RuleParams = z.object({ rId: IdParam })
const RuleBody = z.object({ advId: Id, rule: Rule })
/** Counts, and the time of the data they count. */
const Counted = z.object({ cnt: NodeCounts, counted_at: Seconds })

export const getRule = endpoint({
  method: 'GET',
  path: '/api/peoplerule/{rId}',
  group: '人群规则',
  summary: '规则的定义与各节点人数',
  params: RuleParams,
  data: z.object({
    rId: Id,
    advId: Id,
    def: RuleShape.nullable(),
    cnt: NodeCounts,
    counted_at: Seconds.nullable(),
    /** Names, counts and icons of the tags and crowds in def, for the chips. */
    tags: z.array(
      SubTag.extend({
        name: z.string(),
        count: z.int().nullable(),
        icon: z.string(),
        path: z.string(),
      }),
    ),
  }),
})

export const storeRule = endpoint({
  method: 'PUT',
  path: '/api/peoplerule/{rId}',
  group: '人群规则',
  summary: '保存规则草稿并返回各节点人数',
  params: RuleParams,
  body: RuleBody,
  data: Counted,
})

export const storeRuleByPost = endpoint({
  ...storeRule,
  method: 'POST',
  summary: '同 PUT',
})

/** The count on a chip is its tag's, of the same version of the data as the counts of the nodes. */
export const countRule = endpoint({
  method: 'POST',
  path: '/api/peoplerule/{rId}/count',
  group: '人群规则',
  summary: '不保存，计算各节点人数',
  params: RuleParams,
  body: RuleBody,
  data: Counted.extend({
    tags: z.array(SubTag.extend({ count: z.int().nullable() })),
  }),
})
