import fc from 'fast-check'
import { changed } from './five-tab/change.ts'
import { emptyForm } from './five-tab/form.ts'
import { type ChoiceField, LABELS } from './five-tab/labels.ts'
import { codesOf, type FiveTabPlatform } from './five-tab/platforms.ts'
import { PRICE } from './five-tab/price.ts'
import type { FiveTabForm } from './five-tab/schema.ts'

const id = fc.integer({ min: 1, max: 6 }).map(String)
const ids = fc.uniqueArray(id, { maxLength: 4 })
const tags = fc.array(fc.record({ id, type: fc.constantFrom(1 as const, 2 as const) }), { maxLength: 3 })
const by = fc.constantFrom<'CUSTOM'[]>([], ['CUSTOM'])
const flag = fc.constantFrom(0 as const, 1 as const)

const SINGLE: readonly ChoiceField[] = ['landing_type', 'smart_interest_action', 'aweme_fan_time_scope', 'new_customer']
const ONE_AT_MOST: readonly ChoiceField[] = ['gender', 'district', 'location_types']

/** Any value of some of the fields, as a viewer could set them. */
export function changeOf(platform: FiveTabPlatform): fc.Arbitrary<Partial<FiveTabForm>> {
  const offered = (Object.keys(LABELS) as ChoiceField[]).filter((field) => codesOf(platform, field).length > 0)
  const choices = offered.map((field): [string, fc.Arbitrary<unknown>] => {
    const code = fc.constantFrom(...codesOf(platform, field))
    if (SINGLE.includes(field)) return [field, code]
    return [field, fc.uniqueArray(code, { maxLength: ONE_AT_MOST.includes(field) ? 1 : 4 })]
  })
  const price = fc.integer({ min: 0, max: PRICE.max / PRICE.step - 1 }).map((low) => [low * PRICE.step, PRICE.max])
  const others = {
    regions: ids.map((regions) => ({ regions, regionsPlan: [] })),
    action_days: fc.constantFrom(7, 15, 30, 365),
    action_tags: tags,
    interest_tags: tags,
    auto_crowd_mode: fc.uniqueArray(fc.constantFrom(1, 2)),
    retargeting_tags_include: ids,
    retargeting_tags_exclude: ids,
    aweme_fan_by: flag,
    user_aweme_fan: fc.uniqueArray(fc.record({ type: fc.constant('category'), value: id }), {
      selector: (o) => o.value,
    }),
    auto_extend_enabled: flag,
    ...(platform === 'video'
      ? { career_by: by, device_brand_by: by, launch_price_by: by, launch_price: price }
      : { exclude_limited_region: flag }),
  }
  const fields: Record<string, fc.Arbitrary<unknown>> = { ...Object.fromEntries(choices), ...others }
  // Each field is drawn from what its schema reads.
  return fc.record(fields, { requiredKeys: [] }) as unknown as fc.Arbitrary<Partial<FiveTabForm>>
}

/** A form after any changes, one after another. */
export const formsOf = (platform: FiveTabPlatform) =>
  fc
    .array(changeOf(platform), { maxLength: 4 })
    .map((changes) => changes.reduce<FiveTabForm>((form, one) => changed(platform, form, one), emptyForm(platform)))
