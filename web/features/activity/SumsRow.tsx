import { Table } from 'antd'
import type { Column, MetricValues } from '#contract/activity.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import styles from './activity.module.css'
import { ColumnValue } from './MetricValue.tsx'

interface Props {
  /** How many cells stand before the columns, and after them. */
  before: number
  after: number
  columns: readonly Column[]
  totals: { total: number; plans: number; sums: MetricValues } | undefined
  /** Fetches the totals again after a failure; null where they did not fail. */
  onRetry: (() => void) | null
}

/** The footer of the list: how many there are, and the sums of all pages. It stands in a fixed `Table.Summary`. */
export function SumsRow({ before, after, columns, totals, onRetry }: Props) {
  return (
    <Table.Summary.Row className={styles.sums}>
      <Table.Summary.Cell index={0} colSpan={before}>
        合计
        {onRetry ? (
          <span className={text.problem}>
            　加载失败
            <RowAction onClick={onRetry}>重试</RowAction>
          </span>
        ) : (
          <span className={text.small}>
            {totals ? `　${formatCount(totals.total)} 个活动，${formatCount(totals.plans)} 个计划` : '　计算中'}
          </span>
        )}
      </Table.Summary.Cell>
      {columns.map((column, at) => (
        <Table.Summary.Cell key={column.key} index={before + at} align="right">
          {totals && <ColumnValue column={column} row={totals.sums} />}
        </Table.Summary.Cell>
      ))}
      <Table.Summary.Cell index={before + columns.length} colSpan={after} />
    </Table.Summary.Row>
  )
}
