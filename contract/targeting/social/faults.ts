import { ItemName } from '../../common.ts'
import { type Outcome, outcome } from '../../outcome.ts'
import { TAGS_MAX } from '../common.ts'
import { crowdsTwice } from './change.ts'
import { FIELD_ORDER, FIELDS, type Field, TAB_ORDER, type Tab } from './fields.ts'
import { AGE, COMMUNITY_PRICE, CONVERSIONS_MAX, LOCATION_TYPES_MAX } from './platform.ts'
import { isWideEnough, type SocialForm } from './schema.ts'
import { isLocationTypeOffered, isShown } from './shown.ts'

/** What the editor knows beside the form. */
export interface Known {
  /** The account has no crowd to choose. */
  hasNoCrowds?: boolean
}

type Fault = Outcome | null
type Check = (form: SocialForm, known: Known) => Fault

const when = (isWrong: boolean, fault: Outcome): Fault => (isWrong ? fault : null)
const isEmpty = (list: readonly unknown[] | null) => list !== null && list.length === 0
const empty = (field: Field) => outcome('social_dimension_empty', { field })

/** The most items of each list. */
const MOST: { [F in Field]?: number } = {
  location_types: LOCATION_TYPES_MAX,
  age: AGE.ranges,
  gender: 1,
  residential_community_price: COMMUNITY_PRICE.ranges,
  behavior_scene: 3,
  behavior_categories: TAGS_MAX,
  behavior_keywords: TAGS_MAX,
  interest_categories: TAGS_MAX,
  interest_keywords: TAGS_MAX,
  intention: TAGS_MAX,
  excluded_dimension: 1,
  conversion_behavior_list: CONVERSIONS_MAX,
  custom_audience: TAGS_MAX,
  excluded_custom_audience: TAGS_MAX,
}

/** Pickers of which one is enough, and the dimension that is empty without both. */
const EITHER: { [F in Field]?: 'behavior' | 'interest' } = {
  behavior_categories: 'behavior',
  behavior_keywords: 'behavior',
  interest_categories: 'interest',
  interest_keywords: 'interest',
}

/** A list without values behind 自定义. */
const emptyList =
  (field: Field): Check =>
  (form, known) => {
    const value = form[field]
    if (!Array.isArray(value) || EITHER[field] !== undefined || !isEmpty(value)) return null
    const isCrowds = field === 'custom_audience' || field === 'excluded_custom_audience'
    return isCrowds && known.hasNoCrowds ? outcome('targeting_crowd_list_empty') : empty(field)
  }

const tooMany =
  (field: Field): Check =>
  (form) => {
    const [value, max] = [form[field], MOST[field]]
    if (!Array.isArray(value) || max === undefined || value.length <= max) return null
    return outcome('social_picker_full', { field, max })
  }

/** Categories and keywords stand in one picker: one of them is needed, and together they are bounded. */
function tagsFault(form: SocialForm, kind: 'behavior' | 'interest'): Fault {
  if (form[kind] !== 'CUSTOM') return null
  const [categories, keywords] = [form[`${kind}_categories`].length, form[`${kind}_keywords`].length]
  if (categories + keywords === 0) return empty(kind)
  // More in one of the lists is said of that list.
  const isOneFull = categories > TAGS_MAX || keywords > TAGS_MAX
  return when(
    !isOneFull && categories + keywords > TAGS_MAX,
    outcome('social_picker_full', { field: kind, max: TAGS_MAX }),
  )
}

/** The checks of single dimensions beside those of every list. */
const OWN: { [F in Field]?: Check } = {
  location_types: (form) => {
    const code = form.location_types.find((one) => !isLocationTypeOffered(one, form))
    return code === undefined ? null : outcome('social_location_type_ruled_out', { code })
  },
  age: ({ age }) => when(age?.some((range) => !isWideEnough(range)) ?? false, outcome('social_age_narrow')),
  residential_community_price: ({ residential_community_price }) =>
    when(residential_community_price?.some(({ min, max }) => min >= max) ?? false, outcome('social_price_reversed')),
  behavior: (form) => tagsFault(form, 'behavior'),
  interest: (form) => tagsFault(form, 'interest'),
  excluded_custom_audience: (form) => when(crowdsTwice(form).length > 0, outcome('targeting_crowd_twice')),
}

export interface FieldFault {
  tab: Tab
  field: Field
  reason: Outcome
}

/** What is wrong with a form, in the order of the screen; what is not shown is not checked. */
export const formFaults = (form: SocialForm, known: Known = {}): FieldFault[] =>
  FIELD_ORDER.filter((field) => isShown(field, form)).flatMap((field) =>
    [emptyList(field), tooMany(field), OWN[field]].flatMap((check) => {
      const reason = check?.(form, known)
      return reason ? [{ tab: FIELDS[field].tab, field, reason }] : []
    }),
  )

/** The first tab with a fault, and what is said when it is opened: its label and 未填写完整. */
export function firstFault(faults: readonly FieldFault[]): { tab: Tab; reason: Outcome } | null {
  const tab = TAB_ORDER.find((one) => faults.some((fault) => fault.tab === one))
  return tab === undefined ? null : { tab, reason: outcome('social_tab_incomplete', { tab }) }
}

/** The fields above the tabs. */
export interface BaseInfo {
  targeting_name: string
  dir_id: number | null
}

/** What is wrong above the tabs: name and folder. The platform has no package types. */
export function baseFaults(base: BaseInfo): { field: keyof BaseInfo; reason: Outcome }[] {
  const name = ItemName.safeParse(base.targeting_name).error?.issues[0]
  return [
    ...(name ? [{ field: 'targeting_name' as const, reason: outcome('input_refused', { text: name.message }) }] : []),
    ...(base.dir_id === null ? [{ field: 'dir_id' as const, reason: outcome('targeting_folder_missing') }] : []),
  ]
}
