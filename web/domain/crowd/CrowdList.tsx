import { Button, Flex, Skeleton, Table, type TableColumnsType, type TableProps } from 'antd'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import space from '../../components/space.module.css'
import { paginationOf, rowSelectionOf } from '../../components/table-parts.tsx'
import { type Chosen, useChosenRows } from '../../components/use-chosen.ts'
import { useSteadyCells } from '../../components/use-steady-cells.ts'
import type { CallError } from '../../lib/call.ts'
import { onTableChange } from './crowd-columns.tsx'
import styles from './crowd-list.module.css'
import { ListFilters } from './ListFilters.tsx'
import {
  type ChangeList,
  type Filters,
  isFiltered,
  type ListState,
  noFilters,
  searched,
  type ValuesOf,
} from './list-state.ts'

/** The columns' width, px; a window of 1280 px has room for it beside the folders. */
const COLUMNS_WIDTH = 772
const NO_ROWS: readonly never[] = []

interface Props<Row, F extends Filters> {
  filters: F
  state: ListState<F>
  onChange: ChangeList<F>
  /** For the SaaS filter. */
  advertisers: readonly { id: number; name: string }[]
  /** The advertiser of the top bar; undefined where advertisers are not shown. */
  advId: number | undefined
  /** Beside the filters. */
  aside?: ReactNode
  /** Below it: beside it, the filters would need another line. */
  exportButton?: ReactNode
  query: { error: CallError | null; isPending: boolean; isPlaceholderData: boolean; refetch: () => unknown }
  page: { rows: readonly Row[]; total: number } | undefined
  columns: TableColumnsType<Row>
  /** Further props of this list's table. */
  table?: Pick<TableProps<Row>, 'className' | 'expandable' | 'locale'>
  keyOf: (row: Row) => string | number
  /** A row below another one; it cannot be selected by itself. */
  isChild?: (row: Row) => boolean
  /** What one row is called: 人群, 定向包. */
  noun: string
  /** Shown for an empty folder. */
  nothingYet: { title: string; hint: string; action: ReactNode }
  loadFailed: string
  chosen: Chosen<Row & { id: number }>
  /** Further actions on the selected rows. */
  batch?: (rows: readonly Row[]) => ReactNode
  onMove: (rows: readonly Row[]) => void
  onDelete: (rows: readonly Row[]) => unknown
}

/** The crowds of one folder: filters, table, and actions on the selected rows. Lists differ in filters and columns. */
export function CrowdList<Row extends { id: number; name: string }, F extends Filters>(props: Props<Row, F>) {
  const { filters, state, onChange, query, page, noun, chosen } = props
  useLastPage(props)

  const change = (part: Partial<ValuesOf<F>>) => {
    chosen.clear()
    onChange((now) => searched(now, { filters: part }))
  }
  const empty = isFiltered(filters, state) ? (
    <EmptyState
      title={`没有符合条件的${noun}`}
      hint={`换个条件，或清除筛选查看全部${noun}。`}
      action={<Button onClick={() => change(noFilters(filters))}>清除筛选</Button>}
    />
  ) : (
    <EmptyState {...props.nothingYet} />
  )

  return (
    <>
      <Flex justify="space-between" align="flex-start" gap={16} className={space.filters}>
        <ListFilters
          filters={filters}
          state={state}
          onChange={change}
          advertisers={props.advertisers}
          advId={props.advId}
        />
        <Flex vertical gap={8} align="flex-end" className={styles.aside}>
          {props.aside}
          {props.exportButton}
        </Flex>
      </Flex>
      {query.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      ) : query.error && !page ? (
        <LoadError error={query.error} onRetry={query.refetch} title={props.loadFailed} />
      ) : (
        <CrowdTable {...props} empty={empty} />
      )}
      <ChosenBar {...props} />
    </>
  )
}

function ChosenBar<Row extends { id: number; name: string }, F extends Filters>(props: Props<Row, F>) {
  const { chosen, batch, onMove, onDelete } = props
  const rows = useChosenRows(chosen)
  return (
    <SelectionBar rows={rows} onClear={chosen.clear}>
      {batch?.(rows)}
      <ChangeButton changes="shared" size="small" onClick={() => onMove(rows)}>
        移动
      </ChangeButton>
      <ChangeButton changes="shared" size="small" danger onClick={() => onDelete(rows)}>
        删除
      </ChangeButton>
    </SelectionBar>
  )
}

/** Goes to the last page with rows when all rows of this page were deleted or moved. */
function useLastPage<Row, F extends Filters>({ state, onChange, query, page }: Props<Row, F>) {
  const isPast = page && !query.isPlaceholderData && page.rows.length === 0 && page.total > 0 && state.page > 1
  const last = isPast ? Math.ceil(page.total / state.page_size) : state.page
  const goTo = useEffectEvent((wanted: number) => {
    if (wanted !== state.page) onChange((now) => ({ ...now, page: wanted }))
  })
  useEffect(() => goTo(last), [last])
}

function CrowdTable<Row extends { id: number; name: string }, F extends Filters>(
  props: Props<Row, F> & { empty: ReactNode },
) {
  const { state, onChange, query, page, columns, table, keyOf, isChild = () => false, chosen, empty } = props
  const selection = rowSelectionOf<Row>({
    selected: useChosenRows(chosen),
    onSelected: chosen.set,
    isBarred: isChild,
    keyOf,
  })
  return (
    <Table<Row>
      {...table}
      // At least eight rows fit a window of 800 px.
      size="small"
      rowKey={keyOf}
      columns={useSteadyCells(columns)}
      dataSource={page?.rows ?? NO_ROWS}
      loading={query.isPlaceholderData}
      scroll={{ x: COLUMNS_WIDTH }}
      locale={{ ...table?.locale, emptyText: empty }}
      showSorterTooltip={false}
      rowSelection={{
        ...selection,
        checkStrictly: true,
        renderCell: (_checked, row, _index, checkbox) => (isChild(row) ? null : checkbox),
      }}
      pagination={paginationOf(state, page?.total ?? 0, '个')}
      onChange={onTableChange(state, (part) => onChange((now) => ({ ...now, ...part })))}
    />
  )
}
