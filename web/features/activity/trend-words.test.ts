import { expect, test } from 'vitest'
import { trendWords } from './trend-words.ts'

const COST = { label: '消耗', format: 'money' } as const
const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']

test.each<[string, (number | null)[], string]>([
  [
    'the least, the most and the last day',
    [20_000, 5_000, 900_050, null],
    '消耗的走势：最低 50.00（2026-11-02），最高 9,000.50（2026-11-03），最近 9,000.50（2026-11-03）',
  ],
  [
    'of equal days the first',
    [100, 100],
    '消耗的走势：最低 1.00（2026-11-01），最高 1.00（2026-11-01），最近 1.00（2026-11-02）',
  ],
  ['nothing known', [null, null], ''],
])('%s', (_, values, words) => expect(trendWords(COST, DAYS, values)).toBe(words))
