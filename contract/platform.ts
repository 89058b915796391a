import { z } from 'zod'
import { keysOf } from './common.ts'
import type { IdentifierType } from './identifier.ts'
// Not from identifier.ts, whose meanings the first page does not need.
import { IDENTIFIER_TYPES } from './identifier-types.ts'

/** A scope that covers all others. */
export const SCOPE_ALL = 'all'
const SCOPE_AUDIENCE = 'audience_management'

export interface AudienceLimits {
  /** The longest name of an audience; bytes are counted in UTF-8. */
  name: { max: number; unit: 'bytes' | 'characters' }
  /** The longest description, in the unit of the name. */
  description: number
  /** The most values in a part of a push, and the largest file of a part in bytes. */
  partValues: number
  partBytes: number
  /** The platform fails with fewer identifiers. */
  leastValues: number
  /** The most audiences of our crowds that an account may have: the console's own quota. */
  children: number
  /** The most audiences that the platform lets an account have, those made elsewhere included. */
  audiences: number
  /** Seconds between two publications of an audience; 0: no such rule. */
  publishEvery: number
  /** Seconds after which an uploaded part that was not used must be sent again; null: never. */
  receiptLife: number | null
}

interface PlatformEntry {
  /** Its number on the wire; never changes. */
  code: number
  name: string
  /** One character that marks it in lists. */
  mark: string
  /** The assets tab of its targeting packages. */
  tab: number
  /** How much of a package's name its list shows; bytes are counted in UTF-8. */
  nameShown: { max: number; unit: 'bytes' | 'characters' }
  /** Scopes that a platform account needs for the tab and for pushes. */
  scopes: readonly string[]
  /** What the console calls the scopes that it grants; another one is shown as the platform spells it. */
  scopeNames: Readonly<Record<string, string>>
  /** The query parameter in which the platform's OAuth page returns the code. */
  codeParameter: string
  /** Other numbers by which older links name its packages, and names: `cowd-assets/{product}-cowd/edit/{id}`. */
  oldLinkNumbers: readonly number[]
  oldLinkProducts: readonly string[]
  /** How it takes crowds; null when it takes none. */
  audiences: {
    /** Types that the console offers for it. */
    identifiers: readonly IdentifierType[]
    /** Types among them that it no longer takes: such crowds stay, and the check of a push says why they are not sent. */
    withdrawn: readonly IdentifierType[]
    /** The push dialog lists only accounts with these scopes. */
    listScopes: readonly string[]
    canRename: boolean
    /** Shown after the name of an account that has no room for another audience. */
    quotaFull: string
    limits: AudienceLimits
  } | null
}

/**
 * The ad platforms. This table is the only place that names one; `server/platforms/adapters.ts` has an adapter for each
 * key. docs/adding-a-platform.md lists the steps.
 */
export const PLATFORMS = {
  social: {
    code: 1,
    name: '腾讯广告',
    mark: '腾',
    tab: 2,
    nameShown: { max: 20, unit: 'bytes' },
    scopes: [SCOPE_AUDIENCE],
    scopeNames: {
      [SCOPE_AUDIENCE]: '人群管理',
      ads_management: '广告投放',
      ads_insights: '数据洞察',
      account_management: '账户服务',
      user_actions: '用户行为数据',
    },
    codeParameter: 'authorization_code',
    oldLinkNumbers: [],
    oldLinkProducts: [],
    audiences: {
      identifiers: IDENTIFIER_TYPES,
      withdrawn: ['MAC', 'HASH_MAC', 'QQ', 'HASH_QQ'],
      listScopes: [SCOPE_AUDIENCE],
      canRename: true,
      quotaFull: '的腾讯广告自定义人群配额已达上限，请删除部分人群，释放配额。',
      limits: {
        // The platform does not say how it counts Chinese characters; UTF-8 bytes are the stricter reading.
        name: { max: 32, unit: 'bytes' },
        description: 250,
        // The platform gives no limit of lines. At 65 bytes a line these fit its file size even without compression.
        partValues: 1_000_000,
        partBytes: 100 * 2 ** 20,
        leastValues: 1,
        children: 500,
        // The platform publishes no limit; this is the console's own.
        audiences: 500,
        publishEvery: 0,
        receiptLife: null,
      },
    },
  },
  video: {
    code: 2,
    name: '巨量引擎',
    mark: '巨',
    tab: 3,
    nameShown: { max: 20, unit: 'characters' },
    scopes: [SCOPE_ALL],
    scopeNames: {},
    codeParameter: 'auth_code',
    oldLinkNumbers: [],
    oldLinkProducts: ['video', 'oceanengine', 'toutiao'],
    audiences: {
      identifiers: ['IDFA', 'HASH_IDFA', 'IMEI', 'HASH_IMEI', 'OAID', 'HASH_OAID', 'SHA256_MOBILE_PHONE'],
      withdrawn: [],
      listScopes: [],
      canRename: false,
      quotaFull: '的巨量人群资产配额已达上限，请删除部分定向包，释放配额，以免影响广告投放。',
      limits: {
        name: { max: 30, unit: 'characters' },
        description: 256,
        // The SHA256 of a phone makes a line of 94 bytes, so this many fit the file size even without compression.
        partValues: 500_000,
        partBytes: 50 * 2 ** 20,
        leastValues: 1,
        children: 500,
        audiences: 400,
        publishEvery: 86_400,
        // One day less than the platform keeps an unused file.
        receiptLife: 13 * 86_400,
      },
    },
  },
  commerce: {
    code: 3,
    name: '巨量千川',
    mark: '千',
    tab: 4,
    nameShown: { max: 20, unit: 'characters' },
    scopes: [SCOPE_ALL],
    scopeNames: {},
    codeParameter: 'auth_code',
    oldLinkNumbers: [4],
    oldLinkProducts: ['commerce', 'qianchuan'],
    audiences: null,
  },
} as const satisfies Record<string, PlatformEntry>

