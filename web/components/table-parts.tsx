import type { TableProps } from 'antd'
import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import text from './text.module.css'

/** antd renders a hidden copy of the table's head to measure columns; the copy's checkbox must not take the focus. */
const leaveFocus = (span: HTMLSpanElement | null) => {
  if (span?.closest('tr[aria-hidden="true"]')) span.inert = true
}

// A component of its own, because antd removes the ref of the title element on the copy.
const SelectAll = ({ children }: { children: ReactNode }) => <span ref={leaveFocus}>{children}</span>

interface Selecting<Row> {
  selected: readonly Row[]
  onSelected: (rows: Row[]) => void
  isBarred?: (row: Row) => boolean
}

/** Row selection by checkbox; rows selected on other pages stay selected. */
export const selectionOf = <Row,>(
  { selected, onSelected, isBarred }: Selecting<Row>,
  { keyOf, nameOf }: { keyOf: (row: Row) => string | number; nameOf: (row: Row) => string },
): TableProps<Row>['rowSelection'] => ({
  fixed: true,
  columnWidth: 40,
  columnTitle: (checkbox) => <SelectAll>{checkbox}</SelectAll>,
  preserveSelectedRowKeys: true,
  selectedRowKeys: selected.map(keyOf),
  // Of selected rows that no longer exist antd passes undefined.
  onChange: (_keys, chosen) => onSelected(chosen.filter(Boolean)),
  // antd's types have no aria attributes here, though it passes them on.
  getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }) as object,
  getCheckboxProps: (row) => ({ disabled: isBarred?.(row) ?? false, 'aria-label': `选择「${nameOf(row)}」` }) as object,
})

/** The same for rows with an id and a name; `keyOf` is the table's row key, if it is not the id. */
export const rowSelectionOf = <Row extends { id: number; name: string }>({
  keyOf = (row) => row.id,
  ...selecting
}: Selecting<Row> & { keyOf?: (row: Row) => string | number }): TableProps<Row>['rowSelection'] =>
  selectionOf(selecting, { keyOf, nameOf: (row) => row.name })

interface Paged {
  page: number
  page_size: number
}

/** Another page size starts at the first page. */
export const pageChange = (now: Paged, page: number, page_size: number): Paged => ({
  page: page_size === now.page_size ? page : 1,
  page_size,
})

/** Pagination of a list that the server pages; `unit` counts its rows: 个, 次. */
export const paginationOf = ({ page, page_size }: Paged, total: number, unit: string) => ({
  current: page,
  pageSize: page_size,
  total,
  showSizeChanger: true,
  showTotal: (count: number) => (
    <span className={text.secondary}>
      共 {formatCount(count)} {unit}
    </span>
  ),
})

/** Pagination of a list that is loaded completely. */
export const WHOLE_LIST = { pageSize: 10, hideOnSinglePage: true, showSizeChanger: false } as const
