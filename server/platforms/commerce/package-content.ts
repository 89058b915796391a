import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { isDistrictCode } from '#contract/targeting/region-code.ts'
import { parseJson } from '../lossless-json.ts'
import type { PackageContent } from '../targeting-platform.ts'
import { audienceObject } from './audience-object.ts'

/** Facts about a package that restrict nothing. */
const FACTS = ['advertiser_id', 'region_version', 'audience_mode']
const IDLE: readonly unknown[] = [null, undefined, '', 0, false, 'NONE', 'UNLIMITED']
const CUSTOM_ONLY = [
  ...['action_scene', 'action_days', 'action_categories', 'action_words', 'interest_categories', 'interest_words'],
]
const FANS = ['aweme_fan_behaviors', 'aweme_fan_behaviors_days', 'aweme_fan_categories', 'aweme_fan_accounts']
/** Lists of ids, which answers spell as numbers or, beyond 2^53, as text. */
const IDS = new Set([
  ...['city', 'action_categories', 'action_words', 'interest_categories', 'interest_words', 'aweme_fan_categories'],
  ...['aweme_fan_accounts', 'retargeting_tags_include', 'retargeting_tags_exclude'],
])
/** Packages are read with an underscore, and plans written with a hyphen. */
const SCENES: Readonly<Record<string, string>> = { E_COMMERCE: 'E-COMMERCE' }

type Fields = Readonly<Record<string, unknown>>
const listIn = (fields: Fields, name: string): unknown[] => (Array.isArray(fields[name]) ? fields[name] : [])

/** What restricts nothing, or belongs to a choice that is not made. */
function idleIn(fields: Fields): Set<string> {
  const idle = new Set(FACTS)
  if (fields.smart_interest_action !== 'CUSTOM') for (const name of CUSTOM_ONLY) idle.add(name)
  const hasFans = listIn(fields, 'aweme_fan_categories').length + listIn(fields, 'aweme_fan_accounts').length > 0
  if (!hasFans) for (const name of FANS) idle.add(name)
  if (listIn(fields, 'city').length === 0) for (const name of ['district', 'location_type']) idle.add(name)
  return idle
}

/** A package's fields in the one form that all of the same meaning have: lists in order, nothing that restricts nothing. */
export function contentOfRow(fields: Fields): PackageContent {
  const idle = idleIn(fields)
  const content = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (idle.has(name) || IDLE.includes(value)) return []
    if (!Array.isArray(value)) return [[name, value]]
    const spelled = value.map((one) => (IDS.has(name) ? String(one) : (SCENES[String(one)] ?? one)))
    const sorted = spelled.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    return sorted.length > 0 ? [[name, sorted]] : []
  })
  const { district, city, ...rest } = Object.fromEntries(content) as { district?: string; city?: string[] }
  if (!city) return { ...rest, ...(district && { district }) }
  // How the regions were chosen means nothing: cities can be chosen among districts.
  const known =
    district === 'CITY' || district === 'COUNTY' ? (city.some(isDistrictCode) ? 'COUNTY' : 'CITY') : district
  return { ...rest, ...(known && { district: known }), city }
}

/** The content of what a plan is sent for a targeting. */
export const contentOfTargeting = (targeting: FiveTabTargeting): PackageContent =>
  contentOfRow(parseJson(JSON.stringify(audienceObject(targeting))) as Fields)
