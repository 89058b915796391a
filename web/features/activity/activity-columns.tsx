import { Flex, type TableColumnsType, type TableColumnType, Tooltip } from 'antd'
import { useState } from 'react'
import { actionRefusal } from '#contract/activity/actions.ts'
import type { MetricKey } from '#contract/activity/metrics.ts'
import { isTrendKey, type TrendKey } from '#contract/activity/trends.ts'
import type { Column } from '#contract/activity-columns.ts'
import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { ChangeSwitch } from '../../components/ChangeSwitch.tsx'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { TrendLine } from '../../components/TrendLine.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { useEdition } from '../../lib/edition.ts'
import { formatTime, NONE } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { ActivityStatusTag } from './ActivityStatusTag.tsx'
import styles from './activity.module.css'
import { ColumnTitle } from './ColumnTitle.tsx'
import type { DrawnPart } from './column-window.ts'
import { gapColumn } from './gap-column.ts'
import { ColumnValue, isValueFormat } from './MetricValue.tsx'
import { PlanSyncLine, RetryThere, TroubledPlans } from './PlanSyncLine.tsx'
import { runsThere } from './plan-sync.ts'
import { ActivityMarkTags, type MarkedDays } from './report-sync/MarkTags.tsx'
import { trendWords } from './trend-words.ts'
import { isPlanRow } from './use-activity-actions.tsx'
import type { Trends } from './use-trends.ts'

/** A row of the tree; an activity without plans has no children, so that it cannot be unfolded. */
export type TreeRow = (Omit<ActivityRow, 'children'> & { children?: PlanRow[] | undefined }) | PlanRow

interface RowActions {
  turn(row: TreeRow, is_open: 0 | 1): Promise<void>
  copy(row: TreeRow): unknown
  remove(row: TreeRow): unknown
  openLog(row: TreeRow): void
  saveAsset(row: TreeRow): void
}

const FIXED = { name: 230, status: 84, is_open: 68, actions: 150 } as const
/** Room that the fixed columns and the boxes take. */
export const FIXED_WIDTH = Object.values(FIXED).reduce((sum, one) => sum + one, 0) + 40

const isActivity = (row: TreeRow): row is Exclude<TreeRow, PlanRow> => !isPlanRow(row as ActivityRow | PlanRow)

/** Cells of a row before the chosen columns, boxes included, and after them. */
export const CELLS = { before: 4, after: 1 } as const

export const activityColumns = (given: {
  status: Column
  /** The chosen columns that are drawn. */
  parts: readonly DrawnPart<Column>[]
  sort: ListState['sort']
  actions: RowActions
  /** The days that were chosen, which the day report shows too; null for those shown by themselves. */
  timeRange: string | null
  /** Whose things rows change: their advertisers', by the ids of their activities. */
  ownerOf: (row: TreeRow) => number
  /** What is odd about an activity's numbers, by its id. */
  marks: ReadonlyMap<number, readonly MarkedDays[]>
  trends: Trends
}): TableColumnsType<TreeRow> => [
  {
    title: '活动 / 计划',
    key: 'name',
    fixed: 'left',
    width: FIXED.name,
    ...placed(2),
    render: (_, row) => (
      <Name
        row={row}
        marks={(isActivity(row) && given.marks.get(row.id)) || []}
        owner={given.ownerOf(row)}
        turn={given.actions.turn}
      />
    ),
  },
  {
    title: <ColumnTitle column={given.status} />,
    key: 'status',
    fixed: 'left',
    width: FIXED.status,
    ...placed(3),
    render: (_, row) => <ActivityStatusTag status={row.status} name={row.plan_status_name} />,
  },
  {
    title: '开关',
    key: 'is_open',
    fixed: 'left',
    width: FIXED.is_open,
    ...placed(4),
    render: (_, row) => <OpenSwitch row={row} owner={given.ownerOf(row)} turn={given.actions.turn} />,
  },
  ...given.parts.map((part) =>
    'gap' in part ? gapColumn(part) : metricColumn(part.at, part.column, given.sort, given.trends),
  ),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: FIXED.actions,
    render: (_, row) =>
      isActivity(row) ? <Actions row={row} actions={given.actions} timeRange={given.timeRange} /> : null,
  },
]

/** Says which of all columns a heading is, since not all are drawn. */
const placed = (place: number): Pick<TableColumnType<TreeRow>, 'onHeaderCell'> => ({
  onHeaderCell: () => ({ 'aria-colindex': place }),
})

function metricColumn(at: number, column: Column, sort: ListState['sort'], trends: Trends): TableColumnType<TreeRow> {
  const { key, width, format } = column
  const isNumber = isValueFormat(format)
  return {
    title: <ColumnTitle column={column} />,
    key,
    width,
    align: isNumber ? 'right' : 'left',
    ...placed(CELLS.before + at + 1),
    ...(key === 'created_at' && {
      sorter: true,
      sortDirections: ['ascend', 'descend', 'ascend'],
      sortOrder: sort === 'created_at' ? 'ascend' : 'descend',
    }),
    render: (_, row) =>
      isNumber ? (
        <>
          <ColumnValue column={column} row={row} />
          {isActivity(row) && isTrendKey(key) && row[key] !== null && (
            <ColumnTrend column={column} of={key} row={row} trends={trends} />
          )}
        </>
      ) : (
        textIn(row, key)
      ),
  }
}

