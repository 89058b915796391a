import { accountBareName, type listAdvertisers } from '#contract/advertiser.ts'
import type { CntType } from '#contract/audience.ts'
import type { BodyOf, DataOf } from '#contract/endpoint.ts'
import { IDENTIFIERS, IdentifierType } from '#contract/identifier.ts'
import { platformsTaking } from '#contract/platform.ts'
import type { checkPush, startPush } from '#contract/push.ts'
import type { PushPreset } from '../../domain/platform/push-preset.ts'

/** What is pushed: an uploaded crowd with its one type, or a rule crowd, whose types are chosen in the dialog. */
export interface Pushed {
  kind: 'custom' | 'rule'
  id: number
  name: string
  adv_id: number
  /** Platforms that it can be pushed to. */
  platforms: readonly CntType[]
}

export interface PushFields {
  platform?: CntType | undefined
  account?: number | undefined
  types?: IdentifierType[]
  keeps_step?: boolean
}

/** The choice of the previous push in this session, as the browser stored it. */
type Stored = { platform?: unknown; account?: unknown; adv_id?: unknown } | null
type Source = BodyOf<typeof checkPush>['source']
export type Account = DataOf<typeof listAdvertisers>['data'][number]

/** The dialog's first values: those of the child that is pushed again, or the last choice if it is still valid. */
export function initialChoice(pushed: Pushed, stored: Stored, preset: PushPreset | null): PushFields {
  return {
    types: [],
    keeps_step: false,
    platform: pushed.platforms.length === 1 ? pushed.platforms[0] : undefined,
    ...stillValid(pushed, stored),
    ...(preset && {
      platform: preset.cnt_type,
      account: preset.adv_id ?? undefined,
      types: preset.types,
      keeps_step: preset.keeps_step,
    }),
  }
}

function stillValid(pushed: Pushed, stored: Stored): PushFields {
  const { platform, account, adv_id } = stored ?? {}
  if (adv_id !== pushed.adv_id) return {}
  const known = pushed.platforms.find((one) => one === platform)
  return known && typeof account === 'number' ? { platform: known, account } : {}
}

/** What the check counts; null while no type of a rule crowd is chosen. */
export function sourceOf({ kind, id }: Pushed, types: readonly IdentifierType[] | undefined): Source | null {
  if (kind === 'custom') return { kind, id }
  return types && types.length > 0 ? { kind, id, types: [...types] } : null
}

type Chosen = PushFields & { platform: CntType; account: number }
export const isComplete = (fields: PushFields): fields is Chosen =>
  fields.platform !== undefined && fields.account !== undefined

export const pushBody = ({ kind, id }: Pushed, fields: Chosen): BodyOf<typeof startPush> => ({
  id,
  advertiser_id: fields.account,
  cnt_type: fields.platform,
  selectPt: fields.platform,
  adv_id: fields.account,
  kind,
  types: kind === 'rule' ? (fields.types ?? []) : [],
  keeps_step: kind === 'rule' ? (fields.keeps_step ?? false) : false,
})

/** Usable accounts first. The others can be chosen too; the check says why they cannot be pushed to. */
export function accountOptions(accounts: readonly Account[]) {
  const optionOf = ({ id, name, external_id = '' }: Account) => ({
    value: id,
    label: accountBareName(name, external_id),
    search: `${name} ${external_id}`,
  })
  const ready = accounts.filter((one) => one.is_authorised).map(optionOf)
  const others = accounts.filter((one) => !one.is_authorised).map(optionOf)
  return [
    { label: '已授权', options: ready },
    { label: '未授权或授权已失效', options: others },
  ].filter(({ options }) => options.length > 0)
}

/** The types that a platform accepts. */
export const typesFor = (platform: CntType | undefined) =>
  IdentifierType.options
    .filter((type) => platform === undefined || platformsTaking(type).includes(platform))
    .map((type) => ({ value: type, label: IDENTIFIERS[type].label }))
