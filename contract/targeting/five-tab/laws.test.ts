import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed } from './change.ts'
import { formFaults } from './faults.ts'
import { emptyForm, formOf } from './form.ts'
import { type ChoiceField, LABELS } from './labels.ts'
import { codesOf, FIVE_TAB_PLATFORMS, type FiveTabPlatform } from './platforms.ts'
import { PRICE } from './price.ts'
import { savedTargeting } from './save.ts'
import { FIVE_TAB_TARGETING, type FiveTabForm } from './schema.ts'
import { choicesOf } from './shown.ts'

const id = fc.integer({ min: 1, max: 6 }).map(String)
const ids = fc.uniqueArray(id, { maxLength: 4 })
const tags = fc.array(fc.record({ id, type: fc.constantFrom(1 as const, 2 as const) }), { maxLength: 3 })
const by = fc.constantFrom<'CUSTOM'[]>([], ['CUSTOM'])
const flag = fc.constantFrom(0 as const, 1 as const)

const SINGLE: readonly ChoiceField[] = ['landing_type', 'smart_interest_action', 'aweme_fan_time_scope', 'new_customer']
const ONE_AT_MOST: readonly ChoiceField[] = ['gender', 'district', 'location_types']

/** Any value of some of the fields, as a viewer could set them. */
function changeOf(platform: FiveTabPlatform): fc.Arbitrary<Partial<FiveTabForm>> {
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
const formsOf = (platform: FiveTabPlatform) =>
  fc
    .array(changeOf(platform), { maxLength: 4 })
    .map((changes) => changes.reduce<FiveTabForm>((form, one) => changed(platform, form, one), emptyForm(platform)))

test.each(FIVE_TAB_PLATFORMS)('what %s saves is read as it is, and saved the same when opened again', (platform) => {
  fc.assert(
    fc.property(formsOf(platform), (form) => {
      const targeting = savedTargeting(platform, form)
      expect(FIVE_TAB_TARGETING[platform].parse(targeting)).toEqual(targeting)
      expect(savedTargeting(platform, formOf(platform, targeting))).toEqual(targeting)
    }),
  )
})

test.each(FIVE_TAB_PLATFORMS)('a form of %s without faults has none once what is hidden is dropped', (platform) => {
  fc.assert(
    fc.property(formsOf(platform), (form) => {
      const faults = formFaults(platform, form)
      fc.pre(faults.length === 0)
      expect(formFaults(platform, formOf(platform, savedTargeting(platform, form)))).toEqual([])
    }),
  )
})

test.each(FIVE_TAB_PLATFORMS)('no change of %s leaves a choice that others rule out', (platform) => {
  const WRONG = [
    'targeting_ages_mixed',
    'targeting_platforms_mixed',
    'targeting_crowd_twice',
    'targeting_choice_ruled_out',
  ]
  fc.assert(
    fc.property(formsOf(platform), changeOf(platform), (form, change) => {
      const next = changed(platform, form, change)
      const codes = formFaults(platform, next).map(({ reason }) => reason.code)
      expect(codes.filter((code) => WRONG.includes(code))).toEqual([])
      const brands: string[] = choicesOf(platform, 'device_brand', next).map(({ value }) => value)
      expect(next.device_brand.every((brand) => brands.includes(brand))).toBe(true)
    }),
  )
})
