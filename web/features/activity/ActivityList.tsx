import { DownloadOutlined, SettingOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button, Flex, Skeleton, Table } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { compareFault } from '#contract/activity/compare.ts'
import { type Column, getColumns } from '#contract/activity-columns.ts'
import { ACTIVITY_EXPORT_PATH } from '#contract/activity-export.ts'
import {
  ACTIVITY_PAGE_SIZES,
  type ActivityRow,
  listActivities,
  type PlanRow,
  totalActivities,
} from '#contract/activity-list.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { listReportMarks } from '#contract/report.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { later } from '../../components/later.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import space from '../../components/space.module.css'
import { paginationOf, rowSelectionOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useChosen, useChosenRows } from '../../components/use-chosen.ts'
import { onTableChange } from '../../domain/crowd/crowd-columns.tsx'
import { listedAdvertiser } from '../../domain/crowd/filters.tsx'
import { ListFilters } from '../../domain/crowd/ListFilters.tsx'
import { isFiltered, noFilters, queryOfState, searched, type ValuesOf } from '../../domain/crowd/list-state.ts'
import { formatAsOf } from '../../lib/format.ts'
import { idIn } from '../../lib/id-in.ts'
import { queryOf } from '../../lib/query.ts'
import { writeSpan } from '../../lib/span.ts'
import { withParams } from '../../lib/with-params.ts'
import styles from './activity.module.css'
import { activityColumns, CELLS, FIXED_WIDTH, type TreeRow } from './activity-columns.tsx'
import { ACTIVITY_FILTERS } from './filters.tsx'
import { useActivityListState } from './list-state.ts'
import { nextLook } from './plan-sync.ts'
import { SyncBar } from './report-sync/SyncBar.tsx'
import { UnlinkedNote } from './report-sync/UnlinkedNote.tsx'
import { SumsRow } from './SumsRow.tsx'
import { lastDaysOf, shownSpan } from './shown-span.ts'
import { isPlanRow, useActivityActions } from './use-activity-actions.tsx'
import { useColumnsInSight } from './use-columns-in-sight.ts'
import { useRoomBelow } from './use-room-below.ts'
import { type Trends, useTrends } from './use-trends.ts'

const ColumnsDrawer = later(() => import('./ColumnsDrawer.tsx').then((file) => file.ColumnsDrawer))
const CompareDrawer = later(() => import('./CompareDrawer.tsx').then((file) => file.CompareDrawer))
const ExportDialog = later(() => import('./ExportDialog.tsx').then((file) => file.ExportDialog))
const LogDrawer = later(() => import('./LogDrawer.tsx').then((file) => file.LogDrawer))
const SaveAssetDialog = later(() => import('./SaveAssetDialog.tsx').then((file) => file.SaveAssetDialog))

/** With more rows only those on the screen are drawn. */
const DRAWN_ROWS_MAX = 40

const NO_ROWS: readonly never[] = []
const treeOf = (rows: readonly ActivityRow[]): TreeRow[] =>
  rows.map(({ children, ...row }) => ({ ...row, children: children.length > 0 ? children : undefined }))
const keyOf = (row: TreeRow) => `${row.campaign_mold}-${row.id}`

interface Props {
  /** null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  advId: number | undefined
  seesCreators: boolean
  /** Makes a new activity, for the empty list. */
  newButton: ReactNode
}

