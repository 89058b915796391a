import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Drawer, Table, Tag } from 'antd'
import { useState } from 'react'
import { ACTIVITY_OPERATIONS, listActivityLog } from '#contract/activity-log.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { QueryState } from '../../components/QueryState.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'

type Entry = DataOf<typeof listActivityLog>['list'][number]
type Change = Entry['changes'][number]

/** What was done to an activity, the latest first. */
export function LogDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const [state, setState] = useState({ page: 1, page_size: 10 })
  const log = useQuery({
    ...queryOf(listActivityLog, { query: { campaign_id: id, ...state } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  return (
    <Drawer open size={860} title="操作日志" onClose={onClose}>
      <QueryState query={log} errorTitle="操作日志加载失败">
        {({ list, total }) => (
          <Table<Entry>
            size="small"
            aria-label="操作日志"
            rowKey="id"
            dataSource={list}
            loading={log.isPlaceholderData}
            pagination={paginationOf(state, total, '条')}
            onChange={({ current, pageSize }) => setState(pageChange(state, current ?? 1, pageSize ?? state.page_size))}
            columns={[
              { title: '操作时间', dataIndex: 'op_at', width: 170, render: formatTime },
              {
                title: '操作',
                dataIndex: 'op_type',
                width: 80,
                render: (type: Entry['op_type']) => <Tag>{ACTIVITY_OPERATIONS[type]}</Tag>,
              },
              { title: '操作人', dataIndex: 'op_by', width: 100 },
              {
                title: '内容',
                key: 'changes',
                render: (_, { changes, op_type }) =>
                  changes.length === 0 ? (
                    <span className={text.secondary}>{op_type === 4 ? '提交活动' : '没有修改内容'}</span>
                  ) : (
                    linesOf(changes).map(({ first, said }) => (
                      <div key={`${first.plan} ${first.label}`} className={text.anywhere}>
                        {first.plan !== null && <span className={text.secondary}>计划「{first.plan}」</span>}
                        {said}
                      </div>
                    ))
                  ),
              },
            ]}
          />
        )}
      </QueryState>
    </Drawer>
  )
}

/** A line for each change; one for all of a new plan, whose parts follow it. */
function linesOf(changes: readonly Change[]): { first: Change; said: string }[] {
  const lines: { first: Change; parts: string[] }[] = []
  for (const change of changes) {
    const last = lines.at(-1)
    const isPartOfNew =
      last?.first.is_plan && last.first.before === null && change.plan === last.first.plan && !change.is_plan
    if (isPartOfNew) last.parts.push(words(change))
    else lines.push({ first: change, parts: [] })
  }
  return lines.map(({ first, parts }) => ({
    first,
    said: parts.length === 0 ? words(first) : `${words(first)}：${parts.join('；')}`,
  }))
}

function words({ is_plan, label, before, after }: Change): string {
  if (is_plan) return after === null ? '删除' : '新增'
  if (before === null) return `${label}：${after}`
  return `${label}：${before} → ${after ?? '无'}`
}
