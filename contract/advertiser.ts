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

/** An advertiser, or one of its platform accounts with the scopes it was granted. */
export const AdvertiserRow = z.object({
  id: Id,
  name: z.string(),
  scope_list: z.array(z.string()),
  /** Only for an account: the platform's own id, and whether it can be used now. */
  external_id: z.string().optional(),
  is_authorised: z.boolean().optional(),
})

/** -1: the advertisers themselves; a platform's number: its accounts. */
const AuthType = z.coerce.number().pipe(z.union([z.literal(-1), PlatformCode]))

const PLATFORM_LIST = PLATFORM_CODES.map((code) => `${code} ${platformInfo(code).name}`).join('、')

export const listAdvertisers = endpoint({
  method: 'GET',
  path: '/api/advertiser/list',
  group: '广告主',
  summary: `广告主列表：auth_type 为 -1 时是广告主，为平台编号（${PLATFORM_LIST}）时是该平台的账户，已授权的在前`,
  query: z.object({
    page: z.coerce.number().int().min(1).default(1),
    per_page: z.coerce.number().int().min(1).max(500).default(100),
    auth_type: AuthType.default(-1),
    adv_id: IdParam.optional(),
    /** Only accounts that cover these scopes. */
    scope: CommaList.optional(),
    name: z.string().optional(),
  }),
  data: z.object({ data: z.array(AdvertiserRow), total: z.int() }),
})

export const PlatformAccount = z.object({
  id: Id,
  platform: PlatformCode,
  external_id: z.string(),
  name: z.string(),
  scope_list: z.array(z.string()),
  /**
   * authorised: it can be used; invalid: only a new authorisation helps, `reason` says why; expired: it has ended;
   * revoked: by a viewer; none: never authorised.
   */
  state: z.enum(['authorised', 'invalid', 'expired', 'revoked', 'none']),
  reason: z.string().nullable(),
  reason_outcome: AnyOutcome.nullable(),
  authorised_at: Seconds.nullable(),
  /** When the authorisation ends unless it is renewed, which happens automatically while the platform allows it. */
  expires_at: Seconds.nullable(),
  /** The login that authorised it, and how many of our accounts that login serves. */
  login: z.object({ name: z.string(), accounts: z.int() }).nullable(),
  /** What a revocation stops: audiences on the account, those among them that follow their crowd, and unfinished pushes. */
  audiences: z.int(),
  keeping_step: z.int(),
  pushes: z.int(),
})
export type PlatformAccount = z.infer<typeof PlatformAccount>

export const AdvertiserDetail = z.object({
  id: Id,
  name: z.string(),
  is_demo: z.boolean(),
  people: z.int(),
  created_at: Seconds,
  accounts: z.array(PlatformAccount),
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
  data: z.object({ list: z.array(AdvertiserDetail) }),
})

export const createAdvertiser = endpoint({
  method: 'POST',
  path: '/api/advertiser',
  group: '广告主',
  summary: '新建广告主',
  access: 'admin',
  body: z.object({ name: AdvertiserName }),
  data: z.object({ id: Id }),
})

export const renameAdvertiser = endpoint({
  method: 'PUT',
  path: '/api/advertiser/{id}',
  group: '广告主',
  summary: '重命名广告主',
  access: 'admin',
  params: IdParams,
  body: z.object({ name: AdvertiserName }),
  data: Nothing,
})
