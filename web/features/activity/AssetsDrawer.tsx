import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Drawer, Flex, Table } from 'antd'
import { useState } from 'react'
import {
  type ActivityAsset,
  deleteActivityAsset,
  listActivityAssets,
  startFromAsset,
} from '#contract/activity-asset.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useConfirm } from '../../components/use-confirm.ts'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { AFTER_CHANGE } from './use-activity-actions.tsx'

/** The saved activities; one of them starts a new one. */
export function AssetsDrawer({
  advId,
  onClose,
  onUse,
}: {
  /** Only those of this advertiser; all where advertisers are not shown. */
  advId: number | undefined
  onClose: () => void
  onUse: (id: number) => void
}) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [state, setState] = useState({ page: 1, page_size: 10 })
  const assets = useQuery({
    ...queryOf(listActivityAssets, { query: { ...state, ...(advId !== undefined && { adv_id: advId }) } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  const using = useAction(startFromAsset, AFTER_CHANGE, {
    onSuccess: ({ id }) => {
      message.success('引用资产成功')
      onUse(id)
    },
  })
  const removing = useAction(deleteActivityAsset, [listActivityAssets], {
    onSuccess: () => void message.success('删除成功'),
  })
  return (
    <Drawer open size={760} title="引用资产" onClose={onClose}>
      <QueryState query={assets} errorTitle="资产加载失败">
        {({ list, total }) => (
          <Table<ActivityAsset>
            size="small"
            aria-label="资产"
            rowKey="valuable_id"
            dataSource={list}
            loading={assets.isPlaceholderData}
            pagination={paginationOf(state, total, '个')}
            onChange={({ current, pageSize }) => setState(pageChange(state, current ?? 1, pageSize ?? state.page_size))}
            locale={{
              emptyText: (
                <EmptyState title="还没有资产" hint="在活动的「更多操作」中选择存为资产，就可以在这里引用。" />
              ),
            }}
            columns={[
              { title: '名称', dataIndex: 'name', ellipsis: true },
              { title: '计划', dataIndex: 'plans', width: 70, align: 'right' },
              {
                title: '创建',
                key: 'creator',
                width: 170,
                render: (_, { creator, created_at }) => (
                  <>
                    <div className={text.cut}>{creator}</div>
                    <span className={text.small}>{formatTime(created_at)}</span>
                  </>
                ),
              },
              {
                title: '操作',
                key: 'actions',
                width: 110,
                render: (_, { valuable_id, name, advertiser_id }) => (
                  <Flex gap={6}>
                    <RowAction
                      changes={advertiser_id}
                      loading={using.isPending && using.variables.body.valuable_id === valuable_id}
                      onClick={() => using.mutate({ body: { valuable_id } })}
                    >
                      引用
                    </RowAction>
                    <RowAction
                      changes={advertiser_id}
                      danger
                      onClick={() =>
                        confirm({
                          title: `删除资产「${name}」？`,
                          content: '用它建立的活动不受影响。',
                          okText: '删除',
                          isDanger: true,
                          onOk: () => removing.mutateAsync({ query: { valuable_id } }).catch(() => {}),
                        })
                      }
                    >
                      删除
                    </RowAction>
                  </Flex>
                ),
              },
            ]}
          />
        )}
      </QueryState>
    </Drawer>
  )
}
