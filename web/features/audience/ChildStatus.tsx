import { Flex } from 'antd'
import { CUSTOM_STATUS, type CustomChild } from '#contract/audience.ts'
import { asksFor } from '#contract/outcome.ts'
import { RowAction } from '../../components/RowAction.tsx'
import { paths } from '../../lib/paths.ts'
import { CUSTOM_TONES, Dot, percent, Stage, Why } from './status-parts.tsx'

/** An audience's state, its push's progress, and why it is paused. */
export function ChildStatus({ child, onRetry }: { child: CustomChild; onRetry: (push_id: number) => unknown }) {
  const { push, reason, reason_outcome, status } = child
  if (push?.is_paused)
    return (
      <div>
        <Dot tone="waiting" words="推送已暂停" reason={reason} />
        {/* The reason begins with the account's name, which is already shown beside it. */}
        <Why words={push.stage || reason} reason={reason} />
        <Flex gap={8}>
          <RowAction onClick={() => void onRetry(push.id)}>重试</RowAction>
          {asksFor(reason_outcome, 'reauthorise') && <RowAction to={paths.advertiserData()}>重新授权</RowAction>}
        </Flex>
      </div>
    )
  const words = push ? `推送中${percent(push.progress)}` : CUSTOM_STATUS[status]
  return (
    <div>
      <Dot tone={push ? 'running' : CUSTOM_TONES[status]} words={words} reason={reason} />
      {push ? <Stage words={push.stage} /> : <Why words={reason} reason={reason} />}
    </div>
  )
}
