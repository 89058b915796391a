import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card, Flex, Skeleton, Table, type TableColumnsType } from 'antd'
import { type ReactNode, useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { IMPORT_KINDS, type ImportRow, listImports, refusedRowsPath } from '#contract/import.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { DrawnBelow } from '../../components/DrawnBelow.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime, NONE } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { ImportStatus, isUnderWay } from './ImportStatus.tsx'
import styles from './import.module.css'
import { ReportBar } from './ReportBar.tsx'
import { UndoDialog } from './UndoDialog.tsx'
import { useEndedImports } from './use-ended-imports.ts'

const POLL_MS = 2_000

interface Props {
  page: number
  pageSize: number
  /** The advertiser of the top bar; undefined lists the imports of all. */
  advId: number | undefined
  onPage: (change: { page: number; page_size: number }) => void
  onOpen: (id: number) => void
}

/** The advertiser's imports and their results; `children` stand below them. */
export function ImportTable({ children, ...props }: Props & { children: ReactNode }) {
  const { page, pageSize, advId } = props
  const imports = useQuery({
    ...queryOf(listImports, { query: { page, page_size: pageSize, adv_id: advId } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? POLL_MS : false),
  })
  useEndedImports(imports.data?.list.filter(isUnderWay).length ?? 0)

  return (
    <>
      <Card title="导入记录">
        <QueryState
          query={imports}
          skeleton={<Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />}
          errorTitle="导入记录加载失败"
        >
          {(data) => <Rows {...props} data={data} isLoading={imports.isPlaceholderData} />}
        </QueryState>
      </Card>
      <DrawnBelow isKnown={!imports.isPending}>{children}</DrawnBelow>
    </>
  )
}

function Rows(props: Props & { data: DataOf<typeof listImports>; isLoading: boolean }) {
  const { page, pageSize, onPage, onOpen, data, isLoading } = props
  const [undoing, setUndoing] = useState<ImportRow | null>(null)
  return (
    <>
      <Table<ImportRow>
        rowKey="id"
        size="middle"
        columns={columns(onOpen, setUndoing)}
        dataSource={data.list}
        loading={isLoading}
        scroll={{ x: 876 }}
        locale={{
          emptyText: <EmptyState title="还没有导入记录" hint="把用户或事件文件拖到上方，即可开始第一次导入。" />,
        }}
        pagination={{
          ...paginationOf({ page, page_size: pageSize }, data.total, '次'),
          onChange: (next, size) => onPage(pageChange({ page, page_size: pageSize }, next, size)),
        }}
      />
      {undoing && <UndoDialog row={undoing} onClose={() => setUndoing(null)} />}
    </>
  )
}

const columns = (onOpen: (id: number) => void, onUndo: (row: ImportRow) => void): TableColumnsType<ImportRow> => [
  {
    title: '文件',
    key: 'file',
    width: 170,
    render: (_, row) => (
      <>
        <WholeOnHover text={row.file_name}>
          <button
            type="button"
            className={`${text.link} ${text.cut} ${styles.nameButton}`}
            onClick={() => onOpen(row.id)}
          >
            {row.file_name}
          </button>
        </WholeOnHover>
        <div className={text.small}>{formatBytes(row.size)}</div>
      </>
    ),
  },
  { title: '类型', key: 'kind', width: 56, render: (_, row) => IMPORT_KINDS[row.kind] },
  { title: '状态', key: 'status', width: 124, render: (_, row) => <ImportStatus row={row} /> },
  {
    title: '结果',
    key: 'report',
    width: 200,
    render: (_, row) => (row.report ? <ReportBar row={row} report={row.report} compact /> : NONE),
  },
  {
    title: '开始时间',
    key: 'created_at',
    width: 158,
    render: (_, row) => (
      <>
        <div className={text.nowrap}>{formatTime(row.created_at)}</div>
        <div className={text.small}>{row.creator}</div>
      </>
    ),
  },
  {
    title: '操作',
    key: 'actions',
    width: 168,
    fixed: 'right',
    render: (_, row) => (
      <Flex gap={12}>
        <RowAction onClick={() => onOpen(row.id)}>{row.report ? '查看报告' : '查看'}</RowAction>
        {(row.status === 'done' || row.status === 'undo_failed') && (
          <RowAction danger changes={row.adv_id} refusal={row.undo_obstacle} onClick={() => onUndo(row)}>
            撤销
          </RowAction>
        )}
        {row.report && row.report.refused > 0 && (
          <RowAction
            refusal={sentenceOrNull(row.rows_obstacle_outcome)}
            hint={`下载 ${formatCount(row.report.refused)} 行被拒绝的数据及原因`}
            href={refusedRowsPath(row.id)}
            download
          >
            拒绝行
          </RowAction>
        )}
      </Flex>
    ),
  },
]
