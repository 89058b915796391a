import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { parseJson } from '../lossless-json.ts'
import type { PackageContent } from '../targeting-platform.ts'
import { targetingObject } from './targeting-object.ts'

/** Lists of ids, which answers spell as numbers or, beyond 2^53, as text. */
const IDS = new Set([
  ...['regions', 'business_districts', 'custom_audience', 'excluded_custom_audience', 'category_id_list'],
  'targeting_tags',
])

/** A `targeting` object in the one form that all of the same meaning have: lists in order, nothing empty. */
export function normalised(object: Readonly<Record<string, unknown>>): PackageContent {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const made = normalValue(value, IDS.has(name))
      return made === undefined ? [] : [[name, made]]
    }),
  )
}

function normalValue(value: unknown, isIds: boolean): unknown {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const all = value.map((one) => (isIds ? String(one) : normalValue(one, false)))
    return all.length > 0 ? all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : undefined
  }
  if (typeof value !== 'object') return value
  const object = normalised(value as Record<string, unknown>)
  return Object.keys(object).length > 0 ? object : undefined
}

/** What the platform answers once the targeting is sent. */
export const contentOfTargeting = (targeting: SocialTargeting): PackageContent =>
  normalised(parseJson(JSON.stringify(targetingObject(targeting, 'v1.3'))) as Record<string, unknown>)
