import { outcome } from '../../outcome.ts'
import type { PlatformCode } from '../../platform.ts'
import { type LeftOut, leftOutWords } from '../there.ts'
import type { CopyChange } from './conversion.ts'

/** What no copy of a package made on its platform has, since the original's targeting here has it neither. */
export const onlyThere = (platform: PlatformCode, leftOut: readonly LeftOut[]): CopyChange[] =>
  leftOutWords(platform, leftOut).map(({ label, words }) => ({
    label,
    words,
    now: [],
    reason: outcome('copy_only_there'),
  }))
