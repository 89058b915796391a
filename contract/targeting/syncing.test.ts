import { expect, test } from 'vitest'
import type { MirrorState } from '../targeting-package.ts'
import { isSyncing } from './syncing.ts'

test.each<[MirrorState, boolean]>([
  ['local', false],
  ['waiting', true],
  ['paused', false],
  ['failed', false],
  ['synced', false],
  ['changed', false],
  ['gone', false],
])('a package whose copy is %s changes by itself: %s', (mirror, isSoon) => {
  expect(isSyncing({ mirror })).toBe(isSoon)
})
