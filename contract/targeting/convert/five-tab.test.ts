import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import type { CrowdRow } from '../five-tab/crowd-row.ts'
import { emptyForm, formOf } from '../five-tab/form.ts'
import { codesOf, FIVE_TAB_PLATFORMS, type FiveTabPlatform } from '../five-tab/platforms.ts'
import { readTargeting } from '../five-tab/read.ts'
import { savedTargeting } from '../five-tab/save.ts'
import type { FiveTabForm } from '../five-tab/schema.ts'
import { targetingWords } from '../five-tab/words.ts'
import { formsOf } from '../testing.ts'
import type { CopyTarget } from './conversion.ts'
import { convertFiveTab } from './five-tab.ts'

const crowd = (id: string, name = `人群${id}`): CrowdRow => ({
  retargeting_tags_id: id,
  name,
  is_common: 1,
  retargeting_tags_op: 'ALL',
})
const ELSEWHERE: CopyTarget = {
  landing_type: null,
  isSameAccount: false,
  isSameAdvertiser: true,
  crowds: [crowd('2', '老客（新）')],
}

function copied(
  from: FiveTabPlatform,
  part: Partial<FiveTabForm>,
  to: FiveTabPlatform,
  target: Partial<CopyTarget> = {},
) {
  const form = { ...emptyForm(from), landing_type: 'LIVE' as const, ...part }
  const { targeting, changes } = convertFiveTab(from, savedTargeting(from, form), to, { ...ELSEWHERE, ...target })
  return {
    words: Object.fromEntries(targetingWords(to, formOf(to, targeting)).map((line) => [line.field, line.words])),
    changes: changes.map(({ label, words, now, reason }) => [label, words, now, sentenceOf(reason)]),
    targeting,
  }
}

describe('what both have is carried over', () => {
  test.each<[string, Partial<FiveTabForm>, FiveTabPlatform, FiveTabPlatform, Record<string, string[]>]>([
    ['gender', { gender: ['GENDER_FEMALE'] }, 'commerce', 'video', { gender: ['女'] }],
    ['ages', { age: ['AGE_BETWEEN_24_30'] }, 'commerce', 'video', { age: ['24-30 岁'] }],
    [
      'regions with the kind of presence',
      { district: ['CITY'], regions: { regions: ['110000'], regionsPlan: [] }, location_types: ['HOME'] },
      'video',
      'commerce',
      { regions: ['110000'], location_types: ['居住在该地区的用户'] },
    ],
    [
      'behaviours and interests',
      {
        smart_interest_action: 'CUSTOM',
        action_scene: ['APP'],
        action_tags: [{ id: '9', type: 1, name: '美妆' }],
        interest_tags: [{ id: '8', type: 2, name: '口红' }],
      },
      'video',
      'commerce',
      { action_scene: ['APP 推广互动行为'], action_days: ['30 天'], action_tags: ['美妆'], interest_tags: ['口红'] },
    ],
    [
      'creators, with the days of the platform',
      {
        aweme_fan_by: 1,
        aweme_fan_time_scope: 'SIXTY_DAYS',
        user_aweme_fan: [{ type: 'category', value: '7', label: '美食' }],
      },
      'video',
      'commerce',
      { aweme_fan_behaviors: ['视频互动-已评论用户'], aweme_fan_time_scope: ['60 天'], user_aweme_fan: ['美食'] },
    ],
    ['networks', { ac: ['WIFI', '5G'] }, 'commerce', 'video', { ac: ['Wi-Fi', '5G'] }],
  ])('%s', (_, part, from, to, words) => {
    expect(copied(from, part, to)).toMatchObject({ words, changes: [] })
  })
})

