import { ItemName } from '../../common.ts'
import { type Outcome, outcome } from '../../outcome.ts'
import { TAGS_MAX } from '../common.ts'
import { FIELDS, type Field, TAB_ORDER, type Tab } from './fields.ts'
import { codesOf, editorOf, type FiveTabPlatform } from './platforms.ts'
import { FANS_MAX, type FiveTabForm } from './schema.ts'
import { choicesOf, isShown } from './shown.ts'

/** What the editor knows beside the form. */
export interface Known {
  /** The account has no crowd to choose. */
  hasNoCrowds?: boolean
}

type Fault = Outcome | null
type Check = (form: FiveTabForm, platform: FiveTabPlatform, known: Known) => Fault

const when = (isWrong: boolean, fault: Outcome): Fault => (isWrong ? fault : null)
const isEmpty = (list: readonly unknown[]) => list.length === 0

const pickerFull =
  (field: 'action_tags' | 'interest_tags' | 'retargeting_tags_include' | 'retargeting_tags_exclude'): Check =>
  (form) =>
    when(form[field].length > TAGS_MAX, outcome('targeting_picker_full', { field, max: TAGS_MAX }))

/** The first choice that the others rule out. */
const ruledOut =
  (field: 'platform' | 'device_brand'): Check =>
  (form, platform) => {
    const offered: readonly string[] = choicesOf(platform, field, form).map(({ value }) => value)
    const code = form[field].find((one) => !offered.includes(one))
    return code === undefined ? null : outcome('targeting_choice_ruled_out', { field, code })
  }

/** Both panels share one message, so it stands at the first of them. */
const crowdsMissing: Check = ({ auto_crowd_mode, retargeting_tags_include, retargeting_tags_exclude }, _, known) => {
  const wants = (role: 1 | 2) => auto_crowd_mode.includes(role)
  const isIncludeMissing = wants(1) && isEmpty(retargeting_tags_include)
  const isExcludeMissing = wants(2) && isEmpty(retargeting_tags_exclude)
  const isMissing = wants(1) && wants(2) ? isIncludeMissing && isExcludeMissing : isIncludeMissing || isExcludeMissing
  if (!isMissing) return null
  if (known.hasNoCrowds) return outcome('targeting_crowd_list_empty')
  if (wants(1) && wants(2)) return outcome('targeting_crowds_missing')
  return outcome(isIncludeMissing ? 'targeting_include_missing' : 'targeting_exclude_missing')
}

const crowdTwice: Check = (form) => {
  const isBoth = form.auto_crowd_mode.length > 1
  const shared = form.retargeting_tags_include.filter((id) => form.retargeting_tags_exclude.includes(id))
  return when(isBoth && shared.length > 0, outcome('targeting_crowd_twice'))
}

/** Which choices restrict what smart expansion may open. */
const RESTRICTS = {
  REGION: ({ district }: FiveTabForm) => !isEmpty(district),
  GENDER: ({ gender }: FiveTabForm) => !isEmpty(gender),
  AGE: ({ age }: FiveTabForm) => !isEmpty(age),
  CUSTOM_AUDIENCE: ({ auto_crowd_mode }: FiveTabForm) => !isEmpty(auto_crowd_mode),
  INTEREST_ACTION: ({ smart_interest_action }: FiveTabForm) => smart_interest_action !== 'UNLIMITED',
} as const satisfies Record<FiveTabForm['auto_extend_targets'][number], (form: FiveTabForm) => boolean>

/** Whether a form restricts what smart expansion would open. */
export const restricts = (form: FiveTabForm, target: FiveTabForm['auto_extend_targets'][number]): boolean =>
  RESTRICTS[target](form)

/** Whether smart expansion could not open it, because the form does not restrict it. */
export const isNothingToOpen = (
  platform: FiveTabPlatform,
  form: FiveTabForm,
  target: FiveTabForm['auto_extend_targets'][number],
): boolean => editorOf(platform).expandsOnlyRestricted && !restricts(form, target)

const unrestrictedTarget: Check = (form, platform) => {
  const target = form.auto_extend_targets.find((one) => isNothingToOpen(platform, form, one))
  return target === undefined ? null : outcome('targeting_open_target_unrestricted', { target })
}

