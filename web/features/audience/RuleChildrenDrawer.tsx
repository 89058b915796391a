import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Flex, Switch, Table, Typography } from 'antd'
import type { ReactNode } from 'react'
import { CUSTOM_STATUS, type CustomChild, listRuleChildren, setKeepsStep } from '#contract/audience.ts'
import { childSize } from '#contract/custom-crowd-rules.ts'
import { listPushes } from '#contract/push.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { queryOf, useAction } from '../../lib/query.ts'
import { useChildRemoval } from './use-child-removal.tsx'

const POLL_MS = 2_000
const TONES = { available: 'done', computing: 'waiting', failed: 'failed', expired: 'idle', frozen: 'idle' } as const

/** The audiences of a rule crowd on its advertiser's platform accounts, and their pushes. */
export function RuleChildrenDrawer(props: {
  crowd: { id: number; name: string } | null
  onPush: (child: CustomChild | null) => void
  onClose: () => void
  /** The records of the crowd's pushes. */
  records: ReactNode
}) {
  const { crowd, onPush, onClose, records } = props
  const children = useQuery({
    ...queryOf(listRuleChildren, { query: { id: crowd?.id ?? 0 } }),
    meta: { inPlace: true },
    enabled: crowd !== null,
    refetchInterval: ({ state }) =>
      state.data?.list.some((child) => child.status === 'computing' || (child.push && !child.push.is_paused))
        ? POLL_MS
        : false,
  })
  const actions = useChildActions()
  return (
    <Drawer
      open={crowd !== null}
      size={960}
      title={crowd ? `「${crowd.name}」的平台人群` : '平台人群'}
      extra={
        <Button type="primary" onClick={() => onPush(null)}>
          推送至
        </Button>
      }
      onClose={onClose}
      destroyOnHidden
    >
      <QueryState query={children} errorTitle="平台人群加载失败">
        {({ list }) => (
          <Flex vertical gap={24}>
            <Table<CustomChild>
              rowKey="id"
              size="small"
              aria-label="平台人群"
              pagination={false}
              dataSource={list}
              scroll={{ x: 780 }}
              locale={{
                emptyText: (
                  <EmptyState
                    title="还没有推送到平台账户"
                    hint="推送后，人群成员的标识会成为平台上的人群包，可按需自动更新。"
                    action={<Button onClick={() => onPush(null)}>推送至</Button>}
                  />
                ),
              }}
              columns={[
                {
                  title: '平台账户',
                  key: 'account',
                  width: 240,
                  render: (_, child) => (
                    <Flex gap={6} align="center">
                      <PlatformMark platform={child.cnt_type} />
                      <div style={{ minWidth: 0 }}>
                        <AccountName
                          name={child.adv_name}
                          external_id={child.external_id}
                          hover={`${child.adv_name}：${child.platform_name}`}
                        />
                        <AccountId external_id={child.external_id} isUnderName />
                        <div className={text.small}>
                          {child.tag_id === null ? '尚无人群包 ID' : `人群包 ID ${child.tag_id}`}
                        </div>
                      </div>
                    </Flex>
                  ),
                },
                {
                  title: '状态',
                  key: 'status',
                  render: (_, child) => (
                    <>
                      <StatusDot
                        tone={child.push ? (child.push.is_paused ? 'waiting' : 'running') : TONES[child.status]}
                      >
                        {child.push ? (child.push.is_paused ? '推送已暂停' : '推送中') : CUSTOM_STATUS[child.status]}
                      </StatusDot>
                      {child.push && !child.push.is_paused && (
                        <div className={text.small}>
                          {child.push.stage} {Math.floor(child.push.progress * 100)}%
                        </div>
                      )}
                      {child.reason && (
                        <Typography.Paragraph type="secondary" style={{ margin: 0, fontSize: 12 }}>
                          {child.reason}
                        </Typography.Paragraph>
                      )}
                    </>
                  ),
                },
                {
                  title: '覆盖人数',
                  key: 'user_count',
                  width: 100,
                  align: 'right',
                  render: (_, child) => <LargeNumber value={childSize(child)} />,
                },
                {
                  title: '自动更新',
                  key: 'keeps_step',
                  width: 90,
                  render: (_, child) => (
                    <Switch
                      size="small"
                      aria-label={`「${child.adv_name}」随人群更新自动推送`}
                      checked={child.keeps_step}
                      loading={actions.isSwitching(child.id)}
                      onChange={(keeps_step) => actions.keepStep(child, keeps_step)}
                    />
                  ),
                },
                {
                  title: '操作',
                  key: 'action',
                  width: 120,
                  fixed: 'right',
                  render: (_, child) => (
                    <Flex gap={8}>
                      <RowAction refusal={child.push ? '正在推送中' : null} onClick={() => onPush(child)}>
                        重新推送
                      </RowAction>
                      <RowAction
                        danger
                        refusal={child.push && !child.push.is_paused ? '正在推送中，请等待推送结束后再删除' : null}
                        onClick={() => void actions.remove(child)}
                      >
                        删除
                      </RowAction>
                    </Flex>
                  ),
                },
              ]}
            />
            {crowd && list.length > 0 && (
              <section>
                <Typography.Title level={2} style={{ fontSize: 16, margin: '0 0 8px' }}>
                  推送记录
                </Typography.Title>
                {records}
              </section>
            )}
          </Flex>
        )}
      </QueryState>
    </Drawer>
  )
}

function useChildActions() {
  const keeping = useAction(setKeepsStep, [listRuleChildren])
  return {
    isSwitching: (id: number) => keeping.isPending && keeping.variables.params.id === id,
    keepStep: (child: CustomChild, keeps_step: boolean) =>
      keeping.mutate({ params: { id: child.id }, body: { keeps_step } }),
    remove: useChildRemoval({
      kept: '组合定向包仍保留，可再次推送。',
      stale: [listRuleChildren, listPushes],
    }),
  }
}
