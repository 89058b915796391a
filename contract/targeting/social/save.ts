import { FIELD_ORDER, type Field } from './fields.ts'
import type { SocialForm, SocialTargeting } from './schema.ts'
import { isShown } from './shown.ts'

/** Each item once, in the order of choosing. */
const once = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]
const cleaned = (value: SocialForm[Field]) => (Array.isArray(value) ? once<unknown>(value) : value)
const isEmptyList = (value: SocialForm[Field]) => Array.isArray(value) && value.length === 0

/** Pickers that stand beside another one, of which either is enough. */
const OPTIONAL: readonly Field[] = [
  'behavior_categories',
  'behavior_keywords',
  'interest_categories',
  'interest_keywords',
]

/** The rows of the chosen crowds, in their order. */
function localRows(form: SocialForm, field: 'custom_audience' | 'excluded_custom_audience'): SocialTargeting {
  const key = `${field}_local` as const
  const rows = once(form[field] ?? []).flatMap((id) => form[key].find((row) => row.retargeting_tags_id === id) ?? [])
  return rows.length > 0 ? { [key]: rows } : {}
}

/** What is saved of a form: the dimensions that are shown and restrict. Opened again, it gives the same form. */
export function savedTargeting(form: SocialForm): SocialTargeting {
  const kept = FIELD_ORDER.filter(
    (field) => isShown(field, form) && form[field] !== null && !(OPTIONAL.includes(field) && isEmptyList(form[field])),
  )
  return {
    ...(Object.fromEntries(kept.map((field) => [field, cleaned(form[field])])) as SocialTargeting),
    ...localRows(form, 'custom_audience'),
    ...localRows(form, 'excluded_custom_audience'),
  }
}
