import type { ComparedEvent } from '#contract/control-group.ts'

/** What the groups are compared by, and for how many days since the first push. */
export interface AskedControl {
  event: ComparedEvent
  days: number
}
export const ASKED_FIRST: AskedControl = { event: 'pay', days: 30 }
