import { expect, test } from 'vitest'
import { visibleMetrics } from '../activity/metrics.ts'
import { keysOf } from '../common.ts'
import { COMPARED_EVENTS, type ControlComparison } from '../control-group.ts'
import { givesOf } from '../standard-event.ts'
import { comparisonWords, percentOf, verdictWords } from './words.ts'

const difference = (value: number, low: number, high: number) => ({ value, low, high })

test.each([
  [
    'more',
    difference(0.0123, 0.004, 0.0206),
    '实验组的支付率比对照组高 1.23 个百分点，95% 区间 0.40 至 2.06 个百分点，不包含 0：不只是偶然。',
  ],
  [
    'less',
    difference(-0.0123, -0.0206, -0.004),
    '实验组的支付率比对照组低 1.23 个百分点，95% 区间 −2.06 至 −0.40 个百分点，不包含 0：不只是偶然。',
  ],
  [
    'chance',
    difference(0.0012, -0.004, 0.0065),
    '实验组的支付率比对照组高 0.12 个百分点，95% 区间 −0.40 至 0.65 个百分点，其中包含 0：可能只是偶然，还不能说推送有作用。',
  ],
  [
    'chance',
    difference(0, -0.00001, 0.00001),
    '两组的支付率相同，95% 区间 0.00 至 0.00 个百分点，其中包含 0：可能只是偶然，还不能说推送有作用。',
  ],
] as const)('%s', (verdict, found, words) => {
  expect(comparisonWords({ difference: found, verdict }, '支付')).toBe(words)
})

test('what cannot be compared has no words', () => {
  expect(comparisonWords({ difference: null, verdict: null }, '支付')).toBeNull()
})

test('rates have two digits', () => {
  expect([0, 0.12345, 1].map(percentOf)).toEqual(['0.00%', '12.35%', '100.00%'])
})

const compared: ControlComparison = {
  ...{ kind: 'rule', crowd_id: 1, name: '甲', share: 10, from: 1, to: 2, is_over: true, unpushed: [] },
  ...{ test: null, control: null, difference: difference(0.0123, 0.004, 0.0206), verdict: 'more' },
  ...{ problem: null, problem_outcome: null },
}
const SAID = comparisonWords(compared, '支付')

test.each<[string, Partial<ControlComparison>, string]>([
  ['that is whole', {}, `${SAID}`],
  ['that is not over', { is_over: false }, `${SAID}所选天数还没有过完。`],
  [
    'with an account from before',
    { unpushed: ['乙'] },
    `${SAID}「乙」还没有用这个对照组推送，留出的人仍在其中，差别会偏小；请重新推送。`,
  ],
  [
    'without enough data',
    { problem: '两组中有一组没有已知的用户', difference: null },
    '暂无：两组中有一组没有已知的用户',
  ],
])('a comparison %s is one text', (_, given, words) => {
  expect(verdictWords({ ...compared, ...given }, '支付')).toBe(words)
})

test('groups are compared by what everybody may see, so that a link without restricted metrics has them, too', () => {
  const metrics = keysOf(COMPARED_EVENTS).map((event) => givesOf(event).times)
  expect(visibleMetrics(metrics, { see_restricted: false })).toEqual(metrics)
})