/** The activities with their plans and metrics. */
export function ActivityList({ advertisers, advId, seesCreators, newButton }: Props) {
  const { message } = App.useApp()
  const [state, onChange] = useActivityListState()
  const [params, setParams] = useSearchParams()
  const [isExporting, setIsExporting] = useState(false)
  const [isChoosing, setIsChoosing] = useState(false)
  const [saved, setSaved] = useState<{ id: number; name: string } | null>(null)
  const chosen = useChosen<TreeRow>(`${advId}`)
  const set = (name: 'compare' | 'log', value: string | null) => setParams((now) => withParams(now, { [name]: value }))

  const columns = useQuery({ ...queryOf(getColumns), meta: { inPlace: 'always' } })
  const { dir_id: _dir, page, page_size, sort, ...filters } = queryOfState(ACTIVITY_FILTERS, state)
  const listed = advertisers === null ? undefined : listedAdvertiser(state.filters.adv_id, advId)
  const synced = advertisers === null ? advId : (listed ?? 'all')
  const span = shownSpan(state.filters.time_range)
  const time_range = writeSpan(span)
  const lastDays = writeSpan(lastDaysOf(span))
  // What a filter writes is the text that the call takes.
  const asked = { ...filters, adv_id: listed, time_range } as Record<string, unknown>
  const query = {
    ...{ ...asked, page, per_page: page_size },
    sort: sort === 'created_at' ? 'created_at:asc' : 'created_at:desc',
  }
  const activities = useQuery({
    ...queryOf(listActivities, { query: query as never }),
    meta: { inPlace: 'always' },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      nextLook(data?.list.flatMap(({ children }) => children) ?? NO_ROWS, data?.is_reading),
  })
  const actions = useActivityActions(activities.isPlaceholderData ? undefined : activities.data?.list)
  const totals = useQuery({
    ...queryOf(totalActivities, { query: asked as never }),
    meta: { silent: 'optional' },
    placeholderData: keepPreviousData,
  })

  const trends = useTrends(activities.data?.list ?? NO_ROWS, lastDays)
  const { marks, retryMarks } = useMarks(activities.data?.list ?? NO_ROWS, lastDays)

  const change = (part: Partial<ValuesOf<typeof ACTIVITY_FILTERS>>) => {
    chosen.clear()
    onChange((now) => searched(now, { filters: part }))
  }
  useLastPage(activities, state, (wanted) => onChange((now) => ({ ...now, page: wanted })))

  const compare = (rows: readonly TreeRow[]) => {
    const fault = compareFault(rows.length)
    if (fault) message.warning(sentenceOf(fault))
    else set('compare', rows.map(({ id }) => id).join(','))
  }
  const compared = (params.get('compare') ?? '').split(',').flatMap((id) => idIn(id) ?? [])
  const logged = idIn(params.get('log'))

  const failed = [activities, columns].find(({ error }) => error !== null)
  const retry = () => void Promise.all([activities.refetch(), columns.refetch()])
  const isLoaded = activities.data !== undefined && columns.data !== undefined
  return (
    <>
      <Flex justify="space-between" align="flex-start" gap={16} className={space.filters}>
        <ListFilters
          filters={ACTIVITY_FILTERS}
          state={state}
          onChange={change}
          advertisers={advertisers ?? []}
          advId={advertisers === null ? undefined : advId}
          hidden={seesCreators ? [] : ['create_by', 'creator']}
        />
        <Flex gap={8}>
          <Button onClick={() => compare(chosen.rows())}>对比数据</Button>
          <Button
            icon={<DownloadOutlined />}
            disabled={!columns.data || !totals.data || totals.data.total === 0}
            onClick={() => setIsExporting(true)}
          >
            导出
          </Button>
          <Button icon={<SettingOutlined />} disabled={!columns.data} onClick={() => setIsChoosing(true)}>
            自定义列
          </Button>
        </Flex>
      </Flex>
      <Flex justify="space-between" align="center" gap={16} className={styles.note}>
        <div className={text.hint}>
          在平台新建或关联了的计划，开关、预算、名称、日期、时段与定向的修改会同步到平台，并显示平台报表中的数据；仅本地的只保存在这里。
          {synced !== 'all' && synced !== undefined && <UnlinkedNote advId={synced} timeRange={time_range} />}
        </div>
        <Flex gap={8} align="center">
          {isLoaded && failed && (
            <span className={`${text.problem} ${text.nowrap}`} role="status">
              列表更新失败，数据{formatAsOf(failed.dataUpdatedAt / 1000)} <RowAction onClick={retry}>重试</RowAction>
            </span>
          )}
          {retryMarks && (
            <span className={`${text.problem} ${text.nowrap}`}>
              数据标记加载失败 <RowAction onClick={retryMarks}>重试</RowAction>
            </span>
          )}
          {synced === 'all' ? (
            <SyncBar of="all" changes="shared" />
          ) : (
            synced !== undefined && <SyncBar of={{ adv_id: synced }} changes={synced} />
          )}
        </Flex>
      </Flex>
      {isLoaded ? (
        <ActivityTable
          rows={activities.data.list}
          marks={marks}
          trends={trends}
          total={activities.data.total}
          status={columns.data.status}
          columns={shownOf(columns.data)}
          totals={totals.data}
          retryTotals={totals.isError ? () => void totals.refetch() : null}
          state={state}
          onChange={onChange}
          isStale={activities.isPlaceholderData}
          chosen={chosen}
          actions={{
            turn: (row, is_open) => actions.turn(row as ActivityRow | PlanRow, is_open),
            copy: (row) => actions.copy(row as ActivityRow),
            remove: (row) => actions.remove({ ...row, children: (row as ActivityRow).children ?? [] } as ActivityRow),
            openLog: (row) => set('log', String(row.id)),
            saveAsset: setSaved,
          }}
          empty={
            isFiltered(ACTIVITY_FILTERS, { ...state, filters: { ...state.filters, time_range: null } }) ? (
              <EmptyState
                title="没有符合条件的活动"
                hint="换个条件，或清除筛选查看全部活动。"
                action={<Button onClick={() => change(noFilters(ACTIVITY_FILTERS))}>清除筛选</Button>}
              />
            ) : (
              <EmptyState
                title="还没有活动"
                hint="一个活动把几个计划放在一起：定向包与人群、预算、排期，以及它们的数据。"
                action={newButton}
              />
            )
          }
        />
      ) : failed?.error ? (
        <LoadError error={failed.error} onRetry={retry} title="活动列表加载失败" />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      )}
      <ChosenBar chosen={chosen} compare={compare} />
      {isChoosing && columns.data && <ColumnsDrawer {...columns.data} onClose={() => setIsChoosing(false)} />}
      {isExporting && columns.data && totals.data && (
        <ExportDialog
          title="导出活动列表"
          path={ACTIVITY_EXPORT_PATH}
          query={{ ...asked, sort: query.sort }}
          size={{
            activities: totals.data.total,
            rows: totals.data.total + totals.data.plans + 1,
            columns: { chosen: columns.data.chosen.length, all: columns.data.columns.length },
          }}
          onClose={() => setIsExporting(false)}
        />
      )}
      {compared.length > 0 && columns.data && (
        <CompareDrawer
          ids={compared}
          timeRange={time_range}
          columns={columns.data.columns}
          chosen={columns.data.chosen}
          onClose={() => set('compare', null)}
        />
      )}
      {logged !== null && <LogDrawer id={logged} onClose={() => set('log', null)} />}
      {saved && <SaveAssetDialog activity={saved} onClose={() => setSaved(null)} />}
    </>
  )
}

