import { Table } from 'antd'
import type { Column } from '#contract/activity-columns.ts'
import type { MetricValues } from '#contract/activity-metrics.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import styles from './activity.module.css'
import { CELLS } from './activity-columns.tsx'
import type { DrawnPart } from './column-window.ts'
import { ColumnValue } from './MetricValue.tsx'

interface Props {
  /** The chosen columns that are drawn. */
  parts: readonly DrawnPart<Column>[]
  totals: { total: number; plans: number; sums: MetricValues } | undefined
  /** Fetches the totals again after a failure; null where they did not fail. */
  onRetry: (() => void) | null
}

/** The footer of the list: how many there are, and the sums of all pages. It stands in a fixed `Table.Summary`. */
export function SumsRow({ parts, totals, onRetry }: Props) {
  return (
    <Table.Summary.Row className={styles.sums}>
      <Table.Summary.Cell index={0} colSpan={CELLS.before}>
        合计
        {onRetry ? (
          <span className={text.problem}>
            {'　加载失败 '}
            <RowAction onClick={onRetry}>重试</RowAction>
          </span>
        ) : (
          <span className={text.small}>
            {totals ? `　${formatCount(totals.total)} 个活动，${formatCount(totals.plans)} 个计划` : '　计算中'}
          </span>
        )}
      </Table.Summary.Cell>
      {parts.map((part, at) => (
        <Table.Summary.Cell
          key={'gap' in part ? `gap-${part.at}` : part.column.key}
          index={CELLS.before + at}
          align="right"
        >
          {'column' in part && totals && (
            <ColumnValue
              column={part.column}
              row={totals.sums}
              // Which budgets are counted cannot be seen from the rows of a page.
              {...(part.column.key === 'budget' && { about: part.column.tooltip })}
            />
          )}
        </Table.Summary.Cell>
      ))}
      <Table.Summary.Cell index={CELLS.before + parts.length} colSpan={CELLS.after} />
    </Table.Summary.Row>
  )
}
