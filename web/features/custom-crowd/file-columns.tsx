import type { TableProps } from 'antd'
import type { CrowdFile } from '#contract/custom-crowd.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { TEXT_ENCODINGS } from '#contract/text-encoding.ts'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime } from '../../lib/format.ts'
import { malformedDownload } from './malformed-download.ts'

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
  { title: '文件名', dataIndex: 'name', fixed: 'left', width: 190, render: (_, file) => <FileFacts file={file} /> },
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
  { title: '上传时间', dataIndex: 'op_at', width: 156, render: (_, file) => <Uploaded file={file} /> },
  { title: '操作', key: 'action', fixed: 'right', width: 96, render: (_, file) => <Download file={file} /> },
]

const FileFacts = ({
  file: { name, user_id_type, size, error, hashed, choice, unread_members },
}: {
  file: CrowdFile
}) => (
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
        {hashed.normalised > 0 && `${formatCount(hashed.normalised)} 行规范写法后加密，`}
        {formatCount(hashed.malformed)} 行无效
      </div>
    )}
    {choice && (
      <div className={text.small}>
        {[
          choice.encoding && TEXT_ENCODINGS[choice.encoding],
          choice.separator !== null && `取第 ${choice.column + 1} 列`,
          choice.has_header && '首行为列名（不计入行数）',
        ]
          .filter(Boolean)
          .join('，')}
      </div>
    )}
    {unread_members.map((member) => (
      <div key={member.name} className={text.problem}>
        {member.name}：{member.error}
      </div>
    ))}
  </>
)

/** The malformed lines, and how many for each reason. */
const Malformed = ({ file }: { file: CrowdFile }) => (
  <>
    {file.status === 'done' ? formatCount(file.malformed) : '--'}
    {file.reasons.map(({ reason, lines }) => (
      <WholeOnHover key={reason} text={`${reason}：${formatCount(lines)} 行`}>
        <div className={`${text.small} ${text.cut}`}>
          {formatCount(lines)} {reason}
        </div>
      </WholeOnHover>
    ))}
    <OnlyCounted file={file} />
  </>
)

/** How many malformed lines are not in the download. */
const OnlyCounted = ({ file: { reasons } }: { file: CrowdFile }) => {
  const counted = reasons.reduce((sum, { lines, listed }) => sum + lines - listed, 0)
  return counted > 0 && <div className={text.small}>{formatCount(counted)} 行只计数，不可下载</div>
}

/** When it was uploaded, and the version that it made. */
const Uploaded = ({ file: { op_at, version } }: { file: CrowdFile }) => (
  <>
    <div className={text.nowrap}>{formatTime(op_at)}</div>
    <div className={text.small}>版本 {version}</div>
  </>
)

const Download = ({ file }: { file: CrowdFile }) => {
  const download = malformedDownload(file)
  const label = '下载无效行'
  if (download.kind === 'none') return <RowAction refusal={download.reason}>{label}</RowAction>
  if (download.kind === 'kept')
    return (
      <RowAction hint={download.hint} onClick={download.save}>
        {label}
      </RowAction>
    )
  return (
    <RowAction href={download.href} download hint={download.hint}>
      {label}
    </RowAction>
  )
}
