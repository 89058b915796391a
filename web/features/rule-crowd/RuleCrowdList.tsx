import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { RULE_LIST_EXPORT_PATH } from '#contract/crowd-list-export.ts'
import { listRuleCrowds, RULE_CROWD_STATUS, type RuleCrowd, type RuleCrowdRow } from '#contract/rule-crowd.ts'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { useChosen } from '../../components/use-chosen.ts'
import { useControlDialog } from '../../domain/control-group/use-control-dialog.tsx'
import { CrowdList } from '../../domain/crowd/CrowdList.tsx'
import { ExportListButton } from '../../domain/crowd/ExportListButton.tsx'
import {
  advertiserFilter,
  createdFilter,
  creatorNameFilter,
  creatorsFilter,
  listedAdvertiser,
  nameFilter,
  statusFilter,
  tagIdFilter,
} from '../../domain/crowd/filters.tsx'
import {
  ALL_FOLDERS,
  type ChangeList,
  type Filters,
  type ListState,
  queryOfState,
} from '../../domain/crowd/list-state.ts'
import { useExportPeople } from '../../domain/crowd/use-export-people.tsx'
import { SENTENCES } from '../../domain/outcome/late-sentence.tsx'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './rule-crowd.module.css'
import { isComputing } from './rule-crowd-actions.ts'
import { ruleCrowdColumns } from './rule-crowd-columns.tsx'
import { useRowActions } from './use-row-actions.ts'
import { useRuleCrowdActions } from './use-rule-crowd-actions.tsx'
import { useUpdates } from './use-updates.tsx'

const QUOTA = afterPage(() => import('./RuleCrowdQuota.tsx'))

const POLL_MS = 2_000
const PAUSED_POLL_MS = 10_000

export const RULE_CROWD_FILTERS = {
  name: nameFilter,
  creator_id: creatorsFilter('rule'),
  creator: creatorNameFilter,
  status: statusFilter(RULE_CROWD_STATUS),
  created_at: createdFilter,
  adv_id: advertiserFilter,
  tag_id: tagIdFilter,
} satisfies Filters

/** Whether a computation or a push will change the row. */
const isUnderWay = (row: RuleCrowdRow) =>
  isComputing([row]) || row.audiences.some((child) => child.push !== null && !child.push.is_paused)

/** The rule crowds of one folder. */
export function RuleCrowdList(props: {
  state: ListState<typeof RULE_CROWD_FILTERS>
  onChange: ChangeList<typeof RULE_CROWD_FILTERS>
  /** null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** The advertiser of the top bar, whose crowds are listed unless the filter says otherwise. */
  advId: number | undefined
  newButton: ReactNode
  /** Asks for a folder; `moved` is called once the crowds are in it. */
  onMove: (rows: readonly RuleCrowd[], moved: () => void) => void
  onPush: (ruleCrowd: RuleCrowd) => void
  onAudiences: (ruleCrowd: RuleCrowd) => void
}) {
  const { state, onChange, advertisers, advId, newButton, onMove, onPush, onAudiences } = props
  const navigate = useNavigate()
  const chosen = useChosen<RuleCrowdRow>(`${advId} ${state.dir_id}`)
  const actions = useRuleCrowdActions(chosen.forget)
  useAfterPage(SENTENCES)
  const listed = advertisers === null ? undefined : listedAdvertiser(state.filters.adv_id, advId)
  const query = {
    ...queryOfState(RULE_CROWD_FILTERS, state),
    adv_id: listed === undefined ? undefined : String(listed),
  }
  const ruleCrowds = useQuery({
    ...queryOf(listRuleCrowds, { query }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      if (data?.res.some(isUnderWay)) return POLL_MS
      // A paused push may go on by itself.
      return data?.res.some(({ audiences }) => audiences.some(({ push }) => push !== null)) ? PAUSED_POLL_MS : false
    },
  })
  const move = (rows: readonly RuleCrowd[]) => onMove(rows, () => chosen.forget(rows.map((row) => row.id)))
  const { exportPeople, exportDialog } = useExportPeople()
  const { updates, updatesDialog } = useUpdates()
  const { openControl, controlDialog } = useControlDialog()
  const control = (ruleCrowd: RuleCrowd) => openControl({ ...ruleCrowd, kind: 'rule' })
  const profile = ({ id }: RuleCrowd) => void navigate(paths.crowdProfile(id))
  const rowActions = useRowActions({
    ...{ ...actions, move, push: onPush, audiences: onAudiences, profile, exportPeople, updates, control },
  })
  const quotaOf = listed ?? advId

  return (
    <>
      <CrowdList
        filters={RULE_CROWD_FILTERS}
        state={state}
        onChange={onChange}
        advertisers={advertisers ?? []}
        advId={advertisers === null ? undefined : advId}
        aside={
          quotaOf !== undefined && (
            <Quota advId={quotaOf} advName={advertisers?.find((one) => one.id === quotaOf)?.name ?? null} />
          )
        }
        exportButton={
          <ExportListButton path={RULE_LIST_EXPORT_PATH} query={query} total={ruleCrowds.data?.total ?? 0} />
        }
        query={ruleCrowds}
        page={ruleCrowds.data && { rows: ruleCrowds.data.res, total: ruleCrowds.data.total }}
        noun="定向包"
        nothingYet={{
          title: `${state.dir_id === ALL_FOLDERS ? '' : '此文件夹下'}还没有组合定向包`,
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
          actions: rowActions,
        })}
      />
      {exportDialog}
      {updatesDialog}
      {controlDialog}
    </>
  )
}

/** Its room is kept until it has arrived, so that the filters beside it do not move. */
function Quota(props: { advId: number; advName: string | null }) {
  const quota = useAfterPage(QUOTA)
  return quota ? <quota.RuleCrowdQuota {...props} /> : <div className={styles.quota} />
}
