import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { listPeople, PEOPLE_STATUS, type People, type PeopleStatus } from '#contract/rule-crowd.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ListFilters } from '../../components/ListFilters.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import { isFiltered, type ListState, queryOfState, searched, UNFILTERED } from '../../lib/list-state.ts'
import { queryOf } from '../../lib/query.ts'
import { PeopleQuota } from './PeopleQuota.tsx'
import { PeopleTable } from './PeopleTable.tsx'
import { isComputing } from './people-actions.ts'
import { usePeopleActions } from './use-people-actions.tsx'

const POLL_MS = 2_000

/** The combined packages of one folder: filters, table, what can be done with a row and with many. */
export function PeopleList(props: {
  state: ListState<PeopleStatus>
  onState: (state: ListState<PeopleStatus>) => void
  /** Of the SaaS filter; null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** Whose quota is shown while no advertiser is filtered by. */
  advId: number | undefined
  newButton: ReactNode
  /** Opens the choice of a folder; settles once the packages are moved or the choice is given up. */
  onMove: (rows: readonly People[], moved: () => void) => void
  onPush: (people: People) => void
  onAudiences: (people: People) => void
}) {
  const { state, onState, advertisers, advId, newButton, onMove, onPush, onAudiences } = props
  const [selected, setSelected] = useState<People[]>([])
  const forget = (ids: readonly number[]) => setSelected((rows) => rows.filter((row) => !ids.includes(row.id)))
  const actions = usePeopleActions(forget)
  const people = useQuery({
    ...queryOf(listPeople, { query: queryOfState(state) }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data && isComputing(query.state.data.res) ? POLL_MS : false),
  })

  const change = (part: Partial<ListState<PeopleStatus>>) => {
    setSelected([])
    onState(searched(state, part))
  }
  const move = (rows: readonly People[]) => onMove(rows, () => forget(rows.map((row) => row.id)))
  // The last row of the last page was deleted or moved: the page before it is the last now.
  const { data } = people
  if (data && !people.isPlaceholderData && data.res.length === 0 && data.total > 0 && state.page > 1) {
    queueMicrotask(() => onState({ ...state, page: Math.ceil(data.total / state.page_size) }))
  }

  const quotaOf = state.adv_id ?? advId
  const empty = isFiltered(state) ? (
    <EmptyState
      title="没有符合条件的定向包"
      hint="换个条件，或清除筛选查看此文件夹的全部定向包。"
      action={<Button onClick={() => change(UNFILTERED)}>清除筛选</Button>}
    />
  ) : (
    <EmptyState
      title="此文件夹下还没有组合定向包"
      hint="组合定向包由属性标签、事件标签和历史人群以交、并、差组合而成。"
      action={newButton}
    />
  )

  return (
    <>
      <Flex justify="space-between" align="flex-start" gap={16} style={{ marginBottom: 12 }}>
        <ListFilters state={state} statuses={PEOPLE_STATUS} onChange={change} advertisers={advertisers} />
        {quotaOf !== undefined && (
          <PeopleQuota advId={quotaOf} advName={advertisers?.find((one) => one.id === quotaOf)?.name ?? null} />
        )}
      </Flex>
      {people.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      ) : people.error && !data ? (
        <LoadError error={people.error} onRetry={people.refetch} title="定向包列表加载失败" />
      ) : (
        <PeopleTable
          rows={data?.res ?? []}
          total={data?.total ?? 0}
          isLoading={people.isPlaceholderData}
          state={state}
          onState={(part) => onState({ ...state, ...part })}
          showAdvertiser={advertisers !== null}
          barred={null}
          actions={{ ...actions, move, push: onPush, audiences: onAudiences }}
          selected={selected}
          onSelected={setSelected}
          empty={empty}
        />
      )}
      <SelectionBar count={selected.length} onClear={() => setSelected([])}>
        <Button size="small" onClick={() => move(selected)}>
          移动
        </Button>
        <Button size="small" danger onClick={() => actions.removeAll(selected)}>
          删除
        </Button>
      </SelectionBar>
    </>
  )
}
