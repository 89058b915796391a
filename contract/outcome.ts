import type { z } from 'zod'
import { ACTIVITY_OUTCOMES } from './outcomes/activity.ts'
import { AUTHORISATION_OUTCOMES } from './outcomes/authorisation.ts'
import { CROWD_OUTCOMES } from './outcomes/crowd.ts'
import type { Action, AnyOutcome, Entry } from './outcomes/entry.ts'
import { FILE_OUTCOMES } from './outcomes/file.ts'
import { IMPORT_OUTCOMES } from './outcomes/import.ts'
import { INPUT_OUTCOMES } from './outcomes/input.ts'
import { PLATFORM_OUTCOMES } from './outcomes/platform.ts'
import { PUSH_OUTCOMES } from './outcomes/push.ts'
import { REPORT_OUTCOMES } from './outcomes/report.ts'
import { TAG_OUTCOMES } from './outcomes/tag.ts'
import { TARGETING_OUTCOMES } from './outcomes/targeting.ts'
import { SOCIAL_TARGETING_OUTCOMES } from './outcomes/targeting-social.ts'
import { TASK_OUTCOMES } from './outcomes/task.ts'
import { TRACKING_OUTCOMES } from './outcomes/tracking.ts'
import { UPLOAD_OUTCOMES } from './outcomes/upload.ts'
import { WEBHOOK_OUTCOMES } from './outcomes/webhook.ts'

export { outcome } from './outcomes/make.ts'

/** Every refusal, obstacle, pause and failure that is stored or sent, with its params and its sentence. */
export const OUTCOMES = {
  ...TASK_OUTCOMES,
  ...INPUT_OUTCOMES,
  ...PLATFORM_OUTCOMES,
  ...AUTHORISATION_OUTCOMES,
  ...PUSH_OUTCOMES,
  ...UPLOAD_OUTCOMES,
  ...CROWD_OUTCOMES,
  ...FILE_OUTCOMES,
  ...IMPORT_OUTCOMES,
  ...TAG_OUTCOMES,
  ...TARGETING_OUTCOMES,
  ...SOCIAL_TARGETING_OUTCOMES,
  ...WEBHOOK_OUTCOMES,
  ...TRACKING_OUTCOMES,
  ...ACTIVITY_OUTCOMES,
  ...REPORT_OUTCOMES,
} as const

export type OutcomeCode = keyof typeof OUTCOMES
export type ParamsOf<C extends OutcomeCode> = z.output<(typeof OUTCOMES)[C]['params']>
export type Outcome = { [C in OutcomeCode]: { code: C; params: ParamsOf<C> } }[OutcomeCode]

const UNKNOWN = '原因未知，请联系管理员查看服务日志'

const entryOf = (code: string): Entry | undefined =>
  Object.hasOwn(OUTCOMES, code) ? OUTCOMES[code as OutcomeCode] : undefined

/** The Chinese sentence of an outcome; sentences are made nowhere else. */
export function sentenceOf({ code, params }: AnyOutcome): string {
  const entry = entryOf(code)
  const read = entry?.params.safeParse(params)
  return entry && read?.success ? entry.sentence(read.data, sentenceOf) : UNKNOWN
}

/** The outcome that names the action: this one, or the first of its causes and problems that does. */
function withAction({ code, params }: AnyOutcome): { action: Action; params: AnyOutcome['params'] } | null {
  const action = entryOf(code)?.action
  if (action) return { action, params }
  const { cause, problems } = params as { cause?: AnyOutcome | null; problems?: readonly AnyOutcome[] }
  for (const inner of [...(cause ? [cause] : []), ...(problems ?? [])]) {
    const found = withAction(inner)
    if (found) return found
  }
  return null
}

/** What a viewer can do about it; if the outcome names no action, that of its cause. */
export const actionOf = (outcome: AnyOutcome): Action | null => withAction(outcome)?.action ?? null

/** When an outcome that asks to wait is over, in epoch seconds. */
export function waitsUntil(outcome: AnyOutcome): number | null {
  const found = withAction(outcome)
  return found?.action === 'wait_until' && typeof found.params.at === 'number' ? found.params.at : null
}

/** The platform account whose audiences use up the quota that has to be freed; null where the outcome does not know it. */
export function accountToFree(outcome: AnyOutcome): number | null {
  const found = withAction(outcome)
  return found?.action === 'free_quota' && typeof found.params.account_id === 'number' ? found.params.account_id : null
}

export const sentenceOrNull = (outcome: AnyOutcome | null): string | null => outcome && sentenceOf(outcome)
