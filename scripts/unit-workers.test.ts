import { expect, test } from 'vitest'
import { unitWorkers } from './unit-workers.ts'

test.each([
  [1, 24, 2],
  [2, 24, 4],
  [2, 10, 4],
  [2, 8, 3],
  [2, 7, 2],
  [2, 4, 1],
  [2, 1, 1],
  [8, 64, 16],
  [8, 16, 7],
  [64, 24, 11],
])('%d cores with %d GiB available run %d test files at once', (cores, gib, workers) => {
  expect(unitWorkers({ cores, memory: gib * 2 ** 30 })).toBe(workers)
})
