import { expect, test } from 'vitest'
import { isDistrictCode } from './region-code.ts'

test.each([
  ['a province', '310000', false],
  ['a city', '330100', false],
  ['a city without districts', '441900', false],
  ['a city right below its province', '429004', false],
  ['a forest district right below its province', '429021', false],
  ['a district of a municipality', '110101', true],
  ['a county', '330122', true],
  ['a city at county level', '330182', true],
  ['a place of the platform’s own', '7', false],
])('%s', (_, code, isDistrict) => {
  expect(isDistrictCode(code)).toBe(isDistrict)
})
