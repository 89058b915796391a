import { z } from 'zod'
import { CustomChild } from './audience.ts'
import {
  CheckFlag,
  CommaList,
  ID_MAX,
  Id,
  IdParam,
  IdParams,
  ItemName,
  keysOf,
  meaningsOf,
  Nothing,
  Seconds,
  SoughtId,
} from './common.ts'
import { TellShare } from './crowd-change.ts'
import { CrowdListQuery } from './crowd-list.ts'
import { CrowdSchedule } from './crowd-schedule.ts'
import { DeletedCrowds, RESTORE_DAYS, RestoreIds } from './deleted.ts'
import { endpoint } from './endpoint.ts'
import { CrowdPlan, CrowdUser } from './live-plan.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { Rule, RuleShape, SubTag } from './rule.ts'
import { withSpellings } from './spellings.ts'
import { DirId } from './storage-path.ts'
import { PackageCode } from './targeting/package-codes.ts'

export const RULE_CROWD_STATUS = {
  computing: '计算中',
  completed: '已完成',
  in_use: '使用中',
  failed: '计算失败',
  invalid: '已失效',
} as const
export type RuleCrowdStatus = keyof typeof RULE_CROWD_STATUS
export const RuleCrowdStatus = z.enum(keysOf(RULE_CROWD_STATUS)).describe(meaningsOf(RULE_CROWD_STATUS))

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
  id: Id.describe('人群 ID'),
  name: z.string().describe('人群名称'),
  tagId: Id.describe('人群作为历史人群时的标签 ID'),
  /** 0 for an uploaded crowd, which has no rule. */
  rId: z.int().nonnegative().max(ID_MAX).describe('规则 ID；上传的人群没有规则，为 0'),
  adv_id: Id.describe('所属广告主 ID'),
  adv_name: z.string().describe('所属广告主名称'),
  dirId: Id.describe('所在文件夹 ID'),
  status: RuleCrowdStatus,
  /** A recomputation is running; `magnitude` is the last result, which is still used. */
  refreshing: z.boolean().describe('是否正在重新计算；magnitude 仍是上次的结果'),
  /** 0 to 1 while computing or refreshing. */
  progress: z.number().min(0).max(1).nullable().describe('计算的进度，0 到 1；没有在计算时为 null'),
  creatorId: Id.describe('创建人 ID'),
  creator: z.string().describe('创建人姓名'),
  createTime: Seconds.describe('创建时间，时间戳（秒）'),
  /** Last second of its expiry day. */
  invalidTime: Seconds.describe('失效日的最后一秒，时间戳（秒）'),
  /** Exact number of people of the last result; null before the first. */
  magnitude: z.int().nullable().describe('人数：上次结果的准确用户人数（上传的人群是匹配到的人数）；尚无结果时为 null'),
  computedAt: Seconds.nullable().describe('magnitude 所依据数据的时间，时间戳（秒）；尚无结果时为 null'),
  /** Milliseconds of the last computation. */
  tookMs: z.int().nullable().describe('上次计算用时，毫秒；尚无结果时为 null'),
  failReason: z.string().nullable().describe('计算失败的原因，一句话；没有失败时为 null'),
  fail_outcome: AnyOutcome.nullable(),
  schedule: CrowdSchedule,
  /** Its own next time or, if it follows its data and these changed, when it is recomputed at the earliest. */
  nextAt: Seconds.nullable().describe(
    '下次更新的时间，时间戳（秒）；跟随数据的人群是数据变化后最早的重新计算时间，数据没有变化时为 null；已失效的为 null',
  ),
  dataChanged: z.boolean().describe('数据在上次计算之后变化过，到下次更新时计入；跟随数据的人群为 false'),
  tellShare: z.int().nullable().describe('进入与离开的人数超过原人数的百分之几时通知；不通知为 null'),
  control_share: z.int().nullable().describe('对照组的比例，百分数；没有对照组时为 null'),
  ver: z.int().describe('保存的次数；修改时带上它，过期则拒绝'),
})
export type RuleCrowd = z.infer<typeof RuleCrowd>

