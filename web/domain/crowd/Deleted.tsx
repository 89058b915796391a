import { useQuery } from '@tanstack/react-query'
import { App, Flex, Table, Typography } from 'antd'
import { useState } from 'react'
import type { listDeletedCustomCrowds, undeleteCustomCrowds } from '#contract/custom-crowd.ts'
import { type DeletedCrowd, RESTORE_DAYS } from '#contract/deleted.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { listDeletedRuleCrowds, restoreRuleCrowds } from '#contract/rule-crowd.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useRefusal } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { isFault } from '../../lib/call.ts'
import { useEdition } from '../../lib/edition.ts'
import { formatDuration, formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { AdvertiserSelect } from '../advertiser/AdvertiserSelect.tsx'
import styles from './crowd-list.module.css'
import { ALL, listedAdvertiser } from './filters.tsx'

const POLL_MS = 20_000

export interface DeletedProps {
  /** What is deleted: 定向包, 自定义人群. */
  noun: string
  /** The unit of its size: 人数, 标识数. */
  unit: string
  list: typeof listDeletedRuleCrowds | typeof listDeletedCustomCrowds
  restore: typeof restoreRuleCrowds | typeof undeleteCustomCrowds
  /** Endpoints whose answers change when one is restored. */
  stale: readonly Endpoint[]
  /** The advertiser whose crowds the list shows, undefined for all; and those to choose from. */
  advId: number | undefined
  advertisers: readonly { id: number; name: string }[]
}

/** The recently deleted crowds, where each can be restored. */
export function Deleted({ noun, unit, list, restore, stale, advId, advertisers }: DeletedProps) {
  const { isSaas } = useEdition()
  const [chosen, setChosen] = useState<number | typeof ALL | null>(null)
  const adv_id = listedAdvertiser(chosen, advId)
  const deleted = useQuery({
    ...queryOf(list, { query: { adv_id } }),
    refetchInterval: POLL_MS,
    meta: { inPlace: true },
  })
  const { bringBack, isRestoring } = useBringBack(restore, [list, ...stale], noun)
  return (
    <QueryState query={deleted} errorTitle="最近删除加载失败">
      {(rows) => (
        <Flex vertical gap={12}>
          <Flex justify="space-between" align="center" gap={16}>
            <Typography.Text type="secondary">
              删除后保留 {RESTORE_DAYS} 天，其间可以恢复；之后连同数据彻底删除。
            </Typography.Text>
            {isSaas && (
              <AdvertiserSelect
                label="删除的广告主"
                value={adv_id ?? ALL}
                onChange={setChosen}
                known={advertisers}
                extra={[{ value: ALL, label: '全部广告主' }]}
                className={styles.advertiser}
              />
            )}
          </Flex>
          <Table<DeletedCrowd>
            rowKey="id"
            size="middle"
            pagination={WHOLE_LIST}
            dataSource={rows}
            scroll={{ x: 640 }}
            locale={{
              emptyText: (
                <EmptyState title={`最近 ${RESTORE_DAYS} 天内没有删除过${noun}`} hint="误删的可以在这里找回。" />
              ),
            }}
            columns={[
              { title: '名称', dataIndex: 'name', render: (_, row) => <NameAndFolder row={row} />, onCell: cutName },
              {
                title: unit,
                dataIndex: 'size',
                width: 100,
                align: 'right',
                render: (size: number | null) => <LargeNumber value={size} />,
              },
              ...(isSaas ? [ADVERTISER] : []),
              {
                title: '删除时间',
                dataIndex: 'deleted_at',
                width: 180,
                render: (at: number, { until }) => (
                  <>
                    <div className={text.nowrap}>{formatTime(at)}</div>
                    <div className={text.small}>还可恢复 {timeLeft(until)}</div>
                  </>
                ),
              },
              {
                title: '操作',
                key: 'action',
                width: 70,
                render: (_, row) => (
                  <RowAction changes={row.adv_id} loading={isRestoring(row)} onClick={() => bringBack(row)}>
                    恢复
                  </RowAction>
                ),
              },
            ]}
          />
        </Flex>
      )}
    </QueryState>
  )
}

/** Restores a crowd into its folder; says why if that is not possible. */
function useBringBack(restore: DeletedProps['restore'], stale: readonly Endpoint[], noun: string) {
  const { message } = App.useApp()
  const showRefusal = useRefusal()
  const restoring = useAction(restore, stale, { meta: { quiet: true } })
  return {
    isRestoring: ({ id }: DeletedCrowd) => restoring.isPending && restoring.variables.body.ids[0] === id,
    // A double click restores once.
    bringBack: useOneAtATime(({ id, name, dir_name }: DeletedCrowd) =>
      restoring.mutateAsync({ body: { ids: [id] } }).then(
        () => {
          message.success(`已恢复到文件夹「${dir_name}」`)
        },
        (error: Error) => {
          const isTaken = isFault(error, 'nameTaken')
          showRefusal(
            `无法恢复「${name}」`,
            isTaken
              ? `文件夹「${dir_name}」里已有同名的${noun}，请先将它改名或移走，再恢复。`
              : error.message || '操作失败',
          )
        },
      ),
    ),
  }
}

const cutName = () => ({ className: styles.deletedName })

const NameAndFolder = ({ row: { name, dir_name } }: { row: DeletedCrowd }) => (
  <>
    <WholeOnHover text={name}>
      <span className={text.cut}>{name}</span>
    </WholeOnHover>
    <WholeOnHover text={dir_name}>
      <span className={`${text.small} ${text.cut}`}>{dir_name}</span>
    </WholeOnHover>
  </>
)

const ADVERTISER = {
  title: '广告主',
  dataIndex: 'adv_name',
  width: 140,
  render: (name: string) => (
    <WholeOnHover text={name}>
      <span className={text.cut}>{name}</span>
    </WholeOnHover>
  ),
  onCell: () => ({ className: styles.deletedAdvertiser }),
}

/** In whole minutes while at least one is left. */
function timeLeft(until: number): string {
  const left = Math.max(0, until - Math.floor(Date.now() / 1000))
  return formatDuration(left < 60 ? left : Math.floor(left / 60) * 60)
}
