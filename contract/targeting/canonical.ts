/** What is kept of a choice to show it; the ids of creators stand in lists of their own too. */
const SHOWN_ONLY = new Set([
  'name',
  'retargeting_tags_include_local',
  'retargeting_tags_exclude_local',
  'user_aweme_fan',
  'custom_audience_local',
  'excluded_custom_audience_local',
])

/**
 * A saved targeting as a text that is the same for two that restrict the same: whatever the order of their fields and
 * choices, and by whatever names the choices were known.
 */
export const canonicalTargeting = (targeting: object): string => JSON.stringify(canonical(targeting))

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    // The order of a list says nothing: even of a price, the lower end is the smaller number.
    return value.map(canonical).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !SHOWN_ONLY.has(key) && one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, canonical(one)]),
  )
}