/** The chosen columns, in their order. */
function shownOf({ columns, chosen }: { columns: readonly Column[]; chosen: readonly string[] }): Column[] {
  const known = new Map<string, Column>(columns.map((column) => [column.key, column]))
  return chosen.flatMap((key) => known.get(key) ?? [])
}

/** What is odd about the numbers of these activities, by their ids; `retryMarks` where that could not be read. */
function useMarks(rows: readonly ActivityRow[], time_range: string) {
  const ids = rows.map(({ id }) => id).join(',')
  const marks = useQuery({
    ...queryOf(listReportMarks, { query: { campaign_id: ids, time_range } as never }),
    enabled: ids !== '',
    meta: { silent: 'optional' },
    placeholderData: keepPreviousData,
  })
  const ofActivity = useMemo(() => Map.groupBy(marks.data?.list ?? [], ({ campaign_id }) => campaign_id), [marks.data])
  return { marks: ofActivity, retryMarks: marks.isError ? () => void marks.refetch() : null }
}

/** Goes to the last page with rows when all of this page were deleted. */
function useLastPage(
  query: { data: { list: readonly unknown[]; total: number } | undefined; isPlaceholderData: boolean },
  { page, page_size }: { page: number; page_size: number },
  go: (page: number) => void,
) {
  const { data, isPlaceholderData } = query
  const isPast = data && !isPlaceholderData && data.list.length === 0 && data.total > 0 && page > 1
  const last = isPast ? Math.ceil(data.total / page_size) : page
  const goTo = useEffectEvent((wanted: number) => {
    if (wanted !== page) go(wanted)
  })
  useEffect(() => goTo(last), [last])
}

