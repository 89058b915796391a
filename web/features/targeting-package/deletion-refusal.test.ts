import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { isSaidBeside, isUseOf } from './deletion-refusal.ts'

const { video, commerce, social } = PLATFORMS
test.each<[string, PlatformCode, boolean, boolean]>([
  ['a package in use stays beside the list on the video engine', video.code, true, true],
  ['a package in use stays beside the list on commerce', commerce.code, true, true],
  ['a package in use opens a dialog on social', social.code, true, false],
  ['a failed network opens a dialog on the video engine', video.code, false, false],
  ['a failed network opens a dialog on commerce', commerce.code, false, false],
])('%s', (_, platform, isInUse, isBeside) => expect(isSaidBeside([{ platform }], isInUse)).toBe(isBeside))

test.each<[string, AnyOutcome, boolean]>([
  [
    'the refusal of a package in use is known',
    outcome('fault', { fault: 'packageInUse', words: { name: '老客', plans: '春季' } }),
    true,
  ],
  ['another fault is no use', outcome('fault', { fault: 'notFound', words: { what: '定向包' } }), false],
  ['another outcome is no use', outcome('platform_throttled'), false],
])('%s', (_, refusal, isUse) => expect(isUseOf(refusal)).toBe(isUse))
