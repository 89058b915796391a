import { z } from 'zod'
import { CommaList, Id, IdParam, IdParams, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import {
  type AssetTab,
  COMBINED_TAB,
  PLATFORM_CODES,
  PlatformCode,
  platformInfo,
  platformOfTab,
  SCOPE_ALL,
} from './platform.ts'
import { PackageQuota } from './targeting/quota.ts'

/** Whether the held scopes cover the required ones: they include `all` or every required scope. An empty list covers nothing. */
export function covers(held: readonly string[], required: string | readonly string[]): boolean {
  if (held.length === 0) return false
  if (held.includes(SCOPE_ALL)) return true
  return (typeof required === 'string' ? [required] : required).every((scope) => held.includes(scope))
}

/**
 * Whether the viewer may use an asset tab. SaaS: any advertiser is enough. RPS: tab 1 as in SaaS; the other tabs need a
 * platform account whose scopes cover those of the tab.
 */
export function mayOpenTab(
  deployment: 'saas' | 'rps',
  tab: AssetTab,
  advertisers: readonly unknown[],
  accounts: readonly { scope_list: readonly string[] }[],
): boolean {
  if (deployment === 'saas' || tab === COMBINED_TAB) return advertisers.length > 0
  const { scopes } = platformOfTab(tab)
  return accounts.some((account) => covers(account.scope_list, scopes))
}

export const AdvertiserName = z.string().trim().min(1, '请输入广告主名称').max(60, '广告主名称最多 60 个字符')

/** Characters, not UTF-16 units. */
export const ACCOUNT_REMARK_MAX = 50
export const AccountRemark = z
  .string()
  .trim()
  .refine((text) => [...text].length <= ACCOUNT_REMARK_MAX, `备注最多 ${ACCOUNT_REMARK_MAX} 个字符`)

/** An advertiser, or one of its platform accounts with the scopes it was granted. */
export const AdvertiserRow = z.object({
  is_demo: z.boolean().optional().describe('广告主是否为示例数据；账户没有此项'),
  id: Id.describe('广告主或平台账户的 ID；auth_type 为 -1 时是广告主，否则是平台账户'),
  name: z.string().describe('广告主或平台账户的名称'),
  scope_list: z.array(z.string()).describe('平台授予账户的权限，`all` 覆盖全部；广告主没有权限列表，为空'),
  /** Only for an account: the platform's own id, and whether it can be used now. */
  external_id: z.string().optional().describe('平台给账户的编号，只在平台账户上有'),
  remark: z.string().optional().describe('账户的备注，只在平台账户上有；没有时为空'),
  is_authorised: z.boolean().optional().describe('账户现在能否使用，只在平台账户上有'),
})

/** -1: the advertisers themselves; a platform's number: its accounts. */
const AuthType = z.coerce.number().pipe(z.union([z.literal(-1), PlatformCode]))

const PLATFORM_LIST = PLATFORM_CODES.map((code) => `${code} ${platformInfo(code).name}`).join('、')

/** Rows of a page of the list that the console asks for. */
export const ADVERTISERS_PER_PAGE = 100

export const listAdvertisers = endpoint({
  method: 'GET',
  path: '/api/advertiser/list',
  group: '广告主',
  summary: `广告主列表：auth_type 为 -1 时是广告主，为平台编号（${PLATFORM_LIST}）时是该平台的账户，已授权的在前`,
  query: z.object({
    page: z.coerce.number().int().min(1).default(1).describe('页码，从 1 开始'),
    per_page: z.coerce.number().int().min(1).max(500).default(ADVERTISERS_PER_PAGE).describe('每页条数，1 到 500'),
    auth_type: AuthType.default(-1).describe('-1：广告主；平台编号：该平台的账户'),
    adv_id: IdParam.optional().describe('只列这个广告主的账户'),
    /** Only accounts that cover these scopes. */
    scope: CommaList.optional().describe('只列拥有全部这些权限的账户，逗号分隔，例如 `audience_management`'),
    name: z.string().optional().describe('名称包含这段文字；对平台账户也查账户 ID 与备注'),
  }),
  data: z.object({ data: z.array(AdvertiserRow).describe('本页的广告主或平台账户'), total: z.int().describe('总数') }),
})

/**
 * The list that says whether any account of a platform covers these scopes: it is empty where none does, however many
 * accounts there are.
 */
export const scopeHolders = (platform: PlatformCode, scopes: string | readonly string[]) => ({
  auth_type: platform,
  scope: [scopes].flat().join(','),
  page: 1,
  per_page: 1,
})

export const PlatformAccount = z.object({
  id: Id.describe('平台账户 ID'),
  platform: PlatformCode,
  external_id: z.string().describe('平台给账户的编号'),
  name: z.string().describe('平台账户的名称'),
  remark: z.string().describe('备注，例如账户的用途；没有时为空'),
  scope_list: z.array(z.string()).describe('平台授予的权限，`all` 覆盖全部'),
  /**
   * authorised: it can be used; invalid: only a new authorisation helps, `reason` says why; expired: it has ended;
   * revoked: by a viewer; none: never authorised.
   */
  state: z
    .enum(['authorised', 'invalid', 'expired', 'revoked', 'none'])
    .describe(
      '授权状态：authorised 可用，invalid 失效（只有重新授权才能恢复，原因见 reason），expired 已到期，revoked 已由人撤销，none 从未授权',
    ),
  reason: z.string().nullable().describe('不能使用的原因，一句话；可用时为 null'),
  reason_outcome: AnyOutcome.nullable(),
  authorised_at: Seconds.nullable().describe('最近一次授权的时间，时间戳（秒）；从未授权时为 null'),
  /** When the authorisation ends unless it is renewed, which happens automatically while the platform allows it. */
  expires_at: Seconds.nullable().describe('授权到期的时间，时间戳（秒）；平台允许时会自动续期'),
  /** The login that authorised it, and how many of our accounts that login serves. */
  login: z
    .object({
      id: Id.describe('平台登录在本站的 ID；相同的账户共用一个令牌'),
      name: z.string().describe('平台登录的名称'),
      accounts: z.int().describe('这个登录下有本站的多少个账户'),
    })
    .nullable()
    .describe('授权它的平台登录；没有授权时为 null'),
  /** What a revocation stops: audiences on the account, those among them that follow their crowd, and unfinished pushes. */
  audiences: z.int().describe('账户上有多少个子人群；撤销授权后它们停止更新'),
  keeping_step: z.int().describe('其中有多少个随人群更新自动推送'),
  pushes: z.int().describe('账户上未完成的推送数'),
  packages: PackageQuota.nullable().describe('账户的定向包配额；没有定向包的平台为 null'),
})
export type PlatformAccount = z.infer<typeof PlatformAccount>

export const AdvertiserDetail = z.object({
  id: Id.describe('广告主 ID'),
  name: z.string().describe('广告主名称'),
  is_demo: z.boolean().describe('是否是演示数据的广告主'),
  people: z.int().describe('广告主的用户总人数'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  accounts: z.array(PlatformAccount).describe('它的平台账户'),
})

/** Accounts with the same name have their id in the name. The id is left out of the name when it is shown beside it. */
export const accountBareName = (name: string, external_id: string): string => {
  const tail = `（${external_id}）`
  return name.endsWith(tail) ? name.slice(0, -tail.length) : name
}
export const accountFullName = (name: string, external_id: string): string =>
  `${accountBareName(name, external_id)}（${external_id}）`

export const listAdvertiserData = endpoint({
  method: 'GET',
  path: '/api/advertiser/data',
  group: '广告主',
  summary: '广告主与各平台账户的授权状态',
  data: z.object({ list: z.array(AdvertiserDetail).describe('查看者所属的全部广告主') }),
})

export const remarkAccount = endpoint({
  method: 'PUT',
  path: '/api/advertiser/account/{id}/remark',
  group: '广告主',
  summary: '修改平台账户的备注',
  params: z.object({ id: IdParam.describe('平台账户 ID') }),
  body: z.object({ remark: AccountRemark.describe('新的备注，最多 50 个字符；留空则删除') }),
  data: Nothing,
})

export const createAdvertiser = endpoint({
  method: 'POST',
  path: '/api/advertiser',
  group: '广告主',
  summary: '新建广告主',
  access: 'admin',
  body: z.object({ name: AdvertiserName.describe('广告主名称，1 到 60 个字符，不可重名') }),
  data: z.object({ id: Id.describe('新广告主的 ID') }),
})

export const renameAdvertiser = endpoint({
  method: 'PUT',
  path: '/api/advertiser/{id}',
  group: '广告主',
  summary: '重命名广告主',
  access: 'admin',
  params: IdParams,
  body: z.object({ name: AdvertiserName.describe('新的广告主名称，1 到 60 个字符，不可重名') }),
  data: Nothing,
})
