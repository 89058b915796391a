import { type CrowdLabel, type CrowdRole, type CrowdRow, crowdLabel } from '../five-tab/crowd-row.ts'
import { BEHAVIOUR_DEFAULTS } from './form.ts'
import { ALL_SCENES, WECHAT_LOCATION_TYPE } from './platform.ts'
import type { SocialForm } from './schema.ts'
import { isLocationTypeOffered } from './shown.ts'

type Rule = (next: SocialForm, before: SocialForm) => SocialForm

/** Choosing 自定义 for behaviours starts with every scene and 30 days. */
const customBehaviour: Rule = (next, before) =>
  next.behavior === 'CUSTOM' && before.behavior !== 'CUSTOM'
    ? {
        ...next,
        behavior_scene: [...BEHAVIOUR_DEFAULTS.behavior_scene],
        behavior_time_window: BEHAVIOUR_DEFAULTS.behavior_time_window,
      }
    : next

/** 全部场景 and single scenes exclude each other: what was chosen last stays. */
const allScenesAlone: Rule = (next, before) => {
  if (!next.behavior_scene.includes(ALL_SCENES) || next.behavior_scene.length === 1) return next
  const isAllNew = !before.behavior_scene.includes(ALL_SCENES)
  return { ...next, behavior_scene: next.behavior_scene.filter((scene) => (scene === ALL_SCENES) === isAllNew) }
}

/** 商圈 and places on the map clear the ways of being there that they do not allow. */
const locationTypesOfPlaces: Rule = (next) => {
  const offered = next.location_types.filter((code) => isLocationTypeOffered(code, next))
  if (offered.length === next.location_types.length) return next
  return { ...next, location_types: offered.length > 0 ? offered : [WECHAT_LOCATION_TYPE] }
}

/** The dimension of each role. */
export const CROWD_FIELDS = {
  include: 'custom_audience',
  exclude: 'excluded_custom_audience',
} as const satisfies Record<CrowdRole, keyof SocialForm>
const other = (role: CrowdRole): CrowdRole => (role === 'include' ? 'exclude' : 'include')

function without(form: SocialForm, role: CrowdRole, ids: readonly string[]): SocialForm {
  const field = CROWD_FIELDS[role]
  const keeps = (id: string) => !ids.includes(id)
  return {
    ...form,
    [field]: form[field]?.filter(keeps) ?? null,
    [`${field}_local`]: form[`${field}_local`].filter((row) => keeps(row.retargeting_tags_id)),
  }
}

/** The crowds that are both included and excluded. */
export const crowdsTwice = ({ custom_audience, excluded_custom_audience }: SocialForm): string[] =>
  (custom_audience ?? []).filter((id) => excluded_custom_audience?.includes(id))

/** A crowd is never both included and excluded: what was chosen first stays. */
const crowdsOnce: Rule = (next, before) => {
  const shared = crowdsTwice(next)
  if (shared.length === 0) return next
  const isIncludeNew = shared.some((id) => !before.custom_audience?.includes(id))
  return without(next, isIncludeNew ? 'include' : 'exclude', shared)
}

const RULES: readonly Rule[] = [customBehaviour, allScenesAlone, locationTypesOfPlaces, crowdsOnce]

/** The form after a viewer changed some of its dimensions, with what this clears and sets in others. */
export const changed = (form: SocialForm, change: Partial<SocialForm>): SocialForm =>
  RULES.reduce((next, rule) => rule(next, form), { ...form, ...change })

/** How a crowd stands in a panel: what is written beside it, and whether it can be chosen there. */
export function crowdState(
  form: SocialForm,
  row: CrowdRow,
  role: CrowdRole,
): { label: CrowdLabel | null; isDisabled: boolean } {
  const isDisabled = form[CROWD_FIELDS[other(role)]]?.includes(row.retargeting_tags_id) ?? false
  return { label: crowdLabel(row, role), isDisabled }
}
