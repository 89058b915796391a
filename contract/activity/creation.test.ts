import { expect, test } from 'vitest'
import { sentenceOf } from '../outcome.ts'
import { PlanCreation as Schema } from '../plan-creation.ts'
import { PLATFORM_CODES, PLATFORMS, platformOfCode } from '../platform.ts'
import {
  type CommerceCreation,
  creationContradiction,
  creationFaults,
  creationWords,
  isSameCreation,
  keptCreation,
  newCreation,
  type PlanCreation,
  type SocialCreation,
} from './creation.ts'

const TODAY = '2026-11-28'
const social: SocialCreation = {
  kind: 'social',
  marketing_goal: 'MARKETING_GOAL_LEAD_RETENTION',
  marketing_asset_id: '9007199254740993',
  optimization_goal: 'OPTIMIZATIONGOAL_LEADS',
  smart_bid_type: 'SMART_BID_TYPE_CUSTOM',
  bid: 3000,
}
const video: PlanCreation = { kind: 'video', external_action: 'AD_CONVERT_TYPE_FORM' }
const live: CommerceCreation = {
  kind: 'commerce',
  aweme_id: '55',
  external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY',
  smart_bid_type: 'SMART_BID_CUSTOM',
  bid: 2000,
}
const of = (creation: PlanCreation | null, days: { start?: string; end?: string } = {}) => ({
  platform: creation ? PLATFORMS[creation.kind].code : PLATFORMS.video.code,
  creation,
  start_date: days.start ?? TODAY,
  end_date: days.end ?? null,
})

test.each<[string, ReturnType<typeof of>, string[]]>([
  ['not created', of(null), []],
  ['whole', of(social), []],
  ['whole', of(video), []],
  ['whole', of(live), []],
  ['no product', of({ ...social, marketing_asset_id: null }), ['请填写推广产品 ID']],
  ['no bid', of({ ...social, bid: null }), ['请填写出价']],
  ['a bid by the platform', of({ ...social, smart_bid_type: 'SMART_BID_TYPE_SYSTEMATIC', bid: null }), []],
  ['nobody streams', of({ ...live, aweme_id: null, bid: null }), ['请填写抖音号 ID', '请填写出价']],
  ['volume without a bid', of({ ...live, smart_bid_type: 'SMART_BID_CONSERVATIVE', bid: null }), []],
  ['a later start', of(video, { start: '2026-12-01' }), ['在该平台新建时，开始日期晚于今天则须选择结束日期']],
  ['a later start with an end', of(live, { start: '2026-12-01', end: '2026-12-02' }), []],
  ['a later start where it may be open', of(social, { start: '2026-12-01' }), []],
])('%s', (_, plan, told) => expect(creationFaults(plan, TODAY).map(sentenceOf)).toEqual(told))

test.each([
  [1_000_000, []],
  [1_000_001, ['出价应大于 0，且不超过 10,000 元']],
  [0, ['出价应大于 0，且不超过 10,000 元']],
  [100_055.5, ['出价最多两位小数']],
  [null, []],
] as const)('a bid of %s is refused in drafts too: %j', (bid, told) => {
  expect(creationContradiction(of({ ...live, bid })).map(sentenceOf)).toEqual(told)
  // One that does not count is dropped.
  expect(creationContradiction(of({ ...live, smart_bid_type: 'SMART_BID_CONSERVATIVE', bid }))).toEqual([])
})

test('choices of another platform are refused in drafts too', () => {
  expect(creationContradiction({ ...of(video), platform: PLATFORMS.social.code }).map(sentenceOf)).toEqual([
    '「在平台新建」的设置不属于这个平台，请重新填写',
  ])
  expect(creationContradiction(of(video))).toEqual([])
})

test('a platform’s choices begin as its schema takes them', () => {
  for (const code of PLATFORM_CODES) {
    const creation = newCreation(code)
    expect(creation?.kind).toBe(platformOfCode(code))
    expect(Schema.parse(creation)).toEqual(creation)
  }
})

test.each<[string, unknown]>([
  ['no kind', { external_action: 'AD_CONVERT_TYPE_FORM' }],
  ['another platform’s field', { ...video, bid: 100 }],
  ['an unknown action', { ...video, external_action: 'AD_CONVERT_TYPE_FAME' }],
  ['a bid of nothing', { ...social, bid: 0 }],
  ['a bid with a fraction', { ...social, bid: 0.5 }],
  ['a product in words', { ...social, marketing_asset_id: '裙子' }],
])('the schema refuses %s', (_, given) => expect(Schema.safeParse(given).success).toBe(false))

test('a bid that does not count is not kept', () => {
  expect(keptCreation({ ...live, smart_bid_type: 'SMART_BID_CONSERVATIVE' })).toMatchObject({ bid: null })
  expect(keptCreation(live)).toEqual(live)
  expect(isSameCreation({ ...live }, live)).toBe(true)
  expect(isSameCreation({ ...live, bid: 1 }, live)).toBe(false)
  expect(isSameCreation(null, live)).toBe(false)
})

test.each<[PlanCreation, string]>([
  [social, '线索留资、推广产品 ID 9007199254740993、销售线索、手动出价 3000 分'],
  [video, '表单提交'],
  [{ ...live, aweme_id: null, bid: null }, '抖音号 ID 未填、直播间成交、控成本'],
])('in words: %#', (creation, words) => expect(creationWords(creation, (fen) => `${fen} 分`)).toBe(words))
