import { expect, test } from 'vitest'
import { comparisonWords, percentOf } from './control-words.ts'

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
