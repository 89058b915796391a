import { z } from 'zod'

/** Bounds of the share, in percent. A crowd can become many times larger. */
export const TELL_SHARE_MIN = 1
export const TELL_SHARE_MAX = 1000

/** Percent of the people before. */
export const TellShare = z
  .int(`请输入 ${TELL_SHARE_MIN} 到 ${TELL_SHARE_MAX} 的整数`)
  .min(TELL_SHARE_MIN, `请输入 ${TELL_SHARE_MIN} 到 ${TELL_SHARE_MAX} 的整数`)
  .max(TELL_SHARE_MAX, `请输入 ${TELL_SHARE_MIN} 到 ${TELL_SHARE_MAX} 的整数`)

/** How a crowd changed, in exact numbers of people. */
interface Change {
  before: number
  entered: number
  left: number
}

/**
 * By how many percent of its people before a crowd changed: who entered and who left, since a crowd of the same size may
 * be of other people. Null where nobody was in it before.
 */
export const changedShare = ({ before, entered, left }: Change): number | null =>
  before === 0 ? null : ((entered + left) / before) * 100

/** Whether a crowd changed by more than a share; one of nobody did as soon as somebody entered. */
export const isChangeTold = ({ before, entered, left }: Change, share: number): boolean =>
  (entered + left) * 100 > before * share