describe('what does not map is listed', () => {
  test.each<[string, Partial<FiveTabForm>, FiveTabPlatform, FiveTabPlatform, unknown[][]]>([
    [
      'a field that the platform never had',
      { career_by: ['CUSTOM'], career: ['IT'], launch_price_by: ['CUSTOM'], launch_price: [2000, 4000] },
      'video',
      'commerce',
      [
        ['职业状态', ['IT'], [], '目标平台没有这项条件'],
        ['手机价格', ['2000-4000 元'], [], '目标平台没有这项条件'],
      ],
    ],
    [
      'finer ages, by the bands that cover them',
      { age: ['AGE_BETWEEN_18_19', 'AGE_BETWEEN_41_45'] },
      'video',
      'commerce',
      [['年龄', ['18-19 岁', '41-45 岁'], ['18-23 岁', '41-49 岁'], '目标平台的年龄分段不同，改用能覆盖它们的分段']],
    ],
    [
      'a choice of the other platform',
      { platform: ['ANDROID', 'WAP'] },
      'video',
      'commerce',
      [['平台', ['WAP'], [], '目标平台没有这些选项']],
    ],
    [
      'places on the map',
      {
        district: ['BUSINESS_DISTRICT'],
        custom_locations: [{ kind: 'circle', name: '西湖', long: 120.1, lat: 30.2, radius: 3000 }],
      },
      'video',
      'commerce',
      [['商圈', ['西湖 周边 3 公里'], [], '目标平台没有这项条件']],
    ],
    [
      'crowds that the account does not have',
      {
        auto_crowd_mode: [1, 2],
        retargeting_tags_include: ['1'],
        retargeting_tags_include_local: [crowd('1')],
        retargeting_tags_exclude: ['2', '3'],
        retargeting_tags_exclude_local: [crowd('2'), crowd('3')],
      },
      'commerce',
      'commerce',
      [
        ['定向人群', ['人群1'], [], '人群属于原账户，目标账户没有'],
        ['排除人群', ['人群3'], [], '人群属于原账户，目标账户没有'],
      ],
    ],
    [
      'what only works in live rooms, and a type that the platform has not',
      { landing_type: 'LIVE', live_platform_tags: ['AWEME_FANS'] },
      'commerce',
      'video',
      [['平台精选人群包', ['抖音号粉丝'], [], '目标平台没有这项条件']],
    ],
    [
      'a package type that the platform has not',
      { landing_type: 'SHOP' },
      'video',
      'commerce',
      [['定向包类型', ['店铺推广'], ['直播'], '目标平台没有这些选项']],
    ],
    [
      'smart expansion of what is left unrestricted',
      { auto_extend_enabled: 1, auto_extend_targets: ['AGE', 'INTEREST_ACTION'], age: ['AGE_ABOVE_50'] },
      'commerce',
      'video',
      [['可开放定向', ['行为兴趣'], [], '目标平台没有这些选项']],
    ],
  ])('%s', (_, part, from, to, changes) => {
    expect(copied(from, part, to).changes).toEqual(changes)
  })

  test('crowds whose list could not be read', () => {
    const part = { auto_crowd_mode: [1 as const], retargeting_tags_include: ['2'] }
    expect(copied('video', part, 'video', { crowds: null }).changes).toEqual([
      ['定向人群', ['2'], [], '目标账户的人群列表读取失败，不带人群'],
    ])
  })

  test('under another package type', () => {
    const { changes, targeting } = copied('commerce', { live_platform_tags: ['AWEME_FANS'] }, 'commerce', {
      landing_type: 'VIDEO',
    })
    expect(changes).toEqual([['平台精选人群包', ['抖音号粉丝'], [], '其他条件不同，这项不再适用']])
    expect(targeting.landing_type).toBe('VIDEO')
  })

  test('a plan of regions stays with its advertiser, and is its regions for another one', () => {
    const regions = { regions: ['310000'], regionsPlan: [{ id: 4, name: '华北', regions: ['110000', '120000'] }] }
    const part = { district: ['CITY' as const], regions }
    expect(copied('commerce', part, 'video').changes).toEqual([])
    expect(copied('commerce', part, 'video', { isSameAdvertiser: false }).changes).toEqual([
      ['地域', ['华北'], ['110000', '120000'], '地域包属于原广告主，已改为其中的地域'],
    ])
  })
})

test('a crowd that the account has too is shown as the account lists it', () => {
  const part = {
    auto_crowd_mode: [1 as const],
    retargeting_tags_include: ['2'],
    retargeting_tags_include_local: [crowd('2', '老客（旧）')],
  }
  const { words, changes } = copied('commerce', part, 'commerce')
  expect(changes).toEqual([])
  expect(words.retargeting_tags_include).toEqual(['老客（新）'])
})

const PAIRS = FIVE_TAB_PLATFORMS.flatMap((from) => FIVE_TAB_PLATFORMS.map((to) => [from, to] as const))
const savedOf = (platform: FiveTabPlatform) =>
  formsOf(platform)
    .map((form) => savedTargeting(platform, { ...form, landing_type: form.landing_type ?? 'LIVE' }))
    .filter((targeting) => readTargeting(platform, targeting).refusal === null)
const targetOf = (to: FiveTabPlatform): fc.Arbitrary<CopyTarget> =>
  fc.record({
    landing_type: fc.constantFrom(null, ...codesOf(to, 'landing_type')),
    isSameAccount: fc.constant(false),
    isSameAdvertiser: fc.boolean(),
    crowds: fc.constantFrom(null, [], [crowd('1'), crowd('2')]),
  })

test.each(PAIRS)('what is copied from %s to %s can be saved there as it is', (from, to) => {
  fc.assert(
    fc.property(savedOf(from), targetOf(to), (targeting, target) => {
      const copy = convertFiveTab(from, targeting, to, target)
      expect(readTargeting(to, copy.targeting)).toEqual({ targeting: copy.targeting, refusal: null })
    }),
  )
})

test.each(PAIRS)('each word of a copy from %s to %s is the original’s, or listed', (from, to) => {
  const linesOf = (platform: FiveTabPlatform, targeting: object) =>
    targetingWords(platform, formOf(platform, targeting)).flatMap(({ label, words }) =>
      words.map((word) => `${label} ${word}`),
    )
  fc.assert(
    fc.property(savedOf(from), targetOf(to), (targeting, target) => {
      const copy = convertFiveTab(from, targeting, to, { ...target, crowds: target.crowds && [] })
      const [before, after] = [linesOf(from, targeting), linesOf(to, copy.targeting)]
      const listed = (of: 'words' | 'now') =>
        copy.changes.flatMap((change) => change[of].map((word) => `${change.label} ${word}`))
      const missing = before.filter((word) => !after.includes(word))
      const type = (word: string) => !word.startsWith('定向包类型')
      expect(listed('words').filter(type).toSorted()).toEqual(missing.toSorted())
      expect(listed('now').filter(type).toSorted()).toEqual(after.filter((word) => !before.includes(word)).toSorted())
    }),
  )
})

test.each(FIVE_TAB_PLATFORMS)('a copy of %s to its own account is the same', (platform) => {
  fc.assert(
    fc.property(savedOf(platform), (targeting) => {
      const own = { landing_type: null, isSameAccount: true, isSameAdvertiser: true, crowds: null }
      expect(convertFiveTab(platform, targeting, platform, own)).toEqual({ targeting, changes: [] })
    }),
  )
})

test.each(PAIRS)('a copy from %s to %s and on to an equal account loses nothing more', (from, to) => {
  fc.assert(
    fc.property(savedOf(from), targetOf(to), (targeting, target) => {
      const once = convertFiveTab(from, targeting, to, target)
      expect(convertFiveTab(to, once.targeting, to, { ...target, landing_type: null })).toEqual({
        targeting: once.targeting,
        changes: [],
      })
    }),
  )
})
