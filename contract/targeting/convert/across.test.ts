import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { emptyForm, formOf } from '../five-tab/form.ts'
import { codesOf, FIVE_TAB_PLATFORMS, type FiveTabPlatform } from '../five-tab/platforms.ts'
import { readTargeting } from '../five-tab/read.ts'
import { savedTargeting } from '../five-tab/save.ts'
import type { FiveTabForm } from '../five-tab/schema.ts'
import { targetingWords } from '../five-tab/words.ts'
import { emptyForm as emptySocial, formOf as socialFormOf } from '../social/form.ts'
import { codesOf as socialCodes } from '../social/labels.ts'
import { readTargeting as readSocial } from '../social/read.ts'
import { savedTargeting as savedSocial } from '../social/save.ts'
import type { SocialForm } from '../social/schema.ts'
import { targetingWords as socialWords } from '../social/words.ts'
import { formsOf } from '../testing.ts'
import { fiveTabToSocial, socialToFiveTab } from './across.ts'
import type { Conversion, CopyTarget } from './conversion.ts'
import { convertSocial } from './social.ts'

const ELSEWHERE: CopyTarget = { landing_type: null, isSameAccount: false, isSameAdvertiser: true, crowds: [] }
const said = ({ changes }: Conversion) =>
  changes.map(({ label, words, now, reason }) => [label, words, now, sentenceOf(reason)])
const circle = (radius: number) => ({ kind: 'circle' as const, name: '西湖', long: 120.1, lat: 30.2, radius })

describe('from the five-tab editor to the social one', () => {
  const toSocial = (from: FiveTabPlatform, part: Partial<FiveTabForm>) =>
    fiveTabToSocial(from, savedTargeting(from, { ...emptyForm(from), landing_type: 'LIVE', ...part }))
  const lines = (copy: Conversion) =>
    Object.fromEntries(socialWords(socialFormOf(copy.targeting)).map(({ field, words }) => [field, words]))

  test('ages, gender, regions and the way of being there are carried over', () => {
    const copy = toSocial('commerce', {
      age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30', 'AGE_ABOVE_50'],
      gender: ['GENDER_FEMALE'],
      district: ['CITY'],
      regions: { regions: ['110000'], regionsPlan: [] },
      location_types: ['HOME'],
    })
    expect(said(copy)).toEqual([])
    expect(lines(copy)).toEqual({
      regions: ['110000'],
      location_types: ['常住'],
      age: ['18-30 岁', '50 岁及以上'],
      gender: ['女性'],
    })
  })
  test.each<[string, FiveTabPlatform, Partial<FiveTabForm>, unknown[][]]>([
    [
      'ages that are narrower than the platform takes',
      'video',
      { age: ['AGE_BETWEEN_18_19'] },
      [['年龄', ['18-19 岁'], ['18-22 岁'], '目标平台的年龄分段不同，改用能覆盖它们的分段']],
    ],
    [
      'plans of regions',
      'commerce',
      { district: ['CITY'], regions: { regions: [], regionsPlan: [{ id: 1, name: '华北', regions: ['110000'] }] } },
      [['地域', ['华北'], ['110000'], '地域包属于原广告主，已改为其中的地域']],
    ],
    [
      '商圈, of which the circles beside them stay',
      'video',
      {
        district: ['BUSINESS_DISTRICT'],
        custom_locations: [circle(3000), { kind: 'business_district', id: '9', name: '国贸' }],
      },
      [['商圈', ['国贸'], [], '编号是平台自己的，请在目标平台重新选择']],
    ],
    [
      'crowds, tags and devices',
      'commerce',
      {
        auto_crowd_mode: [1],
        retargeting_tags_include: ['5'],
        smart_interest_action: 'CUSTOM',
        action_scene: ['APP'],
        interest_tags: [{ id: '8', type: 1, name: '美妆' }],
        ac: ['WIFI'],
      },
      [
        ['行为场景', ['APP 推广互动行为'], [], '目标平台没有这项条件'],
        ['行为天数', ['30 天'], [], '目标平台没有这项条件'],
        ['兴趣', ['美妆'], [], '编号是平台自己的，请在目标平台重新选择'],
        ['定向人群', ['5'], [], '人群属于原账户，目标账户没有'],
        ['网络', ['Wi-Fi'], [], '目标平台没有这项条件'],
      ],
    ],
  ])('%s', (_, from, part, changes) => {
    expect(said(toSocial(from, part))).toEqual(changes)
  })
})

