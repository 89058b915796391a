import { CUSTOM_STATUS, type CustomChild } from '#contract/audience.ts'
import { actionOf } from '#contract/outcome.ts'
import { isCancellable, isRetryable } from '#contract/push-state.ts'
import { PUSH_STATE } from '#contract/push-status.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { PUSH_TONES, pushWords } from './push-words.ts'
import { CUSTOM_TONES, Dot, Reason, Stage } from './status-parts.tsx'

/** What can be done about an audience where its state is shown. */
export interface ChildStatusActions {
  /** Has a push tried again at once, from where it stopped. */
  retry: (push_id: number) => unknown
  /** Asks first, and says how much was sent. */
  cancel: (child: CustomChild) => unknown
  push: (child: CustomChild) => unknown
  pushElsewhere: (child: CustomChild) => unknown
}

/** An audience that a push was to create has failed only if it was not cancelled. */
const stateOf = ({ status, last_push }: CustomChild) =>
  status === 'failed' && last_push?.state === 'cancelled'
    ? { tone: PUSH_TONES.cancelled, words: PUSH_STATE.cancelled }
    : { tone: CUSTOM_TONES[status], words: CUSTOM_STATUS[status] }

/** An audience's state, its push's progress, and why it waits or failed, with what can be done about it. */
export function ChildStatus({ child, on }: { child: CustomChild; on: ChildStatusActions }) {
  const { push, last_push, reason, reason_outcome } = child
  const words = pushWords(child)
  // The reason of a cancelled push says that it was cancelled.
  const isSaidByReason = reason !== null && last_push?.state === 'cancelled'
  // A new authorisation is what helps; it resumes the push by itself.
  const mustAuthorise = reason_outcome !== null && actionOf(reason_outcome) === 'reauthorise'
  const canRetry = last_push !== null && isRetryable(last_push) && !mustAuthorise
  return (
    <div>
      {push && last_push ? (
        <Dot tone={PUSH_TONES[last_push.state]} words={words ?? ''} reason={reason} />
      ) : (
        <>
          <Dot {...stateOf(child)} reason={reason} />
          {words && !isSaidByReason && <div className={text.small}>{words}</div>}
        </>
      )}
      {push && !reason ? <Stage words={push.stage} /> : <Reason words={reason} reason={reason} />}
      <OutcomeActions
        outcomes={[reason_outcome]}
        isRetryable={canRetry && push !== null}
        on={{
          retry: mustAuthorise
            ? undefined
            : push
              ? canRetry
                ? () => on.retry(push.id)
                : undefined
              : () => on.push(child),
          chooseOtherAccount: () => on.pushElsewhere(child),
        }}
      />
      {push && last_push && isCancellable(last_push) && (
        <RowAction changes="current" onClick={() => void on.cancel(child)}>
          取消推送
        </RowAction>
      )}
    </div>
  )
}
