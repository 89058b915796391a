import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import type { ActivityStatus, Switch } from './status.ts'

/** What can be done with an activity. Editing, copying and deleting it are possible at any time. */
export type ActivityAction = 'edit' | 'copy' | 'data' | 'log' | 'delete' | 'save_asset'

/** Why an action is not possible at this status; null where it is. */
export function actionRefusal(action: ActivityAction, status: ActivityStatus): AnyOutcome | null {
  return action === 'data' && status === 0 ? outcome('activity_without_data') : null
}

/** Why the switch of an activity stays; off is possible at any time. */
export function switchRefusal(status: ActivityStatus, wanted: Switch): AnyOutcome | null {
  if (wanted === 0) return null
  if (status === 0) return outcome('activity_not_submitted')
  return status === 3 ? outcome('activity_over') : null
}

/** Why the switch of a plan stays. `status`: the plan's own. In a draft it says what is wanted once the activity opens. */
export function planSwitchRefusal(status: ActivityStatus, wanted: Switch): AnyOutcome | null {
  return wanted === 1 && status === 3 ? outcome('plan_over') : null
}