describe('from the social editor to the five-tab one', () => {
  const fromSocial = (part: Partial<SocialForm>, to: FiveTabPlatform, target: Partial<CopyTarget> = {}) =>
    socialToFiveTab(savedSocial({ ...emptySocial(), ...part }), to, { ...ELSEWHERE, landing_type: 'LIVE', ...target })
  const lines = (copy: Conversion, to: FiveTabPlatform) =>
    Object.fromEntries(targetingWords(to, formOf(to, copy.targeting)).map(({ field, words }) => [field, words]))

  test('ages, gender, regions and the way of being there are carried over', () => {
    const part: Partial<SocialForm> = {
      age: [{ min: 18, max: 30 }],
      gender: ['MALE'],
      geo_location: 'REGIONS',
      regions: ['110000', '330106'],
      location_types: ['RECENTLY_IN'],
    }
    const copy = fromSocial(part, 'commerce')
    expect(said(copy)).toEqual([])
    expect(copy.targeting.district).toEqual(['COUNTY'])
    expect(lines(copy, 'commerce')).toEqual({
      age: ['18-23 岁', '24-30 岁'],
      gender: ['男'],
      regions: ['110000', '330106'],
      location_types: ['正在该地区的用户'],
    })
  })
  test('the finer bands are taken where they fit better', () => {
    const copy = fromSocial({ age: [{ min: 24, max: 35 }] }, 'video')
    expect(said(copy)).toEqual([])
    expect(lines(copy, 'video').age).toEqual(['24-30 岁', '31-35 岁'])
  })
  test.each<[string, Partial<SocialForm>, FiveTabPlatform, unknown[][]]>([
    [
      'ages between the bands',
      { age: [{ min: 20, max: 66 }] },
      'commerce',
      [
        [
          '年龄',
          ['20 岁及以上'],
          ['18-23 岁', '24-30 岁', '31-40 岁', '41-49 岁', '50 岁及以上'],
          '目标平台的年龄分段不同，改用能覆盖它们的分段',
        ],
      ],
    ],
    [
      'dimensions of the platform alone, tags and crowds',
      { education: ['BACHELOR'], interest: 'CUSTOM', interest_keywords: ['露营'], custom_audience: ['5'] },
      'video',
      [
        ['学历', ['本科'], [], '目标平台没有这项条件'],
        ['兴趣关键词', ['露营'], [], '编号是平台自己的，请在目标平台重新选择'],
        ['定向人群', ['5'], [], '人群属于原账户，目标账户没有'],
      ],
    ],
    [
      'circles that are too small, and who lives there',
      { geo_location: 'CUSTOM_LOCATIONS', custom_locations: [circle(500)], location_types: ['LIVE_IN'] },
      'video',
      [
        ['商圈与地点', ['西湖 周边 0.5 公里'], ['西湖 周边 3 公里'], '目标平台的半径为 3000 到 15000 米'],
        ['地点类型', ['常住'], [], '其他条件不同，这项不再适用'],
      ],
    ],
    [
      'a way of being there that the platform does not know',
      { geo_location: 'REGIONS', regions: ['110000'], location_types: ['VISITED_IN'] },
      'commerce',
      [['地点类型', ['去过'], ['该地区内的所有用户'], '目标平台没有这些选项']],
    ],
  ])('%s', (_, part, to, changes) => {
    expect(said(fromSocial(part, to))).toEqual(changes)
  })
  test('a package type is needed there, and told where nobody chose one', () => {
    expect(said(fromSocial({}, 'commerce', { landing_type: null }))).toEqual([
      ['定向包类型', [], ['直播'], '目标平台没有这些选项'],
    ])
  })
})