function ColumnTrend(props: { column: Column; of: TrendKey; row: Exclude<TreeRow, PlanRow>; trends: Trends }) {
  const { column, of, row, trends } = props
  const { label, format } = column
  const values = trends.of(row.id, of) ?? []
  return (
    <TrendLine
      values={values}
      label={isValueFormat(format) ? trendWords({ label, format }, trends.days, values) : ''}
    />
  )
}

function textIn(row: TreeRow, key: MetricKey) {
  if (!isActivity(row)) return null
  if (key === 'created_at') return formatTime(row.created_at)
  const words =
    key === 'creator' ? row.creator?.realname : key === 'product_name' ? row.product_name : row.advertiser_name
  return words ? (
    <WholeOnHover text={words}>
      <span className={text.cut}>{words}</span>
    </WholeOnHover>
  ) : (
    NONE
  )
}

interface Turned<R extends TreeRow> {
  row: R
  /** Whose thing the row changes. */
  owner: number
  turn: RowActions['turn']
}

function Name({ row, marks, owner, turn }: Turned<TreeRow> & { marks: readonly MarkedDays[] }) {
  if (isActivity(row)) {
    return (
      <div className={styles.name}>
        <WholeOnHover text={row.name}>
          <span className={text.twoLines}>{row.name}</span>
        </WholeOnHover>
        <span className={text.small}>
          ID {row.id}
          <CopyIcon text={String(row.id)} what="ID" />
          {row.auto_sync === 0 && ' · 不自动同步'}
        </span>
        <TroubledPlans plans={row.children ?? []} />
        {marks.length > 0 && <ActivityMarkTags marks={marks} />}
      </div>
    )
  }
  return (
    <div className={`${styles.name} ${styles.planName}`}>
      <Flex gap={6} align="center" className={text.shrinks}>
        <PlatformMark platform={row.platform} />
        <WholeOnHover text={row.name}>
          <span className={text.twoLines}>{row.name}</span>
        </WholeOnHover>
      </Flex>
      <span className={`${text.small} ${text.cut}`}>
        {row.is_local ? (
          <Tooltip title="没有关联平台上的计划，所以没有平台数据；在编辑中选择在平台新建，或填写平台计划 ID">
            <span>仅本地</span>
          </Tooltip>
        ) : row.plan_id === null ? (
          '在平台新建'
        ) : (
          `平台计划 ${row.plan_id}`
        )}
        {row.account_name && ` · ${row.account_name}`}
      </span>
      <PlanSyncLine
        sync={row.sync}
        action={
          row.sync.can_retry ? (
            <RetryThere plan={row} owner={owner} />
          ) : (
            runsThere(row.sync) && <StopThere row={row} owner={owner} turn={turn} />
          )
        }
      />
    </div>
  )
}

/** Stops a plan that is to be off here, and whose own switch may be off already. */
function StopThere({ row, owner, turn }: Turned<PlanRow>) {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <RowAction
      changes={owner}
      hint="在平台上暂停这个计划"
      loading={isBusy}
      onClick={() => {
        setIsBusy(true)
        void turn(row, 0).finally(() => setIsBusy(false))
      }}
    >
      暂停
    </RowAction>
  )
}

/** Shows what is wanted until the answer comes, and returns when it is a refusal. */
function OpenSwitch({ row, owner, turn }: Turned<TreeRow>) {
  const [wanted, setWanted] = useState<0 | 1 | null>(null)
  const shown = wanted ?? row.is_open
  return (
    <ChangeSwitch
      changes={owner}
      size="small"
      aria-label={`${isActivity(row) ? '活动' : '计划'}「${row.name}」的开关`}
      checked={shown === 1}
      loading={wanted !== null}
      onChange={(on) => {
        const next = on ? 1 : 0
        setWanted(next)
        void turn(row, next).finally(() => setWanted(null))
      }}
    />
  )
}

function Actions(props: { row: Exclude<TreeRow, PlanRow>; actions: RowActions; timeRange: string | null }) {
  const { row, actions, timeRange } = props
  const { isSaas } = useEdition()
  const noData = sentenceOrNull(actionRefusal('data', row.status))
  const changes = row.advertiser_id
  const refusalOf = useReadOnly()
  return (
    <Flex gap={6} align="center">
      <RowAction to={paths.workBench(row.id)}>{refusalOf(changes) === null ? '编辑' : '查看'}</RowAction>
      <RowAction changes={changes} onClick={() => void actions.copy(row)}>
        复制
      </RowAction>
      <RowAction to={paths.dayReport(row.id, timeRange === null ? {} : { time_range: timeRange })} refusal={noData}>
        数据
      </RowAction>
      <MoreActions
        name={`「${row.name}」的更多操作`}
        changes={changes}
        actions={[
          { key: 'log', label: '日志', changes: null, onClick: () => actions.openLog(row) },
          // Assets are for activities made of one, which RPS does not offer.
          ...(isSaas ? [{ key: 'asset', label: '存为资产', onClick: () => actions.saveAsset(row) }] : []),
          '-',
          { key: 'delete', label: '删除', danger: true, onClick: () => void actions.remove(row) },
        ]}
      />
    </Flex>
  )
}