/** A row of the list: a combined package or, when history crowds are requested, an uploaded crowd. */
export const RuleCrowdRow = RuleCrowd.extend({
  kind: z.enum(['rule', 'custom']).describe('rule 规则人群，custom 上传的人群'),
  audiences: z.array(CustomChild).describe('各平台账户下的子人群；作历史人群列出时为空'),
})
export type RuleCrowdRow = z.infer<typeof RuleCrowdRow>

/** The expiry of a crowd that never expires. */
export const NEVER = Date.UTC(9999, 11, 30) / 1000

export const listRuleCrowds = endpoint({
  method: 'GET',
  path: '/api/people',
  group: '人群资产',
  summary: '组合定向包列表；ordinary=1 是可作历史人群的：已完成与使用中的定向包，以及上传的自定义人群',
  query: CrowdListQuery.extend({
    status: CommaList.pipe(z.array(RuleCrowdStatus))
      .optional()
      .describe('状态，逗号分隔，任一即可，例如 `completed,in_use`'),
    tag_id: SoughtId.optional().describe('人群的标签 ID；不存在的找不到人群'),
    ordinary: z.literal('1').optional().describe('1：列出可作历史人群的人群；此时 name 也按拼音与首字母查找'),
  }),
  data: z.object({ res: z.array(RuleCrowdRow).describe('本页的人群'), total: z.int().describe('符合条件的人群总数') }),
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

export const createRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people',
  group: '人群资产',
  summary: '以一个规则草稿新建组合定向包，并开始计算',
  body: z.object({
    rId: Id.describe('规则草稿 ID，由 `POST /api/peoplerule` 取得'),
    name: ItemName.describe('人群名称，1 到 30 个字符，同一文件夹内不可重名'),
    invalidTime: InvalidTime.describe('失效日的任意一秒，时间戳（秒）；当天 23:59:59 后失效'),
    dirId: DirId.describe('存储路径：所在文件夹 ID'),
  }),
  data: z.object({ id: Id.describe('新人群的 ID'), tagId: Id.describe('人群作为历史人群时的标签 ID') }),
})

export const updateRuleCrowd = endpoint({
  method: 'PUT',
  path: '/api/people/{id}',
  group: '人群资产',
  summary: '修改组合定向包；ver 过期则拒绝。只给 dirId 是移动，不需要 ver',
  params: IdParams,
  body: z.object({
    rId: Id.optional().describe('新的规则草稿 ID；不填则规则不变'),
    name: ItemName.optional().describe('新名称，1 到 30 个字符；不填则不变'),
    invalidTime: InvalidTime.optional().describe('新的失效日，时间戳（秒）；不填则不变'),
    dirId: DirId.optional().describe('新的文件夹 ID；不填则不移动'),
    ver: z.int().optional().describe('读取人群时的 ver；只给 dirId 时可不填'),
  }),
  data: z.object({
    id: Id.describe('人群 ID'),
    tagId: Id.describe('人群作为历史人群时的标签 ID'),
    ver: z.int().describe('保存后的 ver'),
  }),
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
  summary: '按 ID 列表删除，全部可删才删；check=1 只检查，不能删除时答复原因',
  query: z.object({ check: CheckFlag }),
  body: z.object({ ids: CrowdIds.describe('要删除的人群 ID，1 到 500 个') }),
  data: Nothing,
})

export const listDeletedRuleCrowds = endpoint({
  method: 'GET',
  path: '/api/people/deleted',
  group: '人群资产',
  summary: `${RESTORE_DAYS} 天内删除、仍可恢复的定向包，最近删除的在前`,
  query: z.object({ adv_id: IdParam.optional().describe('只列这个广告主的；不填则列自己所属的全部广告主') }),
  data: DeletedCrowds,
})

/** Undoes deletions while the members are still kept. */
export const restoreRuleCrowds = endpoint({
  method: 'POST',
  path: '/api/people/restore',
  group: '人群资产',
  summary: `撤销 ${RESTORE_DAYS} 天内的删除`,
  body: RestoreIds,
  data: Nothing,
})

