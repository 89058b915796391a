import { DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Drawer, Flex, Progress, Skeleton, Table, type TableColumnsType } from 'antd'
import { Link } from 'react-router'
import {
  getImport,
  IMPORT_KINDS,
  IMPORT_STATUS,
  type ImportReport,
  type ImportRow,
  refusedRowsPath,
} from '#contract/import.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import text from '../../components/text.module.css'
import { useEdition } from '../../lib/edition.ts'
import { formatBytes, formatCount, formatDuration, formatTime } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { commandOf } from './columns.ts'
import { repeatNotes } from './counted-now.ts'
import { firstLines } from './first-lines.ts'
import { ImportStatus, isUnderWay } from './ImportStatus.tsx'
import styles from './import.module.css'
import { ReportBar } from './ReportBar.tsx'
import { undoneText } from './undone-text.ts'

const POLL_MS = 1_000

const ROWS = {
  title: '行数',
  dataIndex: 'rows',
  align: 'right' as const,
  width: 120,
  render: (rows: number) => formatCount(rows),
}
const COUNTED: TableColumnsType<ImportReport['reasons'][number]> = [{ title: '原因', dataIndex: 'reason' }, ROWS]

const WARNED: TableColumnsType<ImportReport['warnings'][number]> = [
  {
    title: '原因',
    dataIndex: 'reason',
    render: (reason: string, { rows, data_rows }) => (
      <>
        {reason}
        <div className={text.small}>{firstLines(data_rows, rows, '条数据')}</div>
      </>
    ),
  },
  ROWS,
]

