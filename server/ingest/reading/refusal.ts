import { ROW_TOO_LONG } from '#contract/file-limits.ts'
import { RAGGED, raggedReason } from '../../files/csv-slices.ts'
import type { Refusal } from '../../files/slice.ts'

export const ID_LENGTH_MAX = 512
export const EVENT_LENGTH_MAX = 200

/** The numbers of the reasons in the engine's answer. The first reason that applies counts. */
export const REFUSED = {
  ragged: 1,
  noId: 2,
  longId: 3,
  noEvent: 4,
  longEvent: 5,
  noTime: 6,
  badTime: 7,
  earlyTime: 8,
  lateTime: 9,
  longRow: 10,
} as const

const TEXTS: Record<number, string> = {
  [REFUSED.longRow]: ROW_TOO_LONG,
  [REFUSED.noId]: '用户 ID 为空',
  [REFUSED.longId]: `用户 ID 超过 ${ID_LENGTH_MAX} 字节`,
  [REFUSED.noEvent]: '事件名为空',
  [REFUSED.longEvent]: `事件名超过 ${EVENT_LENGTH_MAX} 个字符`,
  [REFUSED.noTime]: '时间为空',
  [REFUSED.badTime]: '时间无法识别',
  [REFUSED.earlyTime]: '时间早于 2000 年',
  [REFUSED.lateTime]: '时间晚于当前 24 小时以上',
}

export const refusalText = (reason: number, has: number, wants: number): Pick<Refusal, 'reason' | 'countedAs'> =>
  reason === REFUSED.ragged
    ? { reason: raggedReason(has, wants), countedAs: RAGGED }
    : { reason: TEXTS[reason] ?? '无法导入' }
