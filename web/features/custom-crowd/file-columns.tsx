import type { TableProps } from 'antd'
import { type CrowdFile, malformedPath } from '#contract/custom-crowd.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime } from '../../lib/format.ts'

const STATES: Record<CrowdFile['status'], { tone: Tone; words: string }> = {
  waiting: { tone: 'waiting', words: '等待校验' },
  checking: { tone: 'running', words: '校验中' },
  done: { tone: 'done', words: '已完成' },
  failed: { tone: 'failed', words: '读取失败' },
}

const count = (title: string, key: 'line_count' | 'valid_count' | 'duplicate' | 'malformed') => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  width: 90,
  render: (_: unknown, file: CrowdFile) => (file.status === 'done' ? formatCount(file[key]) : '--'),
})

/** The columns of a crowd's files. */
export const FILE_COLUMNS: NonNullable<TableProps<CrowdFile>['columns']> = [
  { title: '文件名', dataIndex: 'name', fixed: 'left', width: 200, render: (_, file) => <FileFacts file={file} /> },
  {
    title: '状态',
    dataIndex: 'status',
    width: 110,
    render: (status: CrowdFile['status']) => <StatusDot tone={STATES[status].tone}>{STATES[status].words}</StatusDot>,
  },
  count('行数', 'line_count'),
  count('有效', 'valid_count'),
  count('重复', 'duplicate'),
  { ...count('无效', 'malformed'), render: (_, file) => <Malformed file={file} /> },
  { title: '上传时间', dataIndex: 'op_at', width: 100, render: (_, file) => <Uploaded file={file} /> },
  { title: '操作', key: 'action', fixed: 'right', width: 96, render: (_, file) => <Download file={file} /> },
]

const FileFacts = ({ file: { name, user_id_type, size, error, hashed } }: { file: CrowdFile }) => (
  <>
    <WholeOnHover text={name}>
      <span className={text.cut}>{name}</span>
    </WholeOnHover>
    <div className={text.small}>
      {IDENTIFIERS[user_id_type].label}，{formatBytes(size)}
    </div>
    {error && <div className={text.problem}>{error}</div>}
    {hashed && (
      <div className={text.small}>
        浏览器内加密 {formatCount(hashed.lines)} 行，其中 {formatCount(hashed.already)} 行原已加密，
        {formatCount(hashed.malformed)} 行格式不正确
      </div>
    )}
  </>
)

/** The malformed lines, and how many for each reason. */
const Malformed = ({ file }: { file: CrowdFile }) => (
  <>
    {file.status === 'done' ? formatCount(file.malformed) : '--'}
    {file.reasons.map(({ reason, lines }) => (
      <div key={reason} className={text.small}>
        {reason} {formatCount(lines)}
      </div>
    ))}
  </>
)

/** Day and time on a line each, and the version that the file made. */
const Uploaded = ({ file: { op_at, version } }: { file: CrowdFile }) => (
  <>
    {formatTime(op_at)
      .split(' ')
      .map((part) => (
        <div key={part} className={text.nowrap}>
          {part}
        </div>
      ))}
    <div className={text.small}>版本 {version}</div>
  </>
)

const Download = ({ file: { id, malformed, status } }: { file: CrowdFile }) =>
  (malformed ?? 0) > 0 ? (
    <RowAction href={malformedPath(id)} download hint="格式不正确的行，带行号与原因">
      下载无效行
    </RowAction>
  ) : (
    <RowAction refusal={status === 'done' ? '没有格式不正确的行' : '校验完成后可下载'}>下载无效行</RowAction>
  )
