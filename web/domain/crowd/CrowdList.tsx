import { Button, Flex, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import type { Chosen } from '../../components/use-chosen.ts'
import type { CallError } from '../../lib/call.ts'
import { ListFilters } from './ListFilters.tsx'
import { isFiltered, type ListState, searched, UNFILTERED } from './list-state.ts'

/** What the table of a list is given. */
export interface CrowdTableProps<Row, Status extends string> {
  rows: readonly Row[]
  total: number
  isLoading: boolean
  state: ListState<Status>
  onState: (change: Partial<ListState<Status>>) => void
  showAdvertiser: boolean
  selected: readonly Row[]
  onSelected: (rows: Row[]) => void
  empty: ReactNode
}

/** The crowds of one folder: filters, the table, what can be done with the chosen rows. */
export function CrowdList<Row extends { id: number }, Status extends string>(props: {
  state: ListState<Status>
  onState: (state: ListState<Status>) => void
  /** By value, in the order in which they are offered. */
  statuses: Record<Status, string>
  /** Of the SaaS filter; null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** Beside the filters. */
  aside?: ReactNode
  query: { error: CallError | null; isPending: boolean; isPlaceholderData: boolean; refetch: () => unknown }
  page: { rows: readonly Row[]; total: number } | undefined
  /** What one row is called: 人群, 定向包. */
  noun: string
  /** What an empty folder says. */
  nothingYet: { title: string; hint: string; action: ReactNode }
  loadFailed: string
  chosen: Chosen<Row>
  onMove: (rows: readonly Row[]) => void
  onDelete: (rows: readonly Row[]) => unknown
  table: (given: CrowdTableProps<Row, Status>) => ReactNode
}) {
  const { state, onState, statuses, advertisers, aside, query, page, noun, nothingYet, chosen } = props

  const change = (part: Partial<ListState<Status>>) => {
    chosen.clear()
    onState(searched(state, part))
  }
  // The last row of the last page was deleted or moved: the page before it is the last now.
  if (page && !query.isPlaceholderData && page.rows.length === 0 && page.total > 0 && state.page > 1) {
    queueMicrotask(() => onState({ ...state, page: Math.ceil(page.total / state.page_size) }))
  }

  const empty = isFiltered(state) ? (
    <EmptyState
      title={`没有符合条件的${noun}`}
      hint={`换个条件，或清除筛选查看此文件夹的全部${noun}。`}
      action={<Button onClick={() => change(UNFILTERED)}>清除筛选</Button>}
    />
  ) : (
    <EmptyState {...nothingYet} />
  )

  return (
    <>
      <Flex justify="space-between" align="flex-start" gap={16} style={{ marginBottom: 12 }}>
        <ListFilters state={state} statuses={statuses} onChange={change} advertisers={advertisers} />
        {aside}
      </Flex>
      {query.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      ) : query.error && !page ? (
        <LoadError error={query.error} onRetry={query.refetch} title={props.loadFailed} />
      ) : (
        props.table({
          rows: page?.rows ?? [],
          total: page?.total ?? 0,
          isLoading: query.isPlaceholderData,
          state,
          onState: (part) => onState({ ...state, ...part }),
          showAdvertiser: advertisers !== null,
          selected: chosen.rows,
          onSelected: chosen.set,
          empty,
        })
      )}
      <SelectionBar count={chosen.rows.length} onClear={chosen.clear}>
        <Button size="small" onClick={() => props.onMove(chosen.rows)}>
          移动
        </Button>
        <Button size="small" danger onClick={() => props.onDelete(chosen.rows)}>
          删除
        </Button>
      </SelectionBar>
    </>
  )
}
