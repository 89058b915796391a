import { entryOf, type Family, type TagType } from '../population/categories.ts'
import { both, type Crowd, crowdOf, either, everyone, membersOf, nobody, without } from '../population/population.ts'
import { ACTION_DAYS, holdersOf, type Window } from '../population/reach.ts'
import { regionOf } from '../population/regions.ts'
import { AGE_BANDS, newCustomers, ofAge, ofGender, onNetwork, onSystem, whereLimited } from '../population/traits.ts'
import { inRegions, LOCATION_TYPES } from '../population/whereabouts.ts'
import { within } from './arguments.ts'
import { crowdMembers } from './commerce-crowds.ts'
import { BEHAVIORS, creatorCategoryOf, creatorOf, fansWho } from './creators.ts'
import { badRequest } from './envelope.ts'

const SCENES = ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH'] as const
const NETWORKS = ['WIFI', '2G', '3G', '4G', '5G'] as const
const SYSTEMS = ['ANDROID', 'IOS'] as const
const EXPANSIONS = ['AGE', 'REGION', 'GENDER', 'INTEREST_ACTION', 'CUSTOM_AUDIENCE'] as const
const LIVE_TAGS = ['LARGE_FANSCOUNT', 'ABNORMAL_ACTIVE', 'AWEME_FANS'] as const
const FAN_DAYS = { DAYS_15: 15, DAYS_30: 30, DAYS_60: 60 } as const
const IDS_MOST = 1000
const LIVE_TAG_LEAF = 900_000_000
const LIVE_TAG_SHARE = 0.3

type Given = ReturnType<typeof within>
type Json = Parameters<typeof within>[0]

function codes<T extends string>(given: Given, name: string, values: readonly T[]): T[] {
  const chosen = given.optionalTexts(name, values.length) ?? []
  const wrong = chosen.find((one) => !values.some((value) => value === one))
  if (wrong !== undefined) throw badRequest(`audience.${name}: 不支持的取值: ${wrong}`)
  return chosen as T[]
}
const ids = (given: Given, object: Json, name: string): string[] =>
  Object.hasOwn(object, name) ? given.ids(name, IDS_MOST) : []

const union = (sets: readonly Crowd[]): Crowd => sets.reduce(either, nobody())

/** The people whom an `audience` object reaches: all of its conditions at once, any of the values of each. */
export function reachedBy(object: Json, account_id: string): Crowd {
  const given = within(object)
  let reached = everyone(() => true)
  const narrow = (sets: readonly Crowd[]) => {
    if (sets.length > 0) reached = both(reached, union(sets))
  }
  given.oneOf('audience_mode', ['CUSTOM', 'AUTO', 'NONE'], 'CUSTOM')
  narrow(codes(given, 'age', AGE_BANDS).map(ofAge))
  const gender = given.oneOf('gender', ['GENDER_FEMALE', 'GENDER_MALE', 'NONE'], 'NONE')
  if (gender !== 'NONE') narrow([ofGender(gender)])
  narrow(codes(given, 'platform', SYSTEMS).map(onSystem))
  narrow(codes(given, 'ac', NETWORKS).map(onNetwork))
  narrow(placesOf(given, object))
  if (given.optionalNumber('exclude_limited_region', { of: [0, 1] }) === 1) reached = without(reached, whereLimited())
  narrow(behaviourOf(given, object))
  narrow(fansOf(given, object))
  narrow(
    codes(given, 'live_platform_tags', LIVE_TAGS).map((tag) =>
      crowdOf(membersOf(LIVE_TAG_LEAF + LIVE_TAGS.indexOf(tag), LIVE_TAG_SHARE)),
    ),
  )
  if (given.oneOf('new_customer', ['NONE', 'NO_BUY'], 'NONE') === 'NO_BUY') narrow([newCustomers()])
  const crowds = (name: string) =>
    ids(given, object, name).map((id) => {
      const members = crowdMembers(account_id, id)
      if (!members) throw badRequest(`audience.${name}: 人群包不存在: ${id}`)
      return crowdOf(members)
    })
  narrow(crowds('retargeting_tags_include'))
  reached = without(reached, union(crowds('retargeting_tags_exclude')))
  // Expansion shows only in delivery.
  given.optionalNumber('auto_extend_enabled', { of: [0, 1] })
  codes(given, 'auto_extend_targets', EXPANSIONS)
  const [unknown] = given.unknown()
  if (unknown !== undefined) throw badRequest(`audience.${unknown}: 不支持的参数`)
  return reached
}

