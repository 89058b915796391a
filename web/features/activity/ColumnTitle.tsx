import { Tooltip } from 'antd'
import type { Column } from '#contract/activity-columns.ts'

/** The name of a metric; on hover what is counted, and where it comes from. */
export const ColumnTitle = ({ column: { label, tooltip } }: { column: Pick<Column, 'label' | 'tooltip'> }) => (
  <Tooltip title={tooltip}>
    <span>{label}</span>
  </Tooltip>
)
