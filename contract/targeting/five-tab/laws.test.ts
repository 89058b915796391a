import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeOf, formsOf } from '../testing.ts'
import { changed } from './change.ts'
import { dimensionsOf } from './dimensions.ts'
import { formFaults } from './faults.ts'
import { formOf } from './form.ts'
import { FIVE_TAB_PLATFORMS } from './platforms.ts'
import { savedTargeting } from './save.ts'
import { FIVE_TAB_TARGETING } from './schema.ts'
import { choicesOf } from './shown.ts'

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

test.each(FIVE_TAB_PLATFORMS)('what is left when a dimension of %s is left out can be estimated', (platform) => {
  fc.assert(
    fc.property(formsOf(platform), (form) => {
      fc.pre(formFaults(platform, form).length === 0)
      const dimensions = dimensionsOf(platform, form)
      expect(dimensions.length).toBeLessThanOrEqual(12)
      for (const { label, without } of dimensions) {
        expect(formFaults(platform, without)).toEqual([])
        const others = dimensionsOf(platform, without).map((one) => one.label)
        expect(others).not.toContain(label)
      }
    }),
  )
})