/** One import: its progress while it runs, then its report. */
export function ImportDrawer(props: {
  id: number | null
  /** Switches to the import's advertiser before its tags are opened. */
  onTags: (adv_id: number) => void
  onClose: () => void
}) {
  const { id, onTags, onClose } = props
  const row = useQuery({
    ...queryOf(getImport, { params: { id: id ?? 0 } }),
    meta: { inPlace: true },
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data && isUnderWay(query.state.data) ? POLL_MS : false),
  })
  return (
    <Drawer open={id !== null} size={640} title={row.data?.file_name ?? '导入'} onClose={onClose} destroyOnHidden>
      {row.data ? (
        <ImportDetail row={row.data} onTags={onTags} />
      ) : row.error ? (
        <LoadError error={row.error} onRetry={row.refetch} title="导入记录加载失败" />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  )
}

function ImportDetail({ row, onTags }: { row: ImportRow; onTags: (adv_id: number) => void }) {
  const { isSaas } = useEdition()
  const { report } = row
  return (
    <Flex vertical gap={20}>
      {isUnderWay(row) && (
        <div>
          <Progress percent={Math.floor(row.progress * 100)} status="active" aria-label="导入进度" />
          <div className={text.hint} aria-live="polite">
            {row.status === 'waiting' ? '等待中' : row.stage || IMPORT_STATUS[row.status]}
            。可以离开此页，进度也在右上角的任务中。
          </div>
        </div>
      )}
      {row.error && (
        <Alert
          type="error"
          showIcon
          title={row.status === 'undo_failed' ? '撤销失败' : '导入失败'}
          description={row.error}
        />
      )}
      {row.undo?.extent && row.status === 'undone' && (
        <Alert
          type="info"
          showIcon
          title={`已撤销：${undoneText(row.kind, row.undo.extent)}`}
          description={`${row.undo.asked_by}，${formatTime(row.undo.finished_at)}。下面是导入时的报告；同一文件可以重新导入。`}
        />
      )}
      {report && (
        <div>
          <Flex align="baseline" gap={8} className={styles.rows}>
            <span className={styles.total}>{formatCount(report.rows)}</span> 行
            <span className={text.hint}>
              {report.new_people > 0 ? `新增 ${formatCount(report.new_people)} 人，` : ''}
              用时 {formatDuration(report.took_ms / 1000)}
            </span>
          </Flex>
          <ReportBar row={row} report={report} />
          {repeatNotes(row, report).map((note) => (
            <div key={note} className={text.hint}>
              {note}
            </div>
          ))}
          {report.stored > 0 && row.status !== 'undone' && row.kind !== 'reports' && (
            <div className={styles.next}>
              标签会随数据自动更新。
              <Link to={paths.tags()} onClick={() => onTags(row.adv_id)} className={text.underlined}>
                查看标签
              </Link>
            </div>
          )}
        </div>
      )}
      {report && report.refused > 0 && (
        <Table
          size="small"
          rowKey="reason"
          pagination={false}
          dataSource={report.reasons}
          title={() => (
            <Flex justify="space-between" align="center">
              <b>拒绝原因</b>
              {row.rows_obstacle_outcome ? (
                <span className={text.hint}>{sentenceOf(row.rows_obstacle_outcome)}</span>
              ) : (
                <Button size="small" icon={<DownloadOutlined />} href={refusedRowsPath(row.id)} download>
                  下载被拒绝的行
                </Button>
              )}
            </Flex>
          )}
          columns={COUNTED}
          footer={() => (
            <>
              <div className={text.hint}>
                {row.kind === 'reports'
                  ? '报表按账户整天替换：请把改正的行放回原文件，再导入整个文件；只导入这些行，会使同一天其余的计划不再计入。'
                  : '在下载的文件里改正后，可以直接导入这个文件；标有「（不完整）」的行补全后请删去这个标记。'}
              </div>
              {report.removed_on_request !== undefined && (
                <div>按请求移除 {formatCount(report.removed_on_request)} 行：其用户已被删除，不再可下载</div>
              )}
            </>
          )}
        />
      )}
      {report && report.warnings.length > 0 && (
        <Table
          size="small"
          rowKey="reason"
          pagination={false}
          dataSource={report.warnings}
          title={() => <b>{row.kind === 'reports' ? '需要留意的行' : '类型不符的值（所在的行已存入）'}</b>}
          columns={WARNED}
          {...(row.status === 'done' &&
            report.warnings.some(({ outcome }) => outcome.code === 'report_rows_unlinked') && {
              footer: () => (
                <Link
                  to={paths.dataAccess({ tab: 'reports', unlinked_import: row.id })}
                  onClick={() => onTags(row.adv_id)}
                  className={text.underlined}
                >
                  查看未关联的平台计划
                </Link>
              ),
            })}
        />
      )}
      <Descriptions
        size="small"
        column={2}
        items={[
          {
            key: 'status',
            label: '状态',
            children: isUnderWay(row) ? IMPORT_STATUS[row.status] : <ImportStatus row={row} />,
          },
          { key: 'kind', label: '数据类型', children: IMPORT_KINDS[row.kind] },
          { key: 'size', label: '文件大小', children: formatBytes(row.size) },
          { key: 'creator', label: '操作人', children: row.creator },
          {
            key: 'created',
            label: '开始时间',
            children: <span className={text.nowrap}>{formatTime(row.created_at)}</span>,
          },
          {
            key: 'finished',
            label: '结束时间',
            children: <span className={text.nowrap}>{formatTime(row.finished_at)}</span>,
          },
          ...(isSaas ? [{ key: 'adv', label: '广告主', children: row.adv_name, span: 'filled' as const }] : []),
        ]}
      />
      {isSaas && <Command line={commandOf(row.mapping, row.file_name, row.adv_name)} />}
    </Flex>
  )
}

/** The same import as a command, for large files and scheduled imports. It names the advertiser, so RPS mode hides it. */
export function Command({ line }: { line: string }) {
  return (
    <div>
      <Flex align="center" gap={4} className={text.hint}>
        等价的命令行，适合更大或定期导入的文件
        <CopyIcon text={line} what="命令" />
      </Flex>
      <pre className={styles.command}>{line}</pre>
    </div>
  )
}
