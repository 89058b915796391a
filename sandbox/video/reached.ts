import { businessDistrictOf } from '../population/business-districts.ts'
import { entryOf, type Family, type TagType } from '../population/categories.ts'
import { activated, inCareer, onDevice, onPlatform, withBrand, withCarrier, withPrice } from '../population/devices.ts'
import { both, type Crowd, crowdOf, either, everyone, membersOf, nobody, without } from '../population/population.ts'
import { holdersOf } from '../population/reach.ts'
import { agedBetween, ofAge, ofGender, onNetwork } from '../population/traits.ts'
import { type Circle, circleWhereabouts, inRegions, type LocationType, ofType } from '../population/whereabouts.ts'
import { creatorCategoryOf, creatorOf, fansWho } from './creators.ts'
import { AGES_WIDE, type Fields, listOf, textOf } from './package-fields.ts'

const FAN_DAYS: Readonly<Record<string, number>> = { FIFTEEN_DAYS: 15, THIRTY_DAYS: 30, SIXTY_DAYS: 60 }
const LEAF = 800_000_000
const CROWD_SHARE = 0.2
const OLDEST = 200

/** The users of a crowd of an account: always the same of the made-up people. */
const crowdMembers = (id: string): Crowd => crowdOf(membersOf(LEAF + Number(BigInt(id) % 90_000_007n), CROWD_SHARE))

const union = (sets: readonly Crowd[]): Crowd => sets.reduce(either, nobody())

function ofBand(band: string): Crowd {
  if (AGES_WIDE.includes(band)) return ofAge(band)
  const [from = 0, to = OLDEST] = band.match(/\d+/g)?.map(Number) ?? []
  return agedBetween(from, to)
}

const TAGS: readonly [name: string, family: Family, type: TagType][] = [
  ['action_categories', 'ACTION', 'CATEGORY'],
  ['action_words', 'ACTION', 'KEYWORD'],
  ['interest_categories', 'INTEREST', 'CATEGORY'],
  ['interest_words', 'INTEREST', 'KEYWORD'],
]

/** The people whom a package's targeting reaches: all of its conditions at once, any of the values of each. */
export function reachedByFields(fields: Fields): Crowd {
  let reached = everyone(() => true)
  const narrow = (sets: readonly Crowd[]) => {
    if (sets.length > 0) reached = both(reached, union(sets))
  }
  const gender = textOf(fields, 'gender')
  if (gender === 'GENDER_FEMALE' || gender === 'GENDER_MALE') narrow([ofGender(gender)])
  narrow(listOf(fields, 'age').map(ofBand))
  narrow(listOf(fields, 'career').map(inCareer))
  narrow(placesOf(fields))
  narrow(listOf(fields, 'platform').map(onPlatform))
  narrow(listOf(fields, 'device_type').map(onDevice))
  narrow(listOf(fields, 'device_brand').map(withBrand))
  const [low, high] = listOf(fields, 'launch_price').map(Number)
  if (low !== undefined && high !== undefined) narrow([withPrice(low, high)])
  narrow(listOf(fields, 'ac').map(onNetwork))
  narrow(listOf(fields, 'carrier').map(withCarrier))
  narrow(
    listOf(fields, 'activate_type')
      .filter((one) => one !== 'UNLIMITED')
      .map(activated),
  )
  narrow(behaviourOf(fields))
  narrow(fansOf(fields))
  narrow(listOf(fields, 'retargeting_tags').map(crowdMembers))
  return without(reached, union(listOf(fields, 'retargeting_tags_exclude').map(crowdMembers)))
}

function placesOf(fields: Fields): Crowd[] {
  const district = textOf(fields, 'district', 'NONE')
  if (district === 'NONE') return []
  const type = textOf(fields, 'location_type', 'CURRENT') as LocationType
  if (district !== 'BUSINESS_DISTRICT') return [inRegions(listOf(fields, 'city'), type)]
  const circles: Circle[] = [
    ...(fields.geolocation ?? []).map(({ long, lat, radius }) => ({ center: [long, lat] as const, metres: radius })),
    ...listOf(fields, 'business_ids').flatMap((id) => businessDistrictOf(id) ?? []),
  ]
  return [ofType(circleWhereabouts(circles), type)]
}

/** Any of the behaviours and interests. One that was withdrawn reaches nobody. */
function behaviourOf(fields: Fields): Crowd[] {
  if (fields.interest_action_mode !== 'CUSTOM') return []
  const window = { days: Number(fields.action_days ?? 30), scenes: listOf(fields, 'action_scene') }
  return TAGS.flatMap(([name, family, type]) =>
    listOf(fields, name).map((id) => {
      const entry = entryOf(family, type, id)
      return entry ? holdersOf(family, entry, window) : nobody()
    }),
  )
}

/** People who dealt with any of the creators; without what they did, the creators restrict nothing. */
function fansOf(fields: Fields): Crowd[] {
  const behaviors = listOf(fields, 'aweme_fan_behaviors')
  const chosen = [...listOf(fields, 'aweme_fan_categories'), ...listOf(fields, 'aweme_fan_accounts')]
  if (behaviors.length === 0 || chosen.length === 0) return []
  const creators = [
    ...listOf(fields, 'aweme_fan_categories').flatMap((id) => creatorCategoryOf(id)?.creators ?? []),
    ...listOf(fields, 'aweme_fan_accounts').flatMap((id) => creatorOf(id)?.no ?? []),
  ]
  return [fansWho(creators, behaviors, FAN_DAYS[textOf(fields, 'aweme_fan_time_scope', 'FIFTEEN_DAYS')])]
}
