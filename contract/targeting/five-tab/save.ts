import { CROWD_ROLES, type CrowdRole } from './crowd-row.ts'
import { FIELD_ORDER, type Field } from './fields.ts'
import { emptyForm } from './form.ts'
import type { FiveTabPlatform } from './platforms.ts'
import type { Fan, FiveTabForm, FiveTabTargeting } from './schema.ts'
import { isShown } from './shown.ts'

const isEmpty = (value: FiveTabForm[Field]): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value.regions.length + value.regionsPlan.length === 0

/** Each item once, in the order of choosing. */
const once = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]

/** The two ends of a price are no choices, and may be the same. */
const cleaned = (field: Field, value: FiveTabForm[Field]) =>
  Array.isArray(value) && field !== 'launch_price' ? once<unknown>(value) : value

/** The rows of the chosen crowds, in their order. */
function localRows(form: FiveTabForm, role: CrowdRole): FiveTabTargeting {
  const ids = once(form[`retargeting_tags_${role}`])
  const rows = ids.flatMap(
    (id) => form[`retargeting_tags_${role}_local`].find((row) => row.retargeting_tags_id === id) ?? [],
  )
  return rows.length > 0 ? { [`retargeting_tags_${role}_local`]: rows } : {}
}

const idOf = (fan: Fan) => (fan.type === 'account' ? fan.label_id : fan.value)
const fanIds = (fans: readonly Fan[], type: Fan['type']) => fans.filter((fan) => fan.type === type).map(idOf)

/** `user_aweme_fan` split into the two lists of ids that the platforms take. */
function fanLists(fans: readonly Fan[]): FiveTabTargeting {
  const aweme_fan_categories = fanIds(fans, 'category')
  const aweme_fan_accounts = fanIds(fans, 'account')
  return {
    ...(aweme_fan_categories.length > 0 ? { aweme_fan_categories } : {}),
    ...(aweme_fan_accounts.length > 0 ? { aweme_fan_accounts } : {}),
  }
}

/** What is saved of a form: the fields that are shown, without empty lists. Opened again, it gives the same form. */
export function savedTargeting(platform: FiveTabPlatform, form: FiveTabForm): FiveTabTargeting {
  const defaults = emptyForm(platform)
  // An empty list that is left out would be read as the default.
  const isLeftOut = (field: Field) => isEmpty(form[field]) && isEmpty(defaults[field])
  const kept = FIELD_ORDER.filter((field) => isShown(platform, field, form) && !isLeftOut(field))
  const fields: FiveTabTargeting = Object.fromEntries(kept.map((field) => [field, cleaned(field, form[field])]))
  const rows = (Object.keys(CROWD_ROLES) as CrowdRole[])
    .filter((role) => kept.includes(`retargeting_tags_${role}`))
    .map((role) => localRows(form, role))
  return Object.assign(
    form.landing_type === null ? {} : { landing_type: form.landing_type },
    fields,
    ...rows,
    kept.includes('user_aweme_fan') ? fanLists(form.user_aweme_fan) : {},
  )
}
