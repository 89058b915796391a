import { expect, test } from 'vitest'
import { changedShare, isChangeTold, TellShare } from './crowd-change.ts'

test.each<[before: number, entered: number, left: number, share: number, percent: number | null, isTold: boolean]>([
  [1000, 0, 0, 1, 0, false],
  [1000, 10, 0, 1, 1, false],
  [1000, 11, 0, 1, 1.1, true],
  [1000, 0, 11, 1, 1.1, true],
  // The same size, but other people.
  [1000, 300, 300, 50, 60, true],
  [1000, 100, 0, 10, 10, false],
  [1000, 60, 41, 10, 10.1, true],
  [1000, 0, 1000, 100, 100, false],
  [1000, 1, 1000, 100, 100.1, true],
  [10, 101, 0, 1000, 1010, true],
  [0, 1, 0, 1000, null, true],
  [0, 0, 0, 1, null, false],
  [4_000_000_000, 40_000_000, 1, 1, 1.000000025, true],
])(
  'of %i people %i entered and %i left: at %i %% it is %s %%, told %s',
  (before, entered, left, share, percent, isTold) => {
    const change = { before, entered, left }
    if (percent === null) expect(changedShare(change)).toBeNull()
    else expect(changedShare(change)).toBeCloseTo(percent, 9)
    expect(isChangeTold(change, share)).toBe(isTold)
  },
)

test.each([0, -1, 1001, 1.5, '10', null])('%s is no share', (share) => {
  expect(TellShare.safeParse(share).success).toBe(false)
})
