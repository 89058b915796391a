import { type ChoiceField, LABELS, labelOf } from './labels.ts'
import { ACTION_DAYS, codesOf, type FiveTabPlatform, isWithdrawn, WITHDRAWN_LABEL } from './platforms.ts'

/** A group of choices as the static options call answers it: `value` is the field, `children` are its choices. */
export interface OptionGroup {
  value: string
  /** 平台已停用 where the platform no longer takes the field; empty otherwise. */
  note: string
  children: { value: string | number; label: string }[]
}

/** The static choices of a platform; a field that it never had has no group. */
export function optionGroups(platform: FiveTabPlatform): OptionGroup[] {
  const groups = (Object.keys(LABELS) as ChoiceField[]).map((field) => ({
    value: field,
    note: field !== 'landing_type' && isWithdrawn(platform, field) ? WITHDRAWN_LABEL : '',
    children: codesOf(platform, field).map((value) => ({ value, label: labelOf(field, value) })),
  }))
  const days = ACTION_DAYS.map((value) => ({ value, label: `${value} 天` }))
  const shown = groups.filter(({ children }) => children.length > 0)
  // The call has names of its own for the days of behaviour, `action_days` of the form, and for package types.
  const types = shown.filter(({ value }) => value === 'landing_type').map(({ children }) => children)
  return [
    ...shown,
    ...types.map((children) => ({ value: 'landing_type_option', note: '', children })),
    { value: 'action_time_scope', note: '', children: days },
  ]
}
