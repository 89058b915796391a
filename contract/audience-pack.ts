import { z } from 'zod'
import { CntType, CustomChild, CustomStatus } from './audience.ts'
import { Id, IdParam, PageQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '平台人群包'

/** Audiences of uploaded and rule crowds on platform accounts; `id` is the child's. */
export const AudiencePack = CustomChild.extend({ kind: z.enum(['custom', 'rule']) })
export type AudiencePack = z.infer<typeof AudiencePack>

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/custom/audiences/${path}` as const
/** The last part of a path, which is optional: the number of the platform. */
const Suffix = z.object({ cnt_type: CntType.optional() })
const Pushed = z.object({ id: Id, push_id: Id })

export const listAudiencePacks = endpoint({
  method: 'GET',
  path: Path('list/{cnt_type}'),
  also: [Path('list')],
  group,
  summary: '平台账户上的人群包；末段是平台，缺省为 1',
  params: z.object({ cnt_type: CntType.default(1) }),
  query: PageQuery.extend({
    /** Id of the platform account. */
    advertiser_id: IdParam.optional(),
    name: z.string().max(100).optional(),
    status: CustomStatus.optional(),
  }),
  data: z.object({ list: z.array(AudiencePack), page_info: z.object({ total_number: z.int() }) }),
})

export const getAudiencePack = endpoint({
  method: 'GET',
  path: Path('get/{cnt_type}'),
  also: [Path('get')],
  group,
  summary: '一个人群包',
  params: Suffix,
  query: z.object({ id: IdParam }),
  data: AudiencePack,
})

export const addAudiencePack = endpoint({
  method: 'POST',
  path: Path('add/{cnt_type}'),
  also: [Path('add')],
  group,
  summary: '把一个人群推送到平台账户；已在该账户上的，更新它',
  params: Suffix,
  body: z.object({
    /** Crowd id. */
    id: Id,
    kind: z.enum(['custom', 'rule']).default('custom'),
    advertiser_id: Id,
    /** For a rule crowd: the identifier types that are sent. */
    types: z.array(IdentifierType).max(15).default([]),
    /** If left out, an existing child keeps its setting and a new one does not follow its crowd. */
    keeps_step: z.boolean().optional(),
  }),
  data: Pushed,
})

export const updateAudiencePack = endpoint({
  method: 'POST',
  path: Path('update/{cnt_type}'),
  also: [Path('update')],
  group,
  summary: '把人群的最新版本推送到已有的人群包',
  params: Suffix,
  body: z.object({ id: Id, keeps_step: z.boolean().optional() }),
  data: Pushed,
})

export const copyAudiencePack = endpoint({
  method: 'POST',
  path: Path('copy/{cnt_type}'),
  also: [Path('copy')],
  group,
  summary: '把人群包的人群推送到另一个平台账户；末段是目标平台',
  params: Suffix,
  body: z.object({ id: Id, advertiser_id: Id }),
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
  query: z.object({ id: IdParam, advertiser_id: IdParam, check: z.enum(['0', '1']).default('0') }),
  data: z.object({ msg: z.string(), refusal_outcome: AnyOutcome.nullable() }),
})

export const getAudiencePackQuota = endpoint({
  method: 'GET',
  path: Path('quota/{cnt_type}'),
  also: [Path('quota')],
  group,
  summary: '平台账户的人群包配额',
  params: Suffix,
  query: z.object({ advertiser_id: IdParam }),
  data: z.object({ used: z.int(), total: z.int() }),
})