/** The checks of each field, in the order of the screen; those of a field that is not shown are left out. */
const CHECKS: readonly [Field, Check][] = [
  [
    'age',
    ({ age }, platform) =>
      when(
        !editorOf(platform).ageSets.some((set) => age.every((one) => set.includes(one))),
        outcome('targeting_ages_mixed'),
      ),
  ],
  ['career', ({ career }) => when(isEmpty(career), outcome('targeting_career_missing'))],
  [
    'regions',
    ({ regions }) =>
      when(isEmpty(regions.regions) && isEmpty(regions.regionsPlan), outcome('targeting_region_missing')),
  ],
  ['custom_locations', ({ custom_locations }) => when(isEmpty(custom_locations), outcome('targeting_region_missing'))],
  ['location_types', ({ location_types }) => when(isEmpty(location_types), outcome('targeting_location_type_missing'))],

  [
    'action_tags',
    ({ action_tags, interest_tags }) =>
      when(isEmpty(action_tags) && isEmpty(interest_tags), outcome('targeting_behaviour_missing')),
  ],
  ['action_tags', pickerFull('action_tags')],
  ['interest_tags', pickerFull('interest_tags')],

  ['auto_crowd_mode', crowdsMissing],
  ['auto_crowd_mode', crowdTwice],
  ['retargeting_tags_include', pickerFull('retargeting_tags_include')],
  ['retargeting_tags_exclude', pickerFull('retargeting_tags_exclude')],

  [
    'platform',
    ({ platform }) => when(platform.includes('PC') && platform.length > 1, outcome('targeting_platforms_mixed')),
  ],
  ['platform', ruledOut('platform')],
  ['device_brand', ({ device_brand }) => when(isEmpty(device_brand), outcome('targeting_brand_missing'))],
  ['device_brand', ruledOut('device_brand')],
  ['launch_price', ({ launch_price: [low, high] }) => when(low >= high, outcome('targeting_price_reversed'))],

  [
    'aweme_fan_behaviors',
    ({ aweme_fan_behaviors }) => when(isEmpty(aweme_fan_behaviors), outcome('targeting_fan_behaviour_missing')),
  ],
  ['user_aweme_fan', ({ user_aweme_fan }) => when(isEmpty(user_aweme_fan), outcome('targeting_fan_missing'))],
  [
    'user_aweme_fan',
    ({ user_aweme_fan }) =>
      when(
        user_aweme_fan.length > FANS_MAX,
        outcome('targeting_picker_full', { field: 'user_aweme_fan', max: FANS_MAX }),
      ),
  ],
  [
    'auto_extend_targets',
    ({ auto_extend_targets }) => when(isEmpty(auto_extend_targets), outcome('targeting_open_target_missing')),
  ],
  ['auto_extend_targets', unrestrictedTarget],
]

export interface FieldFault {
  tab: Tab
  field: Field
  reason: Outcome
}

/** What is wrong with a form, in the order of the screen. */
export const formFaults = (platform: FiveTabPlatform, form: FiveTabForm, known: Known = {}): FieldFault[] =>
  CHECKS.flatMap(([field, check]) => {
    const reason = isShown(platform, field, form) ? check(form, platform, known) : null
    return reason ? [{ tab: FIELDS[field].tab, field, reason }] : []
  })

/** The first tab with a fault, and what is said when it is opened: 请检查 and its label. */
export function firstFault(faults: readonly FieldFault[]): { tab: Tab; reason: Outcome } | null {
  const tab = TAB_ORDER.find((one) => faults.some((fault) => fault.tab === one))
  return tab === undefined ? null : { tab, reason: outcome('targeting_tab_check', { tab }) }
}

/** The fields above the tabs. */
export interface BaseInfo {
  targeting_name: string
  dir_id: number | null
  landing_type: FiveTabForm['landing_type']
}

/** What is wrong above the tabs: name, folder, package type. */
export function baseFaults(platform: FiveTabPlatform, base: BaseInfo): { field: keyof BaseInfo; reason: Outcome }[] {
  const name = ItemName.safeParse(base.targeting_name).error?.issues[0]
  const isTypeKnown = base.landing_type !== null && codesOf(platform, 'landing_type').includes(base.landing_type)
  return [
    ...(name ? [{ field: 'targeting_name' as const, reason: outcome('input_refused', { text: name.message }) }] : []),
    ...(base.dir_id === null ? [{ field: 'dir_id' as const, reason: outcome('targeting_folder_missing') }] : []),
    ...(isTypeKnown ? [] : [{ field: 'landing_type' as const, reason: outcome('targeting_type_missing') }]),
  ]
}