type Platforms = typeof PLATFORMS
export type Platform = keyof Platforms
type WithAudiences = { [P in Platform]: Platforms[P]['audiences'] extends null ? never : P }[Platform]

const names = keysOf(PLATFORMS)
const entryOf = (platform: Platform): PlatformEntry => PLATFORMS[platform]
const takesAudiences = (platform: Platform): platform is WithAudiences => entryOf(platform).audiences !== null

/** A platform's number on the wire. */
export type PlatformCode = Platforms[Platform]['code']
export const PLATFORM_CODES: readonly PlatformCode[] = names.map((name) => PLATFORMS[name].code)
/** What these numbers mean, for the API document. */
export const platformWords = (codes: readonly PlatformCode[]): string => {
  const entries = names.map(entryOf).filter((entry) => codes.some((code) => code === entry.code))
  return `平台编号：${entries.map(({ code, name }) => `${code} ${name}`).join('，')}`
}
export const PlatformCode = z
  .union(PLATFORM_CODES.map((code) => z.literal(code)))
  .describe(platformWords(PLATFORM_CODES))

/** The number of a platform that takes audiences. */
export type AudienceCode = Platforms[WithAudiences]['code']
export const AUDIENCE_CODES: readonly AudienceCode[] = names.filter(takesAudiences).map((name) => PLATFORMS[name].code)
export const AudienceCode = z.union(AUDIENCE_CODES.map((code) => z.literal(code)))

export const isAudienceCode = (code: number): code is AudienceCode => AUDIENCE_CODES.some((one) => one === code)

/** The platform with this number. */
export const platformOfCode = (code: PlatformCode): Platform => {
  const found = names.find((name) => PLATFORMS[name].code === code)
  if (found === undefined) throw new Error(`no platform has the number ${code}`)
  return found
}

/** The table's entry of the platform with this number. */
export const platformInfo = (code: PlatformCode): PlatformEntry => entryOf(platformOfCode(code))

/** How the platform with this number takes crowds. */
export const audienceInfo = (code: AudienceCode) => {
  const { audiences } = platformInfo(code)
  if (audiences === null) throw new Error(`platform ${code} takes no audiences`)
  return audiences
}

/** What the console calls a platform's scope. */
export const scopeName = (code: PlatformCode, scope: string): string =>
  scope === SCOPE_ALL ? '全部权限' : (platformInfo(code).scopeNames[scope] ?? scope)

/** Platforms for which the console offers identifiers of the type. */
export const platformsTaking = (type: IdentifierType): AudienceCode[] =>
  AUDIENCE_CODES.filter((code) => audienceInfo(code).identifiers.includes(type))

/** The assets tab of the combined packages (rule crowds); each other tab has a platform's targeting packages. */
export const COMBINED_TAB = 1
export type PlatformTab = Platforms[Platform]['tab']
export type AssetTab = typeof COMBINED_TAB | PlatformTab

export const ASSET_TABS: readonly AssetTab[] = [COMBINED_TAB, ...names.map((name) => PLATFORMS[name].tab)]

export const platformOfTab = (tab: PlatformTab): PlatformEntry & { code: PlatformCode } => {
  const found = Object.values(PLATFORMS).find((one) => one.tab === tab)
  if (found === undefined) throw new Error(`no platform has the tab ${tab}`)
  return found
}

/** The rest of the sentence that an account of the platform with this name has no room for another audience. */
export const quotaFullWords = (name: string): string => {
  const found = names.map(entryOf).find((entry) => entry.name === name)
  return found?.audiences?.quotaFull ?? `的${name}人群配额已达上限，请删除部分人群，释放配额。`
}
