import type { RegionLevel } from '../../targeting-tags.ts'
import { isDistrictCode } from '../region-code.ts'
import { CROWD_ROLES, type CrowdLabel, type CrowdRole, type CrowdRow, crowdLabel } from './crowd-row.ts'
import { ACTION_DAYS_DEFAULT, codesOf, editorOf, type FiveTabPlatform } from './platforms.ts'
import type { FiveTabForm } from './schema.ts'
import { choicesOf } from './shown.ts'

type Rule = (next: FiveTabForm, before: FiveTabForm, platform: FiveTabPlatform) => FiveTabForm

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((item, i) => item === other[i])
/** What was chosen last: it stays when it excludes earlier choices. */
const added = <T>(next: readonly T[], before: readonly T[]) => next.filter((one) => !before.includes(one))

/** Choosing 自定义 starts with every scene and 30 days. */
const customBehaviour: Rule = (next, before, platform) =>
  next.smart_interest_action === 'CUSTOM' && before.smart_interest_action !== 'CUSTOM'
    ? { ...next, action_scene: [...codesOf(platform, 'action_scene')], action_days: ACTION_DAYS_DEFAULT }
    : next

/** The PC and mobile systems exclude each other. */
const pcAlone: Rule = (next, before) => {
  if (!next.platform.includes('PC') || next.platform.length === 1) return next
  const isPcNew = added(next.platform, before.platform).includes('PC')
  return { ...next, platform: next.platform.filter((one) => (one === 'PC') === isPcNew) }
}

/** Another choice of systems clears the brands. */
const brandsOfPlatform: Rule = (next, before) =>
  isSame(next.platform, before.platform) ? next : { ...next, device_brand: [] }

/** A choice goes when others no longer leave room for it: Apple under Android alone, HarmonyOS under another link. */
const offeredOnly: Rule = (next, _, platform) => {
  const offers = <F extends 'platform' | 'device_brand'>(field: F, form: FiveTabForm) => {
    const values: readonly string[] = choicesOf(platform, field, form).map(({ value }) => value)
    return (code: string) => values.includes(code)
  }
  const systems = { ...next, platform: next.platform.filter(offers('platform', next)) }
  return { ...systems, device_brand: systems.device_brand.filter(offers('device_brand', systems)) }
}

/** Bands of different sets exclude each other. */
const oneAgeSet: Rule = (next, before, platform) => {
  const { ageSets } = editorOf(platform)
  const [newest] = added(next.age, before.age)
  if (newest === undefined || ageSets.some((set) => next.age.every((age) => set.includes(age)))) return next
  const set = ageSets.find((one) => one.includes(newest)) ?? []
  return { ...next, age: next.age.filter((age) => set.includes(age)) }
}

const isOpen = (form: FiveTabForm, role: CrowdRole) => form.auto_crowd_mode.includes(CROWD_ROLES[role])
const other = (role: CrowdRole): CrowdRole => (role === 'include' ? 'exclude' : 'include')

function without(form: FiveTabForm, role: CrowdRole, ids: readonly string[]): FiveTabForm {
  const keeps = (id: string) => !ids.includes(id)
  return {
    ...form,
    [`retargeting_tags_${role}`]: form[`retargeting_tags_${role}`].filter(keeps),
    [`retargeting_tags_${role}_local`]: form[`retargeting_tags_${role}_local`].filter((row) =>
      keeps(row.retargeting_tags_id),
    ),
  }
}

/** A crowd is never both included and excluded: what the panels held first stays. */
const crowdsOnce: Rule = (next, before) => {
  if (!isOpen(next, 'include') || !isOpen(next, 'exclude')) return next
  const shared = next.retargeting_tags_include.filter((id) => next.retargeting_tags_exclude.includes(id))
  const isIncludeNew = !isOpen(before, 'include') || shared.some((id) => !before.retargeting_tags_include.includes(id))
  return shared.length === 0 ? next : without(next, isIncludeNew ? 'include' : 'exclude', shared)
}

const RULES: readonly Rule[] = [customBehaviour, pcAlone, brandsOfPlatform, offeredOnly, oneAgeSet, crowdsOnce]

/** The form after a viewer changed some of its fields, with what this clears and sets in others. */
export const changed = (platform: FiveTabPlatform, form: FiveTabForm, change: Partial<FiveTabForm>): FiveTabForm =>
  RULES.reduce((next, rule) => rule(next, form, platform), { ...form, ...change })

const isDistrict = (id: string, level: RegionLevel | undefined) =>
  level === undefined ? isDistrictCode(id) : level === 'DISTRICT'

/**
 * Choosing by what places are chosen: 不限 (null), 省市, 区县 or 商圈. 省市 gives up the districts. Everything else stays
 * for coming back, and saving leaves out what is hidden then. `levelOf`: the level of a region, where the platform's tree
 * tells it.
 */
export function districtChange(
  form: FiveTabForm,
  district: FiveTabForm['district'][number] | null,
  levelOf: (id: string) => RegionLevel | undefined,
): Partial<FiveTabForm> {
  if (district !== 'CITY') return { district: district === null ? [] : [district] }
  const regions = form.regions.regions.filter((id) => !isDistrict(id, levelOf(id)))
  return { district: [district], regions: { ...form.regions, regions } }
}

/** How a crowd stands in a panel: what is written beside it, and whether it can be chosen there. */
export function crowdState(
  form: FiveTabForm,
  row: CrowdRow,
  role: CrowdRole,
): { label: CrowdLabel | null; isDisabled: boolean } {
  const rival = other(role)
  const isDisabled = isOpen(form, rival) && form[`retargeting_tags_${rival}`].includes(row.retargeting_tags_id)
  return { label: crowdLabel(row, role), isDisabled }
}
