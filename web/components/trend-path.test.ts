import { expect, test } from 'vitest'
import { trendPath } from './trend-path.ts'

const BOX = { width: 60, height: 10 }

test.each<[string, (number | null)[], string]>([
  ['nothing known', [null, null], ''],
  ['one value is no line', [null, 5, null], ''],
  ['values rise from 0', [0, 5, 10], 'M0 10L30 5L60 0'],
  ['all the same', [5, 5], 'M0 0L60 0'],
  ['all 0', [0, 0], 'M0 10L60 10'],
  ['a gap', [10, 10, null, 0, 10], 'M0 0L15 0M45 10L60 0'],
  ['a value between gaps', [10, null, 10, null, 10], 'M0 0h0.1M30 0h0.1M60 0h0.1'],
  ['a correction below 0', [-5, 5], 'M0 10L60 0'],
])('%s', (_, values, path) => expect(trendPath(values, BOX)).toBe(path))
