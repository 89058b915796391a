import { accountBareName, type listAdvertisers } from '#contract/advertiser.ts'
import type { CntType } from '#contract/audience.ts'
import type { BodyOf, DataOf } from '#contract/endpoint.ts'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { AUDIENCE_CODES, platformInfo, platformsTaking } from '#contract/platform.ts'
import type { checkPush, startPushes } from '#contract/push.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'

/** What is pushed: an uploaded crowd with its one type, or a rule crowd, whose types are chosen in the dialog. */
export interface Pushed {
  kind: 'custom' | 'rule'
  id: number
  name: string
  adv_id: number
  adv_name: string
  /** Platforms that it can be pushed to. */
  platforms: readonly CntType[]
}

export interface PushFields {
  platforms?: CntType[]
  /** Keys of accounts, by `accountKey`. */
  accounts?: string[]
  types?: IdentifierType[]
  keeps_step?: boolean
}

/** A chosen account with its platform. */
export interface ChosenAccount {
  cnt_type: CntType
  account_id: number
}
/** Names an account in the form, with its platform, so that the platform is known before its accounts are loaded. */
export const accountKey = ({ cnt_type, account_id }: ChosenAccount) => `${cnt_type}-${account_id}`
function accountOfKey(key: string): ChosenAccount | null {
  const [, code, id] = /^(\d+)-(\d+)$/.exec(key) ?? []
  const cnt_type = AUDIENCE_CODES.find((one) => String(one) === code)
  return cnt_type === undefined ? null : { cnt_type, account_id: Number(id) }
}

/** The choice of the previous push in this session, as the browser stored it. */
type Stored = { accounts?: unknown; adv_id?: unknown } | null
type Source = BodyOf<typeof checkPush>['source']
export type Account = DataOf<typeof listAdvertisers>['data'][number]

/** The dialog's first values: those of the child that is pushed again, or the last choice if it is still valid. */
export function initialChoice(pushed: Pushed, stored: Stored, preset: PushPreset | null): PushFields {
  return {
    types: [],
    keeps_step: false,
    platforms: pushed.platforms.length === 1 ? [...pushed.platforms] : [],
    accounts: [],
    ...stillValid(pushed, stored),
    ...(preset && {
      platforms: [preset.cnt_type],
      accounts: preset.adv_id === null ? [] : [accountKey({ cnt_type: preset.cnt_type, account_id: preset.adv_id })],
      types: preset.types,
      keeps_step: preset.keeps_step,
    }),
  }
}

function stillValid(pushed: Pushed, stored: Stored): PushFields {
  const { accounts, adv_id } = stored ?? {}
  if (adv_id !== pushed.adv_id || !Array.isArray(accounts)) return {}
  const known = accountsIn(accounts.filter((key) => typeof key === 'string')).filter((one) =>
    pushed.platforms.includes(one.cnt_type),
  )
  if (known.length === 0) return {}
  return { platforms: [...new Set(known.map((one) => one.cnt_type))], accounts: known.map(accountKey) }
}

/** What the check counts; null while no type of a rule crowd is chosen. */
export function sourceOf({ kind, id }: Pushed, types: readonly IdentifierType[] | undefined): Source | null {
  if (kind === 'custom') return { kind, id }
  return types && types.length > 0 ? { kind, id, types: [...types] } : null
}

export const accountsIn = (keys: readonly string[] | undefined): ChosenAccount[] =>
  (keys ?? []).flatMap((key) => accountOfKey(key) ?? [])

export function pushBody(pushed: Pushed, fields: PushFields): BodyOf<typeof startPushes> | null {
  const source = sourceOf(pushed, fields.types)
  const accounts = accountsIn(fields.accounts)
  if (source === null || accounts.length === 0) return null
  return { source, accounts, keeps_step: pushed.kind === 'rule' ? (fields.keeps_step ?? false) : false }
}

/** Accounts by platform, usable ones first. The others can be chosen too; the check says why they cannot be pushed to. */
export const accountOptions = (loaded: readonly { platform: CntType; accounts: readonly Account[] }[]) =>
  loaded.flatMap(({ platform, accounts }) => {
    const optionOf = ({ id, name, external_id = '', remark = '' }: Account) => ({
      value: accountKey({ cnt_type: platform, account_id: id }),
      label: remark === '' ? accountBareName(name, external_id) : `${accountBareName(name, external_id)} · ${remark}`,
      external_id,
    })
    const { name } = platformInfo(platform)
    return [
      { label: `${name}：已授权`, options: accounts.filter((one) => one.is_authorised).map(optionOf) },
      {
        label: `${name}：未授权或授权已失效`,
        options: accounts.filter((one) => !one.is_authorised).map(optionOf),
      },
    ].filter(({ options }) => options.length > 0)
  })

/** The types that at least one of the platforms accepts; all of them while no platform is chosen. */
export const typesFor = (platforms: readonly CntType[]) =>
  IdentifierType.options
    .filter((type) => platforms.length === 0 || platforms.some((one) => platformsTaking(type).includes(one)))
    .map((type) => ({ value: type, label: IDENTIFIERS[type].label }))