export const moveRuleCrowds = endpoint({
  method: 'POST',
  path: '/api/people/move',
  group: '人群资产',
  summary: '批量移动到一个文件夹',
  body: z.object({
    ids: CrowdIds.describe('要移动的人群 ID，1 到 500 个'),
    dirId: z
      .int('请选择移动的文件夹')
      .positive('请选择移动的文件夹')
      .max(ID_MAX, '请选择移动的文件夹')
      .describe('目标文件夹 ID'),
  }),
  data: Nothing,
})

export const copyRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people/{id}/copy',
  group: '人群资产',
  summary: '复制组合定向包，名称自动加后缀',
  params: IdParams,
  body: z
    .object({
      name: ItemName.optional().describe('副本的名称，1 到 30 个字符；不填则自动加后缀'),
      dirId: Id.optional().describe('副本所在的文件夹 ID；不填则与原人群相同'),
    })
    .default({}),
  data: z.object({ id: Id.describe('副本的 ID'), name: z.string().describe('副本的名称') }),
})

export const computeRuleCrowd = endpoint({
  method: 'POST',
  path: '/api/people/{id}/compute',
  group: '人群资产',
  summary: '立即重新计算',
  params: IdParams,
  data: Nothing,
})

export const setCrowdUpdates = endpoint({
  method: 'PUT',
  path: '/api/people/{id}/updates',
  group: '人群资产',
  summary: '设置人群何时更新，变化超过多少时通知；没有给出的不变',
  params: IdParams,
  body: z.object({
    schedule: CrowdSchedule.optional(),
    tellShare: TellShare.nullable()
      .optional()
      .describe('与上次通知的版本相比，进入与离开的人数超过原人数的百分之几时，通知广告主的通知地址；null 为不通知'),
  }),
  data: z.object({ nextAt: RuleCrowd.shape.nextAt }),
})

export const getRuleCrowdQuota = endpoint({
  method: 'GET',
  path: '/api/people/quota',
  group: '人群资产',
  summary: '组合定向包配额',
  query: z.object({ advertiser_id: IdParam.describe('广告主 ID') }),
  data: z.object({ capacity: z.int().describe('人群个数上限'), used: z.int().describe('已有的人群个数') }),
})

/** 1 combined package, 2 custom crowd. apply_status 1 in use, 0 free. */
export const checkCrowdUse = endpoint({
  method: 'POST',
  path: '/api/people/check_use',
  group: '人群资产',
  summary: '查询定向包是否正在使用',
  body: z.object({
    type: z.union([z.literal(1), z.literal(2)]).describe('1 组合定向包，2 自定义人群'),
    crowd_id: Id.describe('人群 ID'),
    tag_id: Id.optional().describe('人群的标签 ID，可不填'),
  }),
  readers: true,
  data: z.object({
    apply_status: z.union([z.literal(0), z.literal(1)]).describe('1 使用中，0 未使用'),
    by: z.array(CrowdUser).describe('使用它的人群与计划'),
  }),
})

export const checkRuleCrowdApplied = endpoint({
  method: 'POST',
  path: '/api/campaign/node/checkPeopleApplied',
  group: '人群资产',
  summary: '规则人群或定向包是否被活动的计划使用',
  body: withSpellings(
    z.object({
      type: z
        .union([z.literal(1), z.literal(2)])
        .default(1)
        .describe('1 组合定向包，2 平台的定向包'),
      crowd_id: Id.describe('规则人群或定向包的 ID'),
      tag_id: Id.optional().describe('它的标签 ID，可不填；给出时必须相符'),
    }),
    { people_id: { for: 'crowd_id', schema: Id } },
  ),
  readers: true,
  data: z.object({
    applied: z.boolean().describe('是否被计划使用'),
    apply_status: z.union([z.literal(0), z.literal(1)]).describe('1 使用中，0 未使用'),
    plans: z.array(CrowdPlan).describe('使用它的计划，包括通过定向包使用的，以及在平台上建立的'),
  }),
})

/** What a creator filter offers the creators of. */
const CreatedKind = z.enum(['custom', 'rule', 'targeting', 'activity'])
export type CreatedKind = z.output<typeof CreatedKind>

