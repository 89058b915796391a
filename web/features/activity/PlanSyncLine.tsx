import { Flex } from 'antd'
import type { ReactNode } from 'react'
import type { PlanSync } from '#contract/activity.ts'
import { sentenceOf } from '#contract/outcome.ts'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'

/** How a plan stands with its platform: under way, refused, or different there. Nothing where all is the same. */
export function PlanSyncLine({
  sync: { state, reason, told },
  action,
}: {
  sync: PlanSync
  /** What can be done about it. */
  action?: ReactNode
}) {
  const why = reason ? [sentenceOf(reason)] : []
  const words = [
    ...(state === 'syncing' ? [['同步中', ...why].join('：')] : []),
    ...(state === 'failed' ? [['平台没有接受', ...why].join('：')] : []),
    ...told.map(sentenceOf),
  ].join('；')
  if (words === '') return null
  return (
    <Flex gap={4} align="center" className={text.shrinks}>
      <WholeOnHover text={words}>
        <span role="status" className={`${text.cut} ${state === 'syncing' ? text.small : text.problem}`}>
          {words}
        </span>
      </WholeOnHover>
      {action}
    </Flex>
  )
}
