import { Empty, Typography } from 'antd'
import type { ReactNode } from 'react'

interface Props {
  title: string
  /** What belongs here, or why nothing is here. */
  hint?: ReactNode
  /** The next thing to do. */
  action?: ReactNode
}

export function EmptyState({ title, hint, action }: Props) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      style={{ paddingBlock: 24 }}
      description={
        <>
          <div>{title}</div>
          {hint && (
            <Typography.Text type="secondary" style={{ fontSize: 13 }}>
              {hint}
            </Typography.Text>
          )}
        </>
      }
    >
      {action}
    </Empty>
  )
}
