import { type Outcome, outcome } from '../../outcome.ts'
import { CROWD_ROLES } from './crowd-row.ts'
import { restricts } from './faults.ts'
import { FIELDS, type Field } from './fields.ts'
import { emptyForm, formOf } from './form.ts'
import { editorOf, type FiveTabPlatform } from './platforms.ts'
import { savedTargeting } from './save.ts'
import type { FiveTabForm } from './schema.ts'
import { targetingWords } from './words.ts'

type Target = FiveTabForm['auto_extend_targets'][number]

/**
 * The fields that restrict the reach together: leaving out one of a group alone would leave a part without meaning.
 * `target`: the target of smart expansion that opens them.
 */
const GROUPS: readonly { label: string; fields: readonly Field[]; target?: Target }[] = [
  { label: FIELDS.age.label, fields: ['age'], target: 'AGE' },
  { label: FIELDS.gender.label, fields: ['gender'], target: 'GENDER' },
  { label: FIELDS.career.label, fields: ['career_by', 'career'] },
  {
    label: FIELDS.district.label,
    fields: ['district', 'regions', 'custom_locations', 'location_types'],
    target: 'REGION',
  },
  { label: FIELDS.exclude_limited_region.label, fields: ['exclude_limited_region'] },
  {
    label: FIELDS.smart_interest_action.label,
    fields: ['smart_interest_action', 'action_scene', 'action_days', 'action_tags', 'interest_tags'],
    target: 'INTEREST_ACTION',
  },
  {
    label: FIELDS.retargeting_tags_include.label,
    fields: ['retargeting_tags_include'],
    target: 'CUSTOM_AUDIENCE',
  },
  // Expansion looks for more people like the targeted crowds; excluded ones stay excluded.
  { label: FIELDS.retargeting_tags_exclude.label, fields: ['retargeting_tags_exclude'] },
  { label: FIELDS.platform.label, fields: ['platform'] },
  { label: FIELDS.device_type.label, fields: ['device_type'] },
  { label: FIELDS.ac.label, fields: ['ac'] },
  { label: FIELDS.carrier.label, fields: ['carrier'] },
  { label: FIELDS.device_brand.label, fields: ['device_brand_by', 'device_brand'] },
  { label: FIELDS.launch_price.label, fields: ['launch_price_by', 'launch_price'] },
  { label: FIELDS.activate_type.label, fields: ['activate_type'] },
  {
    label: FIELDS.aweme_fan_by.label,
    fields: ['aweme_fan_by', 'aweme_fan_behaviors', 'aweme_fan_time_scope', 'user_aweme_fan'],
  },
  { label: FIELDS.new_customer.label, fields: ['new_customer'] },
  { label: FIELDS.live_platform_tags.label, fields: ['live_platform_tags'] },
]

export interface Dimension {
  label: string
  /** The form without it. */
  without: FiveTabForm
  /** Smart expansion may reach people outside of it, so in delivery it narrows less. */
  isOpened: boolean
}

/** The targets that smart expansion of a form opens. */
const openedBy = (form: FiveTabForm): readonly Target[] =>
  form.auto_extend_enabled === 1 ? form.auto_extend_targets : []

/** A crowd panel that holds nothing is closed: an open one asks for a crowd. */
const withoutEmptyPanels = (form: FiveTabForm): FiveTabForm => ({
  ...form,
  auto_crowd_mode: form.auto_crowd_mode.filter((role) =>
    role === CROWD_ROLES.include ? form.retargeting_tags_include.length > 0 : form.retargeting_tags_exclude.length > 0,
  ),
})

/** A form that lost a restriction: smart expansion no longer opens it, and is off when it opens nothing else. */
function withoutExpansionOf(target: Target | undefined, lost: FiveTabForm, before: FiveTabForm): FiveTabForm {
  const auto_extend_targets = before.auto_extend_targets.filter(
    (one) => one !== target && (restricts(lost, one) || !restricts(before, one)),
  )
  const auto_extend_enabled = auto_extend_targets.length > 0 ? before.auto_extend_enabled : 0
  return { ...lost, auto_extend_targets, auto_extend_enabled }
}

/**
 * What narrows the reach of a form, each with the form that leaves it out, in the order of the screen. What is not sent
 * narrows nothing; what is hidden stays left out, also where the form without a dimension would show it again.
 */
export function dimensionsOf(platform: FiveTabPlatform, shown: FiveTabForm): Dimension[] {
  const form = formOf(platform, savedTargeting(platform, shown))
  const sent = targetingWords(platform, form).filter((line) => !line.isWithdrawn)
  const restricting = new Set(sent.map(({ field }) => field))
  const defaults = emptyForm(platform)
  return GROUPS.filter(({ fields }) => fields.some((field) => restricting.has(field))).map(
    ({ label, fields, target }) => {
      const reset = Object.fromEntries(fields.map((field) => [field, defaults[field]]))
      const lost = withoutEmptyPanels({ ...form, ...reset })
      return {
        label,
        without: withoutExpansionOf(target, lost, form),
        isOpened: target !== undefined && openedBy(form).includes(target),
      }
    },
  )
}

/** What smart expansion means for the estimate of a form; null where it is off. */
export function expansionNote(platform: FiveTabPlatform, form: FiveTabForm): Outcome | null {
  const [...targets] = openedBy(form)
  const { expansionInEstimate: estimate } = editorOf(platform)
  return targets.length > 0 ? outcome('targeting_reach_expanded', { targets, estimate }) : null
}
