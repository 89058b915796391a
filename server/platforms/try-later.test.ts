import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'
import { secondsUntilRetry } from './try-later.ts'

const why = outcome('targeting_gone_there')

test.each([
  ['the first failure', 'later', undefined, 1, 1, 2],
  ['each failure doubles the wait', 'later', undefined, 5, 1, 32],
  ['ten minutes at most', 'later', undefined, 30, 1, 600],
  ['the platform asks for longer', 'later', 900, 1, 1, 900],
  ['the platform asks for less', 'later', 3, 5, 1, 32],
  ['not yet, and no word until when', 'notYet', undefined, 1, 1, 3600],
  ['not yet, until a moment', 'notYet', 20, 9, 1, 20],
  ['a faster pace', 'later', undefined, 5, 0.05, 2],
  ['never less than a second', 'later', undefined, 1, 0.001, 1],
] as const)('%s', (_, kind, retryAfter, attempts, pace, seconds) => {
  const fault = new PlatformFault(kind, why, retryAfter === undefined ? {} : { retryAfter })
  expect(secondsUntilRetry(fault, attempts, pace)).toBe(seconds)
})