export const listCreators = endpoint({
  method: 'POST',
  path: '/api/user_line/user_list',
  group: '人群资产',
  summary: '创建人列表',
  body: z
    .object({
      keyword: z.string().max(100).optional().describe('姓名（没有姓名的为用户名）包含这段文字'),
      /** If left out, creators of crowds of both kinds. */
      kind: CreatedKind.optional().describe(
        'custom 上传的人群，rule 规则人群，targeting 定向包，activity 活动；不填则列出前两种人群的创建人',
      ),
    })
    .default({}),
  readers: true,
  data: z.array(z.object({ id: Id.describe('用户 ID'), realname: z.string().describe('姓名') })),
})

// Rules. A rule is a draft until a crowd takes it.

export const openRule = endpoint({
  method: 'POST',
  path: '/api/peoplerule',
  group: '人群规则',
  summary: '打开一个规则草稿；from 给出要编辑的规则',
  body: z.object({
    advId: Id.describe('广告主 ID'),
    from: Id.optional().describe('要编辑的规则 ID；不填则打开空规则'),
  }),
  data: z.object({ rId: Id.describe('规则草稿 ID') }),
})

const RuleParams = z.object({ rId: IdParam.describe('规则 ID（规格中的 pid）') })
const RuleBody = z.object({ advId: Id.describe('广告主 ID'), rule: Rule.describe('规则') })
/** Counts, and the time of the data they count. */
const Counted = z.object({
  cnt: NodeCounts.describe('各节点的准确人数，键是节点 id'),
  counted_at: Seconds.describe('计数所依据数据的时间，时间戳（秒）'),
})

export const getRule = endpoint({
  method: 'GET',
  path: '/api/peoplerule/{rId}',
  group: '人群规则',
  summary: '规则的定义与各节点人数',
  params: RuleParams,
  data: z.object({
    rId: Id.describe('规则 ID'),
    advId: Id.describe('广告主 ID'),
    def: RuleShape.nullable().describe('规则；还没有保存过时为 null'),
    cnt: NodeCounts.describe('各节点的准确人数，键是节点 id'),
    counted_at: Seconds.nullable().describe('计数所依据数据的时间，时间戳（秒）；尚无结果时为 null'),
    /** Names, counts and icons of the tags and crowds in def, for the chips. */
    tags: z
      .array(
        SubTag.extend({
          name: z.string().describe('标签或人群的名称'),
          count: z.int().nullable().describe('它的准确人数；尚无结果时为 null'),
          icon: z.string().describe('图标'),
          path: z.string().describe('标签所在的分类，或人群所在的文件夹路径'),
        }),
      )
      .describe('规则中的标签与人群，供展示'),
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
  readers: true,
  data: Counted.extend({
    tags: z
      .array(
        SubTag.extend({
          count: z.int().nullable().describe('它的准确人数，与各节点属于同一版数据；尚无结果时为 null'),
        }),
      )
      .describe('规则中的标签与人群的人数'),
  }),
})

export const compareRule = endpoint({
  method: 'POST',
  path: '/api/people/{id}/compare',
  group: '人群资产',
  summary: '不保存，把规则与人群现在的结果相比：有多少人会进入与离开，以及什么在使用这个人群',
  params: IdParams,
  body: z.object({ rule: Rule.describe('规则') }),
  readers: true,
  data: z.object({
    before: z.int().describe('人群现在的人数'),
    computed_at: Seconds.describe('人群现在的结果所依据数据的时间，时间戳（秒）'),
    after: z.int().describe('规则的准确人数'),
    counted_at: Seconds.describe('规则的人数所依据数据的时间，时间戳（秒）'),
    entered: z.int().describe('会进入人群的人数，准确值'),
    left: z.int().describe('会离开人群的人数，准确值'),
    users: z.array(CrowdUser).describe('使用这个人群的人群与计划'),
    packages: z
      .array(
        z.object({
          id: Id.describe('定向包 ID'),
          name: z.string().describe('定向包的名称'),
          platform: PackageCode,
        }),
      )
      .describe('定向或排除它的平台人群的定向包，无论有没有计划在使用'),
  }),
})
