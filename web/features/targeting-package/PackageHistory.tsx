import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Flex, Table } from 'antd'
import { useState } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import {
  getTargeting as getPackage,
  type getTargeting,
  HISTORY_KINDS,
  listTargetingHistory,
  listTargetings,
  restoreTargeting,
} from '#contract/targeting-package.ts'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import { useConfirm } from '../../components/use-confirm.ts'
import { formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { planWords } from './plan-words.ts'
import { TargetingWords } from './TargetingWords.tsx'
import { VersionChanges } from './VersionChanges.tsx'

type Version = DataOf<typeof listTargetingHistory>['list'][number]

/** What becomes of the folder when a version is restored. */
const placeWords = ({ dir_id, dir_name }: Version, now: number) =>
  dir_name === null || dir_id === now ? '文件夹不变，' : `它当时在「${dir_name}」，文件夹不随之恢复；`

interface Props {
  found: DataOf<typeof getTargeting>
  /** Opens a version beside the package as it is now. */
  onCompare: (ver: number) => void
}

/** The kept versions of a package, the latest first; each can be looked at and restored. */
export function PackageHistory({ found, onCompare }: Props) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [paged, setPaged] = useState({ page: 1, page_size: 10 })
  const history = useQuery({
    ...queryOf(listTargetingHistory, { query: { id: found.id, ...paged } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  const restoring = useAction(restoreTargeting, [listTargetingHistory, getPackage, listTargetings])
  const restore = (version: Version) =>
    confirm({
      title: `恢复到版本 ${version.ver}？`,
      content: `定向内容与名称变为那个版本的，成为新的版本。${placeWords(version, found.dir_id)}失效时间不变。${planWords(found.plans)}`,
      okText: '恢复',
      onOk: () =>
        restoring.mutateAsync({ body: { id: found.id, ver: version.ver } }).then(
          ({ name }) => {
            const kept = name === version.name ? '' : `，名称「${version.name}」已被占用，仍为「${name}」`
            message.success(`已恢复到版本 ${version.ver}${kept}`)
          },
          () => {},
        ),
    })
  return (
    <QueryState query={history} errorTitle="修改记录加载失败">
      {({ list, earlier, total }) => (
        <Table
          rowKey="ver"
          size="small"
          aria-label="修改记录"
          loading={history.isPlaceholderData}
          dataSource={list}
          pagination={paginationOf(paged, total, '个')}
          onChange={(page) => setPaged((now) => pageChange(now, page.current ?? 1, page.pageSize ?? now.page_size))}
          locale={{
            expand: '展开定向内容',
            collapse: '收起',
            // Only a package made on its platform has no version.
            emptyText: '定向包在平台上新建和修改，这里没有修改记录',
          }}
          expandable={{
            columnTitle: <span className="visually-hidden">展开定向内容</span>,
            expandedRowRender: ({ targeting }) => (
              <TargetingWords platform={found.platform} targeting={targeting} accountId={found.advertiser_id} />
            ),
          }}
          columns={[
            { title: '版本', dataIndex: 'ver', width: 70 },
            {
              title: '方式',
              key: 'kind',
              width: 100,
              render: (_, { kind, restored_from }) =>
                restored_from === null ? HISTORY_KINDS[kind] : `${HISTORY_KINDS[kind]}到版本 ${restored_from}`,
            },
            {
              title: '改动',
              key: 'changes',
              render: (_, version, index) => (
                <VersionChanges
                  platform={found.platform}
                  accountId={found.advertiser_id}
                  before={list[index + 1] ?? earlier}
                  version={version}
                />
              ),
            },
            { title: '保存人', dataIndex: 'saved_by', width: 110, ellipsis: true },
            { title: '时间', key: 'at', width: 170, render: (_, { at }) => formatTime(at) },
            {
              title: '操作',
              key: 'restore',
              width: 100,
              render: (_, version) => (
                <Flex gap={6}>
                  <RowAction
                    refusal={version.ver === found.ver ? '这是当前版本' : null}
                    onClick={() => onCompare(version.ver)}
                  >
                    对比
                  </RowAction>
                  <RowAction
                    changes={found.adv_id}
                    refusal={version.ver === found.ver ? '这是当前版本' : null}
                    onClick={() => restore(version)}
                  >
                    恢复
                  </RowAction>
                </Flex>
              ),
            },
          ]}
        />
      )}
    </QueryState>
  )
}