function placesOf(given: Given, object: Json): Crowd[] {
  const district = given.oneOf('district', ['CITY', 'COUNTY', 'NONE'], 'NONE')
  const city = ids(given, object, 'city')
  const type = given.text('location_type', { isOptional: true })
  if (district === 'NONE') {
    if (city.length > 0) throw badRequest('audience.city: 仅在district为CITY或COUNTY时填写')
    return []
  }
  if (city.length === 0) throw badRequest('audience.city: 缺少必填参数')
  const county = district === 'CITY' ? city.find((id) => regionOf(id)?.level === 'DISTRICT') : undefined
  if (county !== undefined) throw badRequest(`audience.city: district为CITY时不能有区县: ${county}`)
  const known = LOCATION_TYPES.find((one) => one === type)
  if (!known) throw badRequest(`audience.location_type: 只能是${LOCATION_TYPES.join('、')}`)
  return [inRegions(city, known)]
}

const TAGS: readonly [name: string, family: Family, type: TagType][] = [
  ['action_categories', 'ACTION', 'CATEGORY'],
  ['action_words', 'ACTION', 'KEYWORD'],
  ['interest_categories', 'INTEREST', 'CATEGORY'],
  ['interest_words', 'INTEREST', 'KEYWORD'],
]

/** Any of the behaviours and interests. One that was withdrawn reaches nobody. */
function behaviourOf(given: Given, object: Json): Crowd[] {
  const mode = given.text('smart_interest_action', { isOptional: true })
  if (mode !== undefined && mode !== 'CUSTOM' && mode !== 'RECOMMEND') {
    throw badRequest('audience.smart_interest_action: 只能是CUSTOM、RECOMMEND')
  }
  const scenes = codes(given, 'action_scene', SCENES)
  const days = given.optionalNumber('action_days', { of: ACTION_DAYS })
  const window: Window = { days: days ?? 30, scenes }
  const chosen = TAGS.map(([name, family, type]) => ({ name, family, type, ids: ids(given, object, name) }))
  const first = chosen.find((one) => one.ids.length > 0)
  if (mode !== 'CUSTOM' && first) throw badRequest(`audience.${first.name}: 仅在smart_interest_action为CUSTOM时填写`)
  return chosen.flatMap(({ family, type, ids: all }) =>
    all.map((id) => {
      const entry = entryOf(family, type, id)
      return entry ? holdersOf(family, entry, window) : nobody()
    }),
  )
}

/** People who dealt with any of the creators. */
function fansOf(given: Given, object: Json): Crowd[] {
  const behaviors = codes(given, 'aweme_fan_behaviors', BEHAVIORS)
  const days = given.text('aweme_fan_behaviors_days', { isOptional: true })
  const span = days === undefined ? FAN_DAYS.DAYS_60 : FAN_DAYS[days as keyof typeof FAN_DAYS]
  if (span === undefined)
    throw badRequest(`audience.aweme_fan_behaviors_days: 只能是${Object.keys(FAN_DAYS).join('、')}`)
  const creators = [
    ...ids(given, object, 'aweme_fan_categories').flatMap((id) => creatorCategoryOf(id)?.creators ?? []),
    ...ids(given, object, 'aweme_fan_accounts').flatMap((id) => creatorOf(id)?.no ?? []),
  ]
  const isAsked = Object.hasOwn(object, 'aweme_fan_categories') || Object.hasOwn(object, 'aweme_fan_accounts')
  if (!isAsked) return []
  if (behaviors.length === 0) throw badRequest('audience.aweme_fan_behaviors: 缺少必填参数')
  return [fansWho(creators, behaviors, span)]
}
