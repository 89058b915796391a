import { expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { isSaidBeside, isUseOf, reasonsOfFailure } from './deletion-refusal.ts'

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

const reason = outcome('fault', { fault: 'packageInUse', words: { name: '老客', plans: '春季' } })
const kept = { id: 1, name: '老客', is_deleted: false, msg: '', refusal_outcome: reason }
test.each<[string, unknown, AnyOutcome[]]>([
  ['each package that was kept', { list: [kept, { ...kept, id: 2 }] }, [reason, reason]],
  ['packages that may be deleted have none', { list: [{ ...kept, refusal_outcome: null }] }, []],
  ['a failure of another kind has none', { users: [] }, []],
  ['nor has an answer that nobody knows', { list: [{ id: '1' }] }, []],
  ['nor has a network that failed', null, []],
])('the reasons of a failed deletion: %s', (_, data, reasons) => expect(reasonsOfFailure(data)).toEqual(reasons))
