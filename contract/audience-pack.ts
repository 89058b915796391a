import { z } from 'zod'
import { CntType, CustomChild, CustomStatus } from './audience.ts'
import { CheckFlag, CommaList, Id, IdParam, PageQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { CrowdUser } from './live-plan.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { withSpellings } from './spellings.ts'

const group = '平台人群包'

/** Audiences of uploaded and rule crowds on platform accounts; `id` is the child's. */
export const AudiencePack = CustomChild.extend({
  kind: z.enum(['custom', 'rule']).describe('来自哪种人群：custom 上传的人群，rule 规则人群'),
})
export type AudiencePack = z.infer<typeof AudiencePack>

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/custom/audiences/${path}` as const
/** The last part of a path, which is optional: the number of the platform. */
const Suffix = z.object({ cnt_type: CntType.optional() })
const Pushed = z.object({ id: Id.describe('子人群 ID，即人群包 ID'), push_id: Id.describe('推送 ID') })

export const listAudiencePacks = endpoint({
  method: 'GET',
  path: Path('list/{cnt_type}'),
  also: [Path('list')],
  group,
  summary: '平台账户上的人群包；末段是平台，缺省为 1',
  params: z.object({ cnt_type: CntType.default(1) }),
  query: withSpellings(
    PageQuery.extend({
      /** Id of the platform account. */
      advertiser_id: IdParam.optional().describe('只列这个平台账户上的人群包'),
      name: z.string().max(100).optional().describe('名称包含这段文字'),
      status: CommaList.pipe(z.array(CustomStatus))
        .optional()
        .describe('状态，逗号分隔，任一即可，例如 `available,frozen`'),
    }),
    { adv_id: { for: 'advertiser_id', schema: IdParam } },
  ),
  data: z.object({
    list: z.array(AudiencePack).describe('本页的人群包'),
    page_info: z.object({ total_number: z.int().describe('符合条件的人群包总数') }).describe('分页信息'),
  }),
})

export const getAudiencePack = endpoint({
  method: 'GET',
  path: Path('get/{cnt_type}'),
  also: [Path('get')],
  group,
  summary: '一个人群包',
  params: Suffix,
  query: z.object({ id: IdParam.describe('人群包 ID，即子人群 ID') }),
  data: AudiencePack,
})

export const addAudiencePack = endpoint({
  method: 'POST',
  path: Path('add/{cnt_type}'),
  also: [Path('add')],
  group,
  summary: '把一个人群推送到平台账户；已在该账户上的，更新它',
  params: Suffix,
  body: withSpellings(
    z.object({
      /** Crowd id. */
      id: Id.describe('要推送的人群 ID'),
      kind: z.enum(['custom', 'rule']).default('custom').describe('id 是哪种人群：custom 上传的人群，rule 规则人群'),
      advertiser_id: Id.describe('目标平台账户 ID'),
      /** For a rule crowd: the identifier types that are sent. */
      types: z.array(IdentifierType).max(15).default([]).describe('规则人群要发送的标识类型；上传的人群不用填'),
      /** If left out, an existing child keeps its setting and a new one does not follow its crowd. */
      keeps_step: z
        .boolean()
        .optional()
        .describe('以后人群更新时是否自动推送；不填时，已有的子人群保持原设置，新的不自动推送'),
    }),
    { adv_id: { for: 'advertiser_id', schema: Id } },
  ),
  data: Pushed,
})

export const updateAudiencePack = endpoint({
  method: 'POST',
  path: Path('update/{cnt_type}'),
  also: [Path('update')],
  group,
  summary: '把人群的最新版本推送到已有的人群包',
  params: Suffix,
  body: z.object({
    id: Id.describe('人群包 ID，即子人群 ID'),
    keeps_step: z.boolean().optional().describe('以后人群更新时是否自动推送；不填则保持原设置'),
  }),
  data: Pushed,
})

export const copyAudiencePack = endpoint({
  method: 'POST',
  path: Path('copy/{cnt_type}'),
  also: [Path('copy')],
  group,
  summary: '把人群包的人群推送到另一个平台账户；末段是目标平台',
  params: Suffix,
  body: withSpellings(z.object({ id: Id.describe('来源人群包的 ID'), advertiser_id: Id.describe('目标平台账户 ID') }), {
    adv_id: { for: 'advertiser_id', schema: Id },
  }),
  data: Pushed,
})

export const deleteAudiencePack = endpoint({
  method: 'GET',
  path: Path('delete/{cnt_type}'),
  also: [Path('delete')],
  group,
  summary: '删除人群包；check=1 只检查，msg 为 OK、refusal_outcome 为 null 即可删除',
  changes: true,
  params: Suffix,
  query: withSpellings(
    z.object({
      id: IdParam.describe('人群包 ID'),
      advertiser_id: IdParam.describe('人群包所在的平台账户 ID'),
      check: CheckFlag,
    }),
    { adv_id: { for: 'advertiser_id', schema: IdParam } },
  ),
  data: z.object({
    msg: z.string().describe('OK 表示可以删除或已删除；否则是不能删除的原因'),
    refusal_outcome: AnyOutcome.nullable(),
    users: z.array(CrowdUser).describe('使用它的计划与人群；可以删除时为空'),
  }),
})

export const getAudiencePackQuota = endpoint({
  method: 'GET',
  path: Path('quota/{cnt_type}'),
  also: [Path('quota')],
  group,
  summary: '平台账户的人群包配额',
  params: Suffix,
  query: withSpellings(z.object({ advertiser_id: IdParam.describe('平台账户 ID') }), {
    adv_id: { for: 'advertiser_id', schema: IdParam },
  }),
  data: z.object({ used: z.int().describe('已用的个数'), total: z.int().describe('个数上限') }),
})
