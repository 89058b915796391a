import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import { PLATFORM_CODES, PLATFORMS, type PlatformCode } from '../platform.ts'
import { isLockedByUse } from './package-codes.ts'
import { landingTypes, needsGoals, packageOptions, packageWords, readPackage } from './packages.ts'

const [SOCIAL, VIDEO, COMMERCE] = [PLATFORMS.social.code, PLATFORMS.video.code, PLATFORMS.commerce.code]

test.each<[string, PlatformCode, unknown, string | null]>([
  ['social', SOCIAL, { gender: ['MALE'] }, null],
  ['social, incomplete', SOCIAL, { gender: [] }, '请选择性别'],
  ['social with a field of commerce', SOCIAL, { landing_type: 'LIVE' }, 'landing_type'],
  ['video', VIDEO, { landing_type: 'EXTERNAL' }, null],
  ['video with a type of commerce', VIDEO, { landing_type: 'VIDEO' }, 'EXTERNAL'],
  ['commerce', COMMERCE, { landing_type: 'VIDEO' }, null],
  ['commerce without a type', COMMERCE, {}, '请选择定向包类型'],
])('a targeting is read by the rules of its platform: %s', (_, code, given, sentence) => {
  const { targeting, refusal } = readPackage(code, given)
  expect(refusal === null ? null : sentenceOf(refusal)).toEqual(
    sentence === null ? null : expect.stringContaining(sentence),
  )
  expect(targeting === null).toBe(sentence !== null)
})

test.each<[PlatformCode, Record<string, unknown>, object]>([
  [SOCIAL, { gender: ['MALE'] }, { tab: 'demography', tabLabel: '人口学属性', label: '性别', words: ['男性'] }],
  [SOCIAL, { intention: [{ id: '1' }] }, { tabLabel: '行为兴趣', label: '意向', words: ['1'], isWithdrawn: true }],
  [COMMERCE, { gender: ['GENDER_MALE'] }, { tabLabel: '人口学属性', label: '性别', words: ['男'], isWithdrawn: false }],
  [VIDEO, { ac: ['WIFI'] }, { tab: 'device', tabLabel: '设备定向', label: '网络', words: ['Wi-Fi'] }],
])('a package of platform %i in words: %j', (code, targeting, line) => {
  expect(packageWords(code, targeting)).toEqual([expect.objectContaining(line)])
})

test('package types, goals and the lock by use follow the platform', () => {
  expect(landingTypes(SOCIAL)).toEqual([])
  expect(landingTypes(VIDEO)).toHaveLength(13)
  expect(landingTypes(COMMERCE).map(({ label }) => label)).toEqual(['直播', '短视频'])
  expect(PLATFORM_CODES.map(isLockedByUse)).toEqual([true, false, false])
  expect(PLATFORM_CODES.map(needsGoals)).toEqual([false, false, true])
})

test('every platform has choices for gender', () => {
  const groups = PLATFORM_CODES.map((code) => packageOptions(code).find(({ value }) => value === 'gender'))
  expect(groups.map((group) => group?.children.length)).toEqual([2, 2, 2])
})

test.each<[string, PlatformCode, unknown, { tab: string; field: string } | null]>([
  ['an incomplete dimension', SOCIAL, { gender: [] }, { tab: 'demography', field: 'gender' }],
  ['a code that no choice has', SOCIAL, { gender: ['OTHER'] }, { tab: 'demography', field: 'gender' }],
  ['one of platform 2', VIDEO, { landing_type: 'EXTERNAL', ac: ['TEN_G'] }, { tab: 'device', field: 'ac' }],
  ['a package type, which stands above the tabs', COMMERCE, { landing_type: 'DPA' }, null],
  ['a field that there is not', COMMERCE, { landing_type: 'LIVE', career: ['IT'] }, null],
  ['a text that is no JSON', SOCIAL, '{', null],
])('a refusal says where in the editor it is: %s', (_, code, given, at) => {
  expect(readPackage(code, given)).toMatchObject({ targeting: null, at })
})
