import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changed, crowdsTwice } from './change.ts'
import { dimensionsOf } from './dimensions.ts'
import { formFaults } from './faults.ts'
import { FIELD_ORDER } from './fields.ts'
import { emptyForm, formOf } from './form.ts'
import { type ChoiceField, codesOf, LABELS } from './labels.ts'
import { savedTargeting } from './save.ts'
import { type SocialForm, SocialTargeting } from './schema.ts'
import { isShown } from './shown.ts'

const id = fc.integer({ min: 1, max: 6 }).map(String)
const ids = fc.uniqueArray(id, { maxLength: 4 })
const tags = fc.uniqueArray(fc.record({ id }), { maxLength: 3, selector: (tag) => tag.id })
const texts = fc.uniqueArray(fc.constantFrom('手机', '露营', 'SUV'), { maxLength: 3 })
const OPENERS: readonly ChoiceField[] = ['geo_location', 'behavior', 'interest', 'behavior_time_window']
const NEVER_NULL: readonly ChoiceField[] = ['location_types', 'behavior_scene']
const MOST: { [F in ChoiceField]?: number } = {
  gender: 1,
  excluded_dimension: 1,
  conversion_behavior_list: 2,
  behavior_scene: 3,
}
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

function choiceOf(field: ChoiceField): fc.Arbitrary<unknown> {
  const code = fc.constantFrom<string>(...codesOf(field))
  if (field === 'behavior_time_window') return code
  if (OPENERS.includes(field)) return orNull(code)
  const list = fc.uniqueArray(code, { maxLength: MOST[field] ?? 4 })
  return NEVER_NULL.includes(field) ? list : orNull(list)
}
const places = fc.array(
  fc.record({
    kind: fc.constant('circle'),
    name: fc.constant('某地'),
    long: fc.constant(121.475),
    lat: fc.constant(31.228),
    radius: fc.integer({ min: 200, max: 25_000 }),
  }),
  { maxLength: 2 },
)
const others = {
  regions: ids,
  custom_locations: places,
  age: orNull(fc.array(fc.record({ min: fc.constant(18), max: fc.integer({ min: 22, max: 66 }) }), { maxLength: 2 })),
  behavior_categories: tags,
  behavior_keywords: texts,
  interest_categories: tags,
  interest_keywords: texts,
  intention: orNull(tags),
  custom_audience: orNull(ids),
  excluded_custom_audience: orNull(ids),
}
/** Any value of some of the dimensions, as a viewer could set them. */
const change = fc.record(
  { ...Object.fromEntries((Object.keys(LABELS) as ChoiceField[]).map((field) => [field, choiceOf(field)])), ...others },
  { requiredKeys: [] },
  // Each dimension is drawn from what its schema reads.
) as unknown as fc.Arbitrary<Partial<SocialForm>>
/** A form after any changes, one after another. */
const form = fc.array(change, { maxLength: 4 }).map((changes) => changes.reduce<SocialForm>(changed, emptyForm()))

test('what is saved is read as it is, and saved the same when opened again', () => {
  fc.assert(
    fc.property(form, (one) => {
      const targeting = savedTargeting(one)
      expect(SocialTargeting.parse(targeting)).toEqual(targeting)
      expect(savedTargeting(formOf(targeting))).toEqual(targeting)
    }),
  )
})

test('saving and opening again gives the same form, but for what is hidden', () => {
  fc.assert(
    fc.property(form, (one) => {
      const opened = formOf(savedTargeting(one))
      for (const field of FIELD_ORDER.filter((shown) => isShown(shown, one) && shown !== 'age')) {
        expect([field, opened[field]]).toEqual([field, one[field]])
      }
    }),
  )
})

test('a form without faults has none once what is hidden is dropped', () => {
  fc.assert(
    fc.property(form, (one) => {
      fc.pre(formFaults(one).length === 0)
      expect(formFaults(formOf(savedTargeting(one)))).toEqual([])
    }),
  )
})

test('clearing is idempotent, and leaves no choice that others rule out', () => {
  fc.assert(
    fc.property(form, change, (one, next) => {
      const cleared = changed(one, next)
      expect(changed(cleared, {})).toEqual(cleared)
      expect(crowdsTwice(cleared)).toEqual([])
      const codes = formFaults(cleared).map(({ reason }) => reason.code)
      expect(codes).not.toContain('social_location_type_ruled_out')
    }),
  )
})

test('each dimension that narrows is one that the form without it does not have', () => {
  fc.assert(
    fc.property(form, (one) => {
      const dimensions = dimensionsOf(one)
      expect(dimensions.length).toBeLessThanOrEqual(12)
      for (const { label, without } of dimensions) {
        expect(dimensionsOf(without).map((other) => other.label)).toEqual(
          dimensions.map((other) => other.label).filter((other) => other !== label),
        )
      }
    }),
  )
})

test('what is left when a dimension is left out can be estimated', () => {
  fc.assert(
    fc.property(form, (one) => {
      fc.pre(formFaults(one).length === 0)
      for (const { without } of dimensionsOf(one)) expect(formFaults(without)).toEqual([])
    }),
  )
})
