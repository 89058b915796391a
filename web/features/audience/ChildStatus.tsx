import { CUSTOM_STATUS, type CustomChild } from '#contract/audience.ts'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { CUSTOM_TONES, Dot, percent, Reason, Stage } from './status-parts.tsx'

/** What can be done about an audience where its state is shown. */
export interface ChildStatusActions {
  /** Resumes a paused push. */
  retry: (push_id: number) => unknown
  push: (child: CustomChild) => unknown
  pushElsewhere: (child: CustomChild) => unknown
}

/** An audience's state, its push's progress, and why it is paused or failed, with what can be done about it. */
export function ChildStatus({ child, on }: { child: CustomChild; on: ChildStatusActions }) {
  const { push, reason, reason_outcome, status } = child
  const actions = (
    <OutcomeActions
      outcomes={[reason_outcome]}
      isRetryable={push?.is_paused ?? false}
      on={{
        retry: push ? (push.is_paused ? () => on.retry(push.id) : undefined) : () => on.push(child),
        chooseOtherAccount: () => on.pushElsewhere(child),
      }}
    />
  )
  if (push?.is_paused)
    return (
      <div>
        <Dot tone="waiting" words="推送已暂停" reason={reason} />
        <Reason words={reason} reason={reason} />
        {actions}
      </div>
    )
  const words = push ? `推送中${percent(push.progress)}` : CUSTOM_STATUS[status]
  return (
    <div>
      <Dot tone={push ? 'running' : CUSTOM_TONES[status]} words={words} reason={reason} />
      {push ? <Stage words={push.stage} /> : <Reason words={reason} reason={reason} />}
      {actions}
    </div>
  )
}
