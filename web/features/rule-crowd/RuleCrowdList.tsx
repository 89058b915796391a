import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listRuleCrowds, RULE_CROWD_STATUS, type RuleCrowd } from '#contract/rule-crowd.ts'
import { useChosen } from '../../components/use-chosen.ts'
import { CrowdList } from '../../domain/crowd/CrowdList.tsx'
import {
  advertiserFilter,
  createdFilter,
  creatorNameFilter,
  creatorsFilter,
  nameFilter,
  statusFilter,
  tagIdFilter,
} from '../../domain/crowd/filters.tsx'
import { type Filters, type ListState, queryOfState } from '../../domain/crowd/list-state.ts'
import { queryOf } from '../../lib/query.ts'
import { RuleCrowdQuota } from './RuleCrowdQuota.tsx'
import { isComputing } from './rule-crowd-actions.ts'
import { ruleCrowdColumns } from './rule-crowd-columns.tsx'
import { useRuleCrowdActions } from './use-rule-crowd-actions.tsx'

const POLL_MS = 2_000

export const RULE_CROWD_FILTERS = {
  name: nameFilter,
  creator_id: creatorsFilter('rule'),
  creator: creatorNameFilter,
  status: statusFilter(RULE_CROWD_STATUS),
  created_at: createdFilter,
  adv_id: advertiserFilter,
  tag_id: tagIdFilter,
} satisfies Filters

/** The rule crowds of one folder. */
export function RuleCrowdList(props: {
  state: ListState<typeof RULE_CROWD_FILTERS>
  onState: (state: ListState<typeof RULE_CROWD_FILTERS>) => void
  /** null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** The advertiser whose quota is shown unless the list is filtered by one. */
  advId: number | undefined
  newButton: ReactNode
  /** Asks for a folder; `moved` is called once the crowds are in it. */
  onMove: (rows: readonly RuleCrowd[], moved: () => void) => void
  onPush: (ruleCrowd: RuleCrowd) => void
  onAudiences: (ruleCrowd: RuleCrowd) => void
}) {
  const { state, onState, advertisers, advId, newButton, onMove, onPush, onAudiences } = props
  const chosen = useChosen<RuleCrowd>()
  const actions = useRuleCrowdActions(chosen.forget)
  const ruleCrowds = useQuery({
    ...queryOf(listRuleCrowds, { query: queryOfState(RULE_CROWD_FILTERS, state) }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data && isComputing(query.state.data.res) ? POLL_MS : false),
  })
  const move = (rows: readonly RuleCrowd[]) => onMove(rows, () => chosen.forget(rows.map((row) => row.id)))
  const quotaOf = state.filters.adv_id ?? advId

  return (
    <CrowdList
      filters={RULE_CROWD_FILTERS}
      state={state}
      onState={onState}
      advertisers={advertisers ?? []}
      aside={
        quotaOf !== undefined && (
          <RuleCrowdQuota advId={quotaOf} advName={advertisers?.find((one) => one.id === quotaOf)?.name ?? null} />
        )
      }
      query={ruleCrowds}
      page={ruleCrowds.data && { rows: ruleCrowds.data.res, total: ruleCrowds.data.total }}
      noun="定向包"
      nothingYet={{
        title: '此文件夹下还没有组合定向包',
        hint: '组合定向包由属性标签、事件标签和历史人群以交、并、差组合而成。',
        action: newButton,
      }}
      loadFailed="定向包列表加载失败"
      chosen={chosen}
      onMove={move}
      onDelete={actions.removeAll}
      keyOf={(row) => row.id}
      columns={ruleCrowdColumns({
        sort: state.sort,
        showAdvertiser: advertisers !== null,
        actions: { ...actions, move, push: onPush, audiences: onAudiences },
      })}
    />
  )
}
