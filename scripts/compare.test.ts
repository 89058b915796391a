import { expect, test } from 'vitest'
import { comparisonOf, comparisonTable, median, orderOf, resultIn } from './compare.ts'

test.each([
  [[], null],
  [['--people', '1000', '--rounds', '2'], null],
  [['--against', 'abc'], { commit: 'abc', rounds: 5, args: [] }],
  [['--people', '9', '--against', 'abc', '--rounds', '3'], { commit: 'abc', rounds: 3, args: ['--people', '9'] }],
])('%j compares %j', (given, comparison) => {
  expect(comparisonOf(given)).toEqual(comparison)
})

test.each([
  [['--against'], '--against 之后要写旧版本的 commit'],
  [['--against', '--rounds', '3'], '--against 之后要写旧版本的 commit'],
  [['--against', 'abc', '--rounds', '0'], '--rounds 之后要写正整数'],
  [['--against', 'abc', '--rounds', 'x'], '--rounds 之后要写正整数'],
])('%j is refused: %s', (given, sentence) => {
  expect(() => comparisonOf(given)).toThrow(sentence)
})

test('each version is first in every other round', () => {
  expect([0, 1, 2].map(orderOf)).toEqual([
    ['old', 'new'],
    ['new', 'old'],
    ['old', 'new'],
  ])
})

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 2, 10], 3],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('the last RESULT line counts', () => {
  expect(resultIn('load 2\nRESULT {"p50_ms":1}\nrows\nRESULT {"p50_ms":2,"rss_mb":null}\n')).toEqual({
    p50_ms: 2,
    rss_mb: null,
  })
  expect(() => resultIn('load 2\n')).toThrow('no RESULT')
})

test('the table shows medians, ranges and ratios; what one version did not measure is a dash', () => {
  const old = [
    { p50_ms: 2, people: 1000, plain_sql_ms: null },
    { p50_ms: 4, people: 1000, plain_sql_ms: null },
    { p50_ms: 2.55555, people: 1000, plain_sql_ms: null },
  ]
  const current = [{ p50_ms: 5, people: 1000, peak_mb: 0 }]
  expect(`\n${comparisonTable(old, current)}\n`).toBe(`
                         old   new  new / old
p50_ms        2.556 (2 to 4)     5       1.96
people                  1000  1000       1.00
plain_sql_ms               –     –          –
peak_mb                    –     0          –
`)
})