function ChosenBar({
  chosen,
  compare,
}: {
  chosen: ReturnType<typeof useChosen<TreeRow>>
  compare: (rows: readonly TreeRow[]) => void
}) {
  const rows = useChosenRows(chosen)
  return (
    <SelectionBar rows={rows} onClear={chosen.clear}>
      <Button size="small" onClick={() => compare(rows)}>
        对比
      </Button>
    </SelectionBar>
  )
}

function ActivityTable(props: {
  rows: readonly ActivityRow[]
  marks: Parameters<typeof activityColumns>[0]['marks']
  trends: Trends
  total: number
  status: Column
  columns: readonly Column[]
  totals: Parameters<typeof SumsRow>[0]['totals']
  retryTotals: (() => void) | null
  state: ReturnType<typeof useActivityListState>[0]
  onChange: ReturnType<typeof useActivityListState>[1]
  isStale: boolean
  chosen: ReturnType<typeof useChosen<TreeRow>>
  actions: Parameters<typeof activityColumns>[0]['actions']
  empty: ReactNode
}) {
  const { rows, marks, trends, total, status, columns, totals, retryTotals } = props
  const { state, onChange, isStale, chosen, actions, empty } = props
  const tree = useMemo(() => treeOf(rows), [rows])
  const owners = useMemo(() => new Map(rows.map((row) => [row.id, row.advertiser_id])), [rows])
  const drawn = useMemo(() => rows.reduce((sum, { children }) => sum + 1 + children.length, 0), [rows])
  const [frame, room] = useRoomBelow()
  const { parts, table } = useColumnsInSight(frame, columns, FIXED_WIDTH)
  const width = FIXED_WIDTH + columns.reduce((sum, column) => sum + column.width, 0)
  const isPlan = (row: TreeRow) => isPlanRow(row as ActivityRow | PlanRow)
  const selection = rowSelectionOf<TreeRow>({
    selected: useChosenRows(chosen),
    onSelected: (selected) => chosen.set(selected.filter((row) => !isPlan(row))),
    isBarred: isPlan,
    keyOf,
  })
  return (
    <div ref={frame} className={styles.list}>
      <Table<TreeRow>
        ref={table}
        size="small"
        aria-label="活动列表"
        aria-colcount={CELLS.before + columns.length + CELLS.after}
        rowKey={keyOf}
        columns={activityColumns({
          status,
          parts,
          sort: state.sort,
          actions,
          timeRange: writeSpan(state.filters.time_range ?? null) || null,
          ownerOf: (row) => owners.get(row.campaign_id) ?? 0,
          marks,
          trends,
        })}
        dataSource={tree.length > 0 ? tree : NO_ROWS}
        loading={isStale}
        virtual={drawn > DRAWN_ROWS_MAX}
        scroll={tree.length > 0 ? { x: width, y: room } : { x: width }}
        locale={{ emptyText: empty }}
        showSorterTooltip={false}
        rowSelection={{
          ...selection,
          checkStrictly: true,
          renderCell: (_checked, row, _index, checkbox) => (isPlan(row) ? null : checkbox),
        }}
        pagination={{ ...paginationOf(state, total, '个活动'), pageSizeOptions: [...ACTIVITY_PAGE_SIZES] }}
        onChange={onTableChange(state, (part) => onChange((now) => ({ ...now, ...part })))}
        {...(tree.length > 0 && {
          // antd keeps only a summary of its own in sight.
          summary: () => (
            <Table.Summary fixed>
              <SumsRow parts={parts} totals={totals} onRetry={retryTotals} />
            </Table.Summary>
          ),
        })}
      />
    </div>
  )
}
