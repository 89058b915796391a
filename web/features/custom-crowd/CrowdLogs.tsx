import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Flex, Select, Skeleton, Table, Tag } from 'antd'
import { useState } from 'react'
import type { CntType } from '#contract/audience.ts'
import { PAGE_SIZE } from '#contract/common.ts'
import {
  type CrowdLog,
  type CustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  listCrowdLogs,
  listCustomCrowds,
  OP_TYPES,
  restoreCrowdVersion,
} from '#contract/custom-crowd.ts'
import { editRefusal } from '#contract/custom-crowd-rules.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'

const POLL_MS = 2_000
const TYPES = Object.entries(OP_TYPES).map(([value, label]) => ({ value: Number(value), label }))

/** The history of a crowd, newest first. An entry that made a version has its report and can restore it. */
export function CrowdLogs({ crowd, child }: { crowd: CustomCrowd; child: { id: number; cnt_type: CntType } | null }) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const tellRefusal = useRefusal()
  const [opType, setOpType] = useState<number | undefined>(undefined)
  const [paged, setPaged] = useState({ page: 1, page_size: PAGE_SIZE })
  const of = child ?? { id: crowd.id }
  const logs = useQuery({
    ...queryOf(listCrowdLogs, { query: { ...of, ...paged, op_type: opType } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.list.some((log) => log.version?.status === 'computing') ? POLL_MS : false,
  })
  const restore = useAction(restoreCrowdVersion, [listCrowdLogs, getCustomCrowd, listCustomCrowds, listCrowdFiles], {
    meta: { quiet: true },
  })

  const ask = (version: NonNullable<CrowdLog['version']>) =>
    confirm({
      title: `恢复到版本 ${version.no}？`,
      content: `人群将变为 ${formatCount(version.size)} 个标识。恢复会生成新版本，当前版本仍保留在更新记录中${
        crowd.audiences.length > 0 ? `；已推送的 ${crowd.audiences.length} 个子人群会随之更新` : ''
      }。`,
      okText: '恢复',
      onOk: () =>
        restore.mutateAsync({ body: { id: crowd.id, version: version.no } }).then(
          () => void message.success('修改成功'),
          (error: Error) => void tellRefusal('无法恢复', error.message || '操作失败'),
        ),
    })

  if (logs.error && !logs.data) return <LoadError error={logs.error} onRetry={logs.refetch} title="更新记录加载失败" />
  if (!logs.data) return <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
  return (
    <section aria-label="更新记录">
      <Flex gap={8} style={{ marginBottom: 8 }} role="search" aria-label="筛选更新记录">
        <Select
          allowClear
          placeholder="操作类型"
          aria-label="操作类型"
          style={{ width: 140 }}
          value={opType}
          options={TYPES}
          onChange={(next: number | undefined) => {
            setOpType(next)
            setPaged({ page: 1, page_size: PAGE_SIZE })
          }}
        />
      </Flex>
      <Table<CrowdLog>
        rowKey="id"
        size="small"
        loading={logs.isPlaceholderData}
        dataSource={logs.data.list}
        scroll={{ x: 780 }}
        locale={{ emptyText: <EmptyState title="没有更新记录" hint="上传、追加、删减、恢复与推送都会记录在这里。" /> }}
        pagination={paginationOf(paged, logs.data.total, '条')}
        onChange={(page) => setPaged(pageChange(paged, page.current ?? 1, page.pageSize ?? paged.page_size))}
        columns={[
          {
            title: '时间',
            dataIndex: 'op_at',
            width: 164,
            render: (op_at: number, log) => (
              <>
                <div className={text.nowrap}>{formatTime(op_at)}</div>
                <WholeOnHover text={log.op_by}>
                  <div className={`${text.small} ${text.cut}`}>{log.op_by}</div>
                </WholeOnHover>
              </>
            ),
          },
          {
            title: '操作类型',
            dataIndex: 'op_type',
            width: 84,
            render: (op_type: CrowdLog['op_type']) => <Tag>{OP_TYPES[op_type]}</Tag>,
          },
          {
            title: '内容',
            key: 'what',
            render: (_, log) => (
              <>
                <div className={text.anywhere}>{log.what}</div>
                {log.original_files.length > 0 && (
                  <div className={text.small}>
                    {IDENTIFIERS[log.user_id_type].label}，{log.original_files.length} 个文件
                  </div>
                )}
                <LogFiles files={log.original_files} />
              </>
            ),
          },
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
            render: (_, { version }) =>
              version && (
                <>
                  <div>{version.status === 'done' ? formatCount(version.size) : '--'}</div>
                  <div className={text.small}>
                    版本 {version.no}
                    {version.is_current ? '（当前）' : ''}
                  </div>
                </>
              ),
          },
          {
            title: '操作',
            key: 'action',
            width: 64,
            fixed: 'right',
            render: (_, { version }) =>
              version?.can_restore && (
                <RowAction refusal={editRefusal(crowd)} onClick={() => ask(version)}>
                  恢复
                </RowAction>
              ),
          },
        ]}
      />
    </section>
  )
}

const FILES_SHOWN = 3

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

function VersionReport({ version }: { version: NonNullable<CrowdLog['version']> }) {
  if (version.status === 'computing') return <span className={text.small}>计算中</span>
  if (version.status === 'failed') return <span className={text.problem}>{version.error ?? '计算失败'}</span>
  if (version.restored_from !== null) return <span className={text.small}>恢复自版本 {version.restored_from}</span>
  return (
    <dl className={text.small} style={{ margin: 0 }}>
      {(
        [
          ['行数', version.lines],
          ['有效', version.valid],
          ['重复', version.duplicate],
          ['无效', version.malformed],
        ] as const
      ).map(([label, value]) => (
        <div key={label} style={{ display: 'flex', justifyContent: 'space-between', gap: 8 }}>
          <dt>{label}</dt>
          <dd style={{ margin: 0 }}>{formatCount(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
