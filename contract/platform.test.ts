import { expect, test } from 'vitest'
import { IdentifierType } from './identifier.ts'
import { IDENTIFIER_TYPES } from './identifier-types.ts'
import {
  ASSET_TABS,
  AUDIENCE_CODES,
  AudienceCode,
  PLATFORM_CODES,
  PlatformCode,
  platformInfo,
  platformOfCode,
  platformOfTab,
  platformsTaking,
} from './platform.ts'

test('every platform has a unique number, tab and mark', () => {
  const entries = PLATFORM_CODES.map(platformInfo)
  for (const key of ['code', 'tab', 'mark', 'name'] as const) {
    expect(new Set(entries.map((entry) => entry[key])).size).toBe(entries.length)
  }
  expect(ASSET_TABS).toEqual([1, 2, 3, 4])
})

test('the numbers on the wire are those of the table', () => {
  expect(PLATFORM_CODES).toEqual([1, 2, 3])
  expect(AUDIENCE_CODES).toEqual([1, 2])
  expect(PLATFORM_CODES.map(platformOfCode)).toEqual(['social', 'video', 'commerce'])
  expect(PlatformCode.safeParse(3).success).toBe(true)
  expect(PlatformCode.safeParse(4).success).toBe(false)
  expect(AudienceCode.safeParse(3).success).toBe(false)
  expect(platformOfTab(4).code).toBe(3)
})

test('every identifier type may be pushed to a platform', () => {
  expect(IDENTIFIER_TYPES).toEqual(IdentifierType.options)
  for (const type of IdentifierType.options) expect(platformsTaking(type)).not.toEqual([])
  expect(platformsTaking('QQ')).toEqual([1])
  expect(platformsTaking('SHA256_MOBILE_PHONE')).toEqual([1, 2])
})
