import { Flex, Select, Skeleton, Table } from 'antd'
import type { CntType } from '#contract/audience.ts'
import { type CrowdLog, type CustomCrowd, OP_TYPES } from '#contract/custom-crowd.ts'
import { editRefusal } from '#contract/custom-crowd-rules.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { paginationOf } from '../../components/table-parts.tsx'
import styles from './custom-crowd.module.css'
import { logColumns } from './log-columns.tsx'
import { useCrowdLogs, useRestore } from './use-crowd-logs.tsx'

const TYPES = Object.entries(OP_TYPES).map(([value, label]) => ({ value: Number(value), label }))

/** The history of a crowd, newest first. An entry that made a version has its report and can restore it. */
export function CrowdLogs({ crowd, child }: { crowd: CustomCrowd; child: { id: number; cnt_type: CntType } | null }) {
  const { logs, opType, paged, filter, turn } = useCrowdLogs(child ?? { id: crowd.id })
  const restore = useRestore(crowd)
  if (logs.error && !logs.data) return <LoadError error={logs.error} onRetry={logs.refetch} title="更新记录加载失败" />
  if (!logs.data) return <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
  return (
    <section aria-label="更新记录">
      <Flex gap={8} className={styles.filters} role="search" aria-label="筛选更新记录">
        <Select
          allowClear
          placeholder="操作类型"
          aria-label="操作类型"
          className={styles.opType}
          value={opType}
          options={TYPES}
          onChange={filter}
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
        onChange={({ current, pageSize }) => turn(current, pageSize)}
        columns={logColumns({ adv_id: crowd.adv_id, refusal: sentenceOrNull(editRefusal(crowd)), onRestore: restore })}
      />
    </section>
  )
}
