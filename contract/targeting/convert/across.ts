import { type Outcome, outcome } from '../../outcome.ts'
import type { Field } from '../five-tab/fields.ts'
import { emptyForm, formOf } from '../five-tab/form.ts'
import { editorOf, type FiveTabPlatform } from '../five-tab/platforms.ts'
import { savedTargeting } from '../five-tab/save.ts'
import type { FiveTabForm, FiveTabTargeting } from '../five-tab/schema.ts'
import { targetingWords } from '../five-tab/words.ts'
import type { Place, RadiusBounds } from '../place.ts'
import { isDistrictCode } from '../region-code.ts'
import type { Field as SocialField } from '../social/fields.ts'
import { emptyForm as emptySocial, formOf as socialFormOf } from '../social/form.ts'
import type { CodeOf } from '../social/labels.ts'
import { AGE, RADIUS } from '../social/platform.ts'
import { savedTargeting as savedSocial } from '../social/save.ts'
import type { SocialForm, SocialTargeting } from '../social/schema.ts'
import { targetingWords as socialWords } from '../social/words.ts'
import { type AgeRange, bandsOf, isSameYears, joined, rangesOf } from './ages.ts'
import type { Conversion, CopyChange, CopyTarget } from './conversion.ts'
import { expanded, typeChangeOf, typeFor, within } from './five-tab.ts'

/** Ways of being at a place that mean the same, from the five-tab editor to the social one. */
const PRESENCE = {
  CURRENT: ['RECENTLY_IN'],
  HOME: ['LIVE_IN'],
  TRAVEL: ['TRAVEL_IN'],
  ALL: ['LIVE_IN', 'RECENTLY_IN', 'TRAVEL_IN'],
} as const satisfies Record<FiveTabForm['location_types'][number], readonly CodeOf<'location_types'>[]>
type Presence = keyof typeof PRESENCE
const PRESENCES = Object.keys(PRESENCE) as Presence[]
const GENDERS = { GENDER_MALE: 'MALE', GENDER_FEMALE: 'FEMALE' } as const

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item) => other.includes(item))

/** Circles with a radius that the platform takes; its 商圈 are its own. */
const circlesIn = (places: readonly Place[], bounds: RadiusBounds) =>
  places.filter((place) => place.kind === 'circle').map((place) => within(place, bounds))

/** The ages as ranges that the social platform takes: none narrower than it allows. */
function socialAges(years: readonly AgeRange[]): NonNullable<SocialForm['age']> {
  const wide = years.map(({ min, max }) => {
    const from = Math.min(Math.max(min, AGE.min), AGE.max - AGE.leastWidth)
    return { min: from, max: Math.min(AGE.max, Math.max(max ?? AGE.max, from + AGE.leastWidth)) }
  })
  return joined(wide).map(({ min, max }) => ({ min, max: max ?? AGE.max }))
}
const yearsOf = (ages: NonNullable<SocialForm['age']>): AgeRange[] =>
  joined(ages.map(({ min, max }) => ({ min, max: max === AGE.max ? null : max })))

/** What is listed for the lines of the original: nothing for those in `same`, a change for others, else that they go. */
function changesOf<F extends string>(
  lines: readonly { field: F; label: string; words: string[] }[],
  same: readonly F[],
  changed: { [K in F]?: Pick<CopyChange, 'now' | 'reason'> & { words?: string[] } },
  reasonOf: (field: F) => Outcome,
): CopyChange[] {
  return lines.flatMap(({ field, label, words }) => {
    if (same.includes(field)) return []
    const change = changed[field] ?? { now: [], reason: reasonOf(field) }
    return [{ label, words, ...change }]
  })
}

const IDS: readonly string[] = [
  'action_tags',
  'interest_tags',
  'user_aweme_fan',
  'behavior_categories',
  'behavior_keywords',
  'interest_categories',
  'interest_keywords',
  'intention',
]
const CROWDS: readonly string[] = [
  'retargeting_tags_include',
  'retargeting_tags_exclude',
  'custom_audience',
  'excluded_custom_audience',
]
/** Why something stays behind: another platform numbers its tags and crowds otherwise. */
function leftReason(field: string): Outcome {
  if (CROWDS.includes(field)) return outcome('copy_crowds_missing')
  return outcome(IDS.includes(field) ? 'copy_ids_differ' : 'copy_field_missing')
}

const agesDiffer = outcome('copy_ages_differ')
/** What became of places on the map: the circles stay, with a radius that is taken; 商圈 are the platform's own. */
function placesChange(
  places: readonly Place[],
  circles: readonly Place[],
  bounds: RadiusBounds,
  now: string[],
  words: string[],
) {
  const isCut = circles.length < places.length
  const reason = isCut ? outcome('copy_ids_differ') : outcome('copy_radius_bounded', { ...bounds })
  const gone = words.filter((word) => !now.includes(word))
  return gone.length === 0 ? null : { words: gone, now: now.filter((word) => !words.includes(word)), reason }
}

