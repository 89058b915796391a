import { PlusOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card, Flex, Skeleton, Space, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import { type NavigateOptions, useSearchParams } from 'react-router'
import type { DataOf } from '#contract/endpoint.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { listSuppression, type SuppressionEntry } from '#contract/suppression.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { DrawnBelow } from '../../components/DrawnBelow.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { useWithinPages } from '../../lib/use-drawer-list.ts'
import { AddCrowdDialog } from './AddCrowdDialog.tsx'
import { AddSuppressionDialog } from './AddSuppressionDialog.tsx'
import { filterOf, readSuppressionState, type SuppressionListState, writeSuppressionState } from './list-state.ts'
import { SuppressionFilters } from './SuppressionFilters.tsx'
import { SuppressionTable } from './SuppressionTable.tsx'
import styles from './suppression.module.css'
import { useRemoval } from './use-removal.ts'

type Adding = 'lines' | 'crowd' | null

/** An advertiser's suppression list: identifiers that no push contains. The children stand below it. */
export function SuppressionList({ advId, children }: { advId: number; children: ReactNode }) {
  const [state, setState] = useListState()
  const [adding, setAdding] = useState<Adding>(null)
  const [selected, setSelected] = useState<SuppressionEntry[]>([])
  const { page, page_size } = state
  const entries = useQuery({
    ...queryOf(listSuppression, { query: { adv_id: advId, page, page_size, ...filterOf(state) } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  const removal = useRemoval(advId, () => setSelected([]))
  const { data } = entries
  useWithinPages(
    { paged: { page, page_size }, turn: (to) => setState(to, { replace: true }) },
    { isLoaded: entries.isSuccess && !entries.isPlaceholderData, rows: data?.list.length ?? 0 },
  )
  const isFiltered = Object.keys(filterOf(state)).length > 0
  return (
    <>
      <Card title={<h2 className={text.cardTitle}>屏蔽名单</h2>} extra={<AddButtons advId={advId} onAdd={setAdding} />}>
        {entries.error && !data ? (
          <LoadError error={entries.error} onRetry={entries.refetch} title="屏蔽名单加载失败" />
        ) : !data ? (
          <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
        ) : (
          <>
            <Totals byType={data.by_type} />
            {(data.by_type.length > 0 || isFiltered) && (
              <SuppressionFilters
                advId={advId}
                state={state}
                onState={setState}
                total={data.total}
                onRemoveAll={() => removal.matching(state, data.total)}
              />
            )}
            <SuppressionTable
              rows={data.list}
              total={data.total}
              state={state}
              onState={setState}
              isLoading={entries.isPlaceholderData}
              selected={selected}
              onSelected={setSelected}
              onRemove={(entry) => removal.chosen([entry])}
              empty={
                isFiltered ? (
                  <EmptyState
                    title="没有符合条件的标识"
                    hint="按完整的标识（明文或密文）查找，手机号也可以写成 138****1234。"
                  />
                ) : (
                  <EmptyState
                    title="屏蔽名单是空的"
                    hint="加入的标识，以及它们所属的已有用户的其他标识，在每次推送前都会去除，并计入推送报告。已推送的会在下次推送时移除。"
                    action={<AddButtons advId={advId} onAdd={setAdding} />}
                  />
                )
              }
            />
          </>
        )}
        <SelectionBar rows={selected} onClear={() => setSelected([])}>
          <ChangeButton changes={advId} size="small" danger onClick={() => removal.chosen(selected)}>
            移出
          </ChangeButton>
        </SelectionBar>
        {adding === 'lines' && <AddSuppressionDialog advId={advId} onClose={() => setAdding(null)} />}
        {adding === 'crowd' && <AddCrowdDialog advId={advId} onClose={() => setAdding(null)} />}
      </Card>
      <DrawnBelow isKnown={!entries.isPending}>{children}</DrawnBelow>
    </>
  )
}

function useListState() {
  const [params, setParams] = useSearchParams()
  const change = (to: Partial<SuppressionListState>, options?: NavigateOptions) =>
    setParams((now) => writeSuppressionState({ ...readSuppressionState(now), ...to }, now), options)
  return [readSuppressionState(params), change] as const
}

const AddButtons = ({ advId, onAdd }: { advId: number; onAdd: (adding: Adding) => void }) => (
  <Flex gap={8} justify="center" wrap>
    <ChangeButton changes={advId} onClick={() => onAdd('crowd')}>
      从上传的人群加入
    </ChangeButton>
    <ChangeButton changes={advId} type="primary" icon={<PlusOutlined />} onClick={() => onAdd('lines')}>
      加入屏蔽名单
    </ChangeButton>
  </Flex>
)

/** How many identifiers of each type are on the list, and how they take effect. */
const Totals = ({ byType }: { byType: DataOf<typeof listSuppression>['by_type'] }) =>
  byType.length > 0 && (
    <>
      <p className={`${text.hint} ${styles.about}`}>按人生效：标识属于已有用户的，该用户的其他标识也不会发送。</p>
      <Space wrap size={4} className={styles.types}>
        {byType.map(({ type, count }) => (
          <Tag key={type}>
            {IDENTIFIERS[type].label} {formatCount(count)}
          </Tag>
        ))}
      </Space>
    </>
  )
