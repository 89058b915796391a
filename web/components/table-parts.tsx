import { type TableProps, Typography } from 'antd'
import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'

/** antd repeats a table's head, hidden, to measure its columns; the copy of this checkbox must not take the focus. */
const leaveFocus = (span: HTMLSpanElement | null) => {
  if (span?.closest('tr[aria-hidden="true"]')) span.inert = true
}

// A component of its own: on the copy antd takes away the ref of the title itself.
const SelectAll = ({ children }: { children: ReactNode }) => <span ref={leaveFocus}>{children}</span>

interface Selecting<Row> {
  selected: readonly Row[]
  onSelected: (rows: Row[]) => void
  isBarred: (row: Row) => boolean
  /** The table's row key, where that is not the id. */
  keyOf?: (row: Row) => string | number
}

/** A column to choose rows by; rows chosen on other pages stay chosen. */
export const rowSelectionOf = <Row extends { id: number; name: string }>({
  selected,
  onSelected,
  isBarred,
  keyOf = (row) => row.id,
}: Selecting<Row>): TableProps<Row>['rowSelection'] => ({
  fixed: true,
  columnWidth: 44,
  columnTitle: (checkbox) => <SelectAll>{checkbox}</SelectAll>,
  preserveSelectedRowKeys: true,
  selectedRowKeys: selected.map(keyOf),
  // Of rows that went while they were chosen antd knows no more than the key.
  onChange: (_keys, chosen) => onSelected(chosen.filter(Boolean)),
  // antd's types know no aria attributes here, though it passes them on.
  getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }) as object,
  getCheckboxProps: (row) => ({ disabled: isBarred(row), 'aria-label': `选择「${row.name}」` }) as object,
})

interface Paged {
  page: number
  page_size: number
}

/** Another size starts at the first page: where one stood means nothing there. */
export const pageChange = (now: Paged, page: number, page_size: number): Paged => ({
  page: page_size === now.page_size ? page : 1,
  page_size,
})

/** The pages of a list that the server cuts; `unit` counts its rows: 个, 次. */
export const paginationOf = ({ page, page_size }: Paged, total: number, unit: string) => ({
  current: page,
  pageSize: page_size,
  total,
  showSizeChanger: true,
  showTotal: (count: number) => (
    <Typography.Text type="secondary">
      共 {formatCount(count)} {unit}
    </Typography.Text>
  ),
})

/** The pages of a list that is here whole. */
export const WHOLE_LIST = { pageSize: 10, hideOnSinglePage: true, showSizeChanger: false } as const