const lineOf = <F extends string>(lines: readonly { field: F; words: string[] }[], field: F): string[] =>
  lines.find((line) => line.field === field)?.words ?? []

/** A targeting of the five-tab editor for the social platform. */
export function fiveTabToSocial(from: FiveTabPlatform, targeting: FiveTabTargeting): Conversion {
  const form = formOf(from, targeting)
  const lines = targetingWords(from, form)
  const next = emptySocial()
  const years = rangesOf(form.age)
  if (years.length > 0) next.age = socialAges(years)
  const [gender] = form.gender
  if (gender) next.gender = [GENDERS[gender]]
  const isOnMap = form.district.includes('BUSINESS_DISTRICT')
  const circles = isOnMap ? circlesIn(form.custom_locations, RADIUS) : []
  const regions = isOnMap || form.district.length === 0 ? [] : expanded(form.regions).regions
  if (circles.length > 0) {
    next.geo_location = 'CUSTOM_LOCATIONS'
    next.custom_locations = circles
  } else if (regions.length > 0) {
    next.geo_location = 'REGIONS'
    next.regions = regions
    next.location_types = [...PRESENCE[form.location_types[0] ?? 'CURRENT']]
  }
  const said = socialWords(next)
  const same: Field[] = ['gender', 'location_types']
  const changed: Parameters<typeof changesOf<Field>>[2] = {}
  if (isSameYears(years, yearsOf(next.age ?? []))) same.push('age')
  else changed.age = { now: lineOf(said, 'age'), reason: agesDiffer }
  const plans = form.regions.regionsPlan
  if (plans.length === 0) same.push('regions')
  else {
    const now = lineOf(said, 'regions').filter((word) => !form.regions.regions.includes(word))
    changed.regions = { words: plans.map(({ name }) => name), now, reason: outcome('copy_plans_expanded') }
  }
  const moved = placesChange(
    form.custom_locations,
    circles,
    RADIUS,
    lineOf(said, 'custom_locations'),
    lineOf(lines, 'custom_locations'),
  )
  if (moved) changed.custom_locations = moved
  else same.push('custom_locations')
  return { targeting: savedSocial(next), changes: changesOf(lines, same, changed, leftReason) }
}

/** A targeting of the social platform for one of the five-tab editor. */
export function socialToFiveTab(targeting: SocialTargeting, to: FiveTabPlatform, target: CopyTarget): Conversion {
  const form = socialFormOf(targeting)
  const lines = socialWords(form)
  const next = { ...emptyForm(to), landing_type: typeFor(to, null, target.landing_type) }
  const years = yearsOf(form.age ?? [])
  next.age = bandsOf(to, years)
  const gender = form.gender?.[0]
  if (gender) next.gender = [gender === 'MALE' ? 'GENDER_MALE' : 'GENDER_FEMALE']
  const { radius } = editorOf(to)
  const circles = form.geo_location === 'CUSTOM_LOCATIONS' && radius ? circlesIn(form.custom_locations, radius) : []
  const presence = PRESENCES.find((one) => isSameSet(PRESENCE[one], form.location_types))
  if (form.geo_location === 'REGIONS') {
    next.district = [form.regions.some(isDistrictCode) ? 'COUNTY' : 'CITY']
    next.regions = { regions: [...form.regions], regionsPlan: [] }
    next.location_types = [presence ?? 'ALL']
  } else if (circles.length > 0) {
    next.district = ['BUSINESS_DISTRICT']
    next.custom_locations = circles
  }
  const said = targetingWords(to, next)
  const same: SocialField[] = ['gender', 'regions']
  const changed: Parameters<typeof changesOf<SocialField>>[2] = {}
  if (isSameYears(years, rangesOf(next.age))) same.push('age')
  else changed.age = { now: lineOf(said, 'age'), reason: agesDiffer }
  if (form.geo_location === 'REGIONS' && presence) same.push('location_types')
  else {
    const now = lineOf(said, 'location_types')
    changed.location_types = { now, reason: outcome(now.length > 0 ? 'copy_choices_missing' : 'copy_depends') }
  }
  if (radius) {
    const words = lineOf(lines, 'custom_locations')
    const moved = placesChange(form.custom_locations, circles, radius, lineOf(said, 'custom_locations'), words)
    if (moved) changed.custom_locations = moved
    else same.push('custom_locations')
  }
  return {
    targeting: savedTargeting(to, next),
    changes: [...typeChangeOf(null, next.landing_type, target), ...changesOf(lines, same, changed, leftReason)],
  }
}
