import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton, Table } from 'antd'
import { useState } from 'react'
import type { CntType } from '#contract/audience.ts'
import { PAGE_SIZE } from '#contract/common.ts'
import { type CrowdFile, listCrowdFiles, malformedPath } from '#contract/custom-crowd.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatBytes, formatCount, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'

const STATES: Record<CrowdFile['status'], { tone: Tone; words: string }> = {
  waiting: { tone: 'waiting', words: '等待校验' },
  checking: { tone: 'running', words: '校验中' },
  done: { tone: 'done', words: '已完成' },
  failed: { tone: 'failed', words: '读取失败' },
}
const POLL_MS = 2_000

export type FilesOf = { id: number; cnt_type?: CntType }

/** The crowd's files with their line counts, once a file is checked. */
export function CrowdFiles({ of }: { of: FilesOf }) {
  const [filter, setFilter] = useState<{ name: string; op_at: [number, number] | null }>({ name: '', op_at: null })
  const [paged, setPaged] = useState({ page: 1, page_size: PAGE_SIZE })
  const files = useQuery({
    ...queryOf(listCrowdFiles, {
      query: { ...of, ...paged, name: filter.name.trim() || undefined, op_at: filter.op_at?.join(',') ?? undefined },
    }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
    refetchInterval: ({ state }) =>
      state.data?.files.some((file) => file.status === 'waiting' || file.status === 'checking') ? POLL_MS : false,
  })
  const change = (part: Partial<typeof filter>) => {
    setFilter({ ...filter, ...part })
    setPaged({ page: 1, page_size: PAGE_SIZE })
  }
  const isFiltered = filter.name.trim() !== '' || filter.op_at !== null

  return (
    <section aria-label="文件">
      <Flex wrap gap={8} style={{ marginBottom: 8 }} role="search" aria-label="筛选文件">
        <FilterText label="文件名" value={filter.name} onChange={(name) => change({ name })} />
        <DateRange label="上传时间" value={filter.op_at} onChange={(op_at) => change({ op_at })} />
      </Flex>
      {files.error && !files.data ? (
        <LoadError error={files.error} onRetry={files.refetch} title="文件列表加载失败" />
      ) : !files.data ? (
        <Skeleton active title={false} paragraph={{ rows: 4, width: '100%' }} />
      ) : (
        <Table<CrowdFile>
          rowKey="id"
          size="small"
          loading={files.isPlaceholderData}
          dataSource={files.data.files}
          scroll={{ x: 800 }}
          locale={{
            emptyText: isFiltered ? (
              <EmptyState
                title="没有符合条件的文件"
                action={<Button onClick={() => change({ name: '', op_at: null })}>清除筛选</Button>}
              />
            ) : (
              <EmptyState title="还没有文件" />
            ),
          }}
          pagination={paginationOf(paged, files.data.total_files_num, '个')}
          onChange={(page) => setPaged(pageChange(paged, page.current ?? 1, page.pageSize ?? paged.page_size))}
          columns={[
            {
              title: '文件名',
              dataIndex: 'name',
              fixed: 'left',
              width: 200,
              render: (name: string, file) => (
                <>
                  <WholeOnHover text={name}>
                    <span className={text.cut}>{name}</span>
                  </WholeOnHover>
                  <div className={text.small}>
                    {IDENTIFIERS[file.user_id_type].label}，{formatBytes(file.size)}
                  </div>
                  {file.error && <div className={text.problem}>{file.error}</div>}
                  {file.hashed && (
                    <div className={text.small}>
                      浏览器内加密 {formatCount(file.hashed.lines)} 行，其中 {formatCount(file.hashed.already)}{' '}
                      行原已加密，{formatCount(file.hashed.malformed)} 行格式不正确
                    </div>
                  )}
                </>
              ),
            },
            {
              title: '状态',
              dataIndex: 'status',
              width: 110,
              render: (status: CrowdFile['status']) => (
                <StatusDot tone={STATES[status].tone}>{STATES[status].words}</StatusDot>
              ),
            },
            count('行数', 'line_count'),
            count('有效', 'valid_count'),
            count('重复', 'duplicate'),
            {
              ...count('无效', 'malformed'),
              render: (_, file) => (
                <>
                  {file.status === 'done' ? formatCount(file.malformed) : '--'}
                  {file.reasons.map((one) => (
                    <div key={one.reason} className={text.small}>
                      {one.reason} {formatCount(one.lines)}
                    </div>
                  ))}
                </>
              ),
            },
            {
              title: '上传时间',
              dataIndex: 'op_at',
              width: 100,
              render: (op_at: number, file) => (
                <>
                  {formatTime(op_at)
                    .split(' ')
                    .map((part) => (
                      <div key={part} className={text.nowrap}>
                        {part}
                      </div>
                    ))}
                  <div className={text.small}>版本 {file.version}</div>
                </>
              ),
            },
            {
              title: '操作',
              key: 'action',
              fixed: 'right',
              width: 96,
              render: (_, file) =>
                (file.malformed ?? 0) > 0 ? (
                  <RowAction href={malformedPath(file.id)} download hint="格式不正确的行，带行号与原因">
                    下载无效行
                  </RowAction>
                ) : (
                  <RowAction refusal={file.status === 'done' ? '没有格式不正确的行' : '校验完成后可下载'}>
                    下载无效行
                  </RowAction>
                ),
            },
          ]}
        />
      )}
    </section>
  )
}

const count = (title: string, key: 'line_count' | 'valid_count' | 'duplicate' | 'malformed') => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  width: 90,
  render: (_: unknown, file: CrowdFile) => (file.status === 'done' ? formatCount(file[key]) : '--'),
})
