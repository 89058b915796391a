import { type TableProps, Tag } from 'antd'
import { useState } from 'react'
import { type CrowdLog, OP_TYPES } from '#contract/custom-crowd.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime } from '../../lib/format.ts'
import { type LogVersion, VersionReport } from './VersionReport.tsx'

type Columns = NonNullable<TableProps<CrowdLog>['columns']>

const FILES_SHOWN = 3

/** The columns of a crowd's history. */
export const logColumns = (props: {
  /** Why no version can be restored now. */
  /** The crowd's advertiser. */
  adv_id: number
  refusal: string | null
  onRestore: (version: LogVersion) => void
}): Columns => [
  { title: '时间', dataIndex: 'op_at', width: 164, render: (_, log) => <WhenAndWho log={log} /> },
  {
    title: '操作类型',
    dataIndex: 'op_type',
    width: 84,
    render: (op_type: CrowdLog['op_type']) => <Tag>{OP_TYPES[op_type]}</Tag>,
  },
  { title: '内容', key: 'what', render: (_, log) => <What log={log} /> },
  {
    title: '报告',
    key: 'report',
    width: 150,
    render: (_, { version }) => version && <VersionReport version={version} />,
  },
  {
    title: '人群大小',
    key: 'size',
    width: 100,
    align: 'right',
    render: (_, { version }) => version && <Size version={version} />,
  },
  {
    title: '操作',
    key: 'action',
    width: 64,
    fixed: 'right',
    render: (_, { version }) =>
      version?.can_restore && (
        <RowAction changes={props.adv_id} refusal={props.refusal} onClick={() => props.onRestore(version)}>
          恢复
        </RowAction>
      ),
  },
]

const WhenAndWho = ({ log }: { log: CrowdLog }) => (
  <>
    <div className={text.nowrap}>{formatTime(log.op_at)}</div>
    <WholeOnHover text={log.op_by}>
      <div className={`${text.small} ${text.cut}`}>{log.op_by}</div>
    </WholeOnHover>
  </>
)

const What = ({ log }: { log: CrowdLog }) => (
  <>
    <div className={text.anywhere}>{log.what}</div>
    {log.original_files.length > 0 && (
      <div className={text.small}>
        {IDENTIFIERS[log.user_id_type].label}，{log.original_files.length} 个文件
      </div>
    )}
    <LogFiles files={log.original_files} />
  </>
)

/** The first files of an upload; a click shows the others. */
function LogFiles({ files }: { files: CrowdLog['original_files'] }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = files.length > FILES_SHOWN + 1
  return (
    <>
      {(isLong && !isOpen ? files.slice(0, FILES_SHOWN) : files).map((file, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files of one upload may have the same name.
        <div key={i} className={`${text.small} ${text.anywhere}`}>
          {file.name}（{formatBytes(file.size)}）
        </div>
      ))}
      {isLong && (
        <RowAction onClick={() => setOpen(!isOpen)}>
          {isOpen ? '收起' : `展开其余 ${files.length - FILES_SHOWN} 个文件`}
        </RowAction>
      )}
    </>
  )
}

const Size = ({ version }: { version: LogVersion }) => (
  <>
    <div>{version.status === 'done' ? formatCount(version.size) : '--'}</div>
    <div className={text.small}>
      版本 {version.no}
      {version.is_current ? '（当前）' : ''}
    </div>
  </>
)
