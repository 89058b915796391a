import { useQuery } from '@tanstack/react-query'
import { Drawer, Flex, Table, Typography } from 'antd'
import type { ReactNode } from 'react'
import { type CustomChild, listRuleChildren, setKeepsStep } from '#contract/audience.ts'
import { listPushes } from '#contract/push.ts'
import { listRuleCrowds, type RuleCrowd } from '#contract/rule-crowd.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ForAdvertiser } from '../../components/ForAdvertiser.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { ruleChildColumns } from './rule-child-columns.tsx'
import { useChildRemoval } from './use-child-removal.tsx'
import { usePushControl } from './use-push-control.ts'

const POLL_MS = 2_000

/** The audiences of a rule crowd on its advertiser's platform accounts, and their pushes. */
export function RuleChildrenDrawer(props: {
  crowd: Pick<RuleCrowd, 'id' | 'name' | 'adv_id'> | null
  onPush: (preset: PushPreset | null) => void
  onClose: () => void
  /** The records of the crowd's pushes. */
  records: ReactNode
}) {
  const { crowd, onPush, onClose, records } = props
  const children = useRuleChildren(crowd?.id ?? null)
  return (
    <ForAdvertiser advId={crowd?.adv_id}>
      <Drawer
        open={crowd !== null}
        size={960}
        title={crowd ? `「${crowd.name}」的平台人群` : '平台人群'}
        extra={
          <ChangeButton changes="current" type="primary" onClick={() => onPush(null)}>
            推送至
          </ChangeButton>
        }
        onClose={onClose}
        destroyOnHidden
      >
        <QueryState query={children} errorTitle="平台人群加载失败">
          {({ list }) => (
            <Flex vertical gap={24}>
              <ChildrenTable list={list} onPush={onPush} />
              {crowd && list.length > 0 && (
                <section>
                  <Typography.Title level={2} className={text.sectionTitle}>
                    推送记录
                  </Typography.Title>
                  {records}
                </section>
              )}
            </Flex>
          )}
        </QueryState>
      </Drawer>
    </ForAdvertiser>
  )
}

/** The crowd's audiences, fetched again while one is pushed to or computed by its platform. */
const useRuleChildren = (id: number | null) =>
  useQuery({
    ...queryOf(listRuleChildren, { query: { id: id ?? 0 } }),
    meta: { inPlace: true },
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.list.some((child) => child.status === 'computing' || (child.push && !child.push.is_paused))
        ? POLL_MS
        : false,
  })

function ChildrenTable({ list, onPush }: { list: CustomChild[]; onPush: (preset: PushPreset | null) => void }) {
  const keeping = useAction(setKeepsStep, [listRuleChildren])
  const pushes = usePushControl([listRuleChildren, listPushes, listRuleCrowds])
  const remove = useChildRemoval({ kept: '组合定向包仍保留，可再次推送。', stale: [listRuleChildren, listPushes] })
  return (
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
            action={
              <ChangeButton changes="current" onClick={() => onPush(null)}>
                推送至
              </ChangeButton>
            }
          />
        ),
      }}
      columns={ruleChildColumns({
        isSwitching: (id) => keeping.isPending && keeping.variables.params.id === id,
        keepStep: (child, keeps_step) => keeping.mutate({ params: { id: child.id }, body: { keeps_step } }),
        remove: (child) => void remove(child),
        push: onPush,
        retry: pushes.retry,
        cancel: pushes.cancelOf,
      })}
    />
  )
}