test('another account of the social platform keeps the crowds that it has too', () => {
  const row = { retargeting_tags_id: '5', name: '老客', is_common: 1 as const, retargeting_tags_op: 'ALL' as const }
  const targeting = savedSocial({ ...emptySocial(), custom_audience: ['5', '6'], excluded_custom_audience: ['7'] })
  const copy = convertSocial(targeting, { ...ELSEWHERE, crowds: [row] })
  expect(copy.targeting).toEqual({ custom_audience: ['5'], custom_audience_local: [row] })
  expect(said(copy)).toEqual([
    ['定向人群', ['6'], [], '人群属于原账户，目标账户没有'],
    ['排除人群', ['7'], [], '人群属于原账户，目标账户没有'],
  ])
})

const ids = fc.uniqueArray(fc.constantFrom('110000', '330100', '330106'), { minLength: 1 })
const range = fc.tuple(fc.integer({ min: 18, max: 62 }), fc.integer({ min: 4, max: 40 })).map(([min, width]) => ({
  min,
  max: Math.min(66, min + width),
}))
const socials: fc.Arbitrary<SocialForm> = fc
  .record(
    {
      age: fc.array(range, { minLength: 1, maxLength: 5 }),
      gender: fc.constantFrom<SocialForm['gender']>(['MALE'], ['FEMALE']),
      education: fc.uniqueArray(fc.constantFrom(...socialCodes('education')), { minLength: 1 }),
      geo_location: fc.constantFrom('REGIONS' as const, 'CUSTOM_LOCATIONS' as const),
      regions: ids,
      custom_locations: fc.array(fc.integer({ min: 200, max: 25_000 }).map(circle), { minLength: 1, maxLength: 3 }),
      location_types: fc.uniqueArray(fc.constantFrom(...socialCodes('location_types')), { minLength: 1, maxLength: 5 }),
      custom_audience: ids,
    },
    { requiredKeys: ['regions', 'custom_locations'] },
  )
  .map((part) => ({ ...emptySocial(), ...part }))
  .filter((form) => readSocial(savedSocial(form)).refusal === null)
const savedOf = (platform: FiveTabPlatform) =>
  formsOf(platform)
    .map((form) => savedTargeting(platform, { ...form, landing_type: form.landing_type ?? 'LIVE' }))
    .filter((targeting) => readTargeting(platform, targeting).refusal === null)

test.each(FIVE_TAB_PLATFORMS)('what is copied between %s and the social platform can be saved as it is', (platform) => {
  fc.assert(
    fc.property(
      savedOf(platform),
      socials,
      fc.constantFrom(null, ...codesOf(platform, 'landing_type')),
      (five, social, landing_type) => {
        const there = fiveTabToSocial(platform, five)
        expect(readSocial(there.targeting)).toEqual({ targeting: there.targeting, refusal: null })
        const back = socialToFiveTab(savedSocial(social), platform, { ...ELSEWHERE, landing_type })
        expect(readTargeting(platform, back.targeting)).toEqual({ targeting: back.targeting, refusal: null })
      },
    ),
  )
})

test.each(FIVE_TAB_PLATFORMS)(
  'a copy from the social platform to %s and back loses nothing that was not listed',
  (platform) => {
    fc.assert(
      fc.property(socials, (social) => {
        const saved = savedSocial(social)
        const there = socialToFiveTab(saved, platform, { ...ELSEWHERE, landing_type: 'LIVE' })
        const back = fiveTabToSocial(platform, there.targeting)
        const wordsOf = (targeting: object) =>
          new Map(socialWords(socialFormOf(targeting)).map((line) => [line.label, line.words]))
        const [before, after] = [wordsOf(saved), wordsOf(back.targeting)]
        const listed = new Set(there.changes.map(({ label }) => label))
        for (const [label, words] of before) {
          // Ranges that touch or overlap come back as one.
          if (listed.has(label) || label === '年龄') continue
          expect(after.get(label)?.toSorted()).toEqual(words.toSorted())
        }
      }),
    )
  },
)
