import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { platformInfo } from '#contract/platform.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { isSyncing } from '#contract/targeting/syncing.ts'
import { listTargetings, TARGETING_STATUS, type TargetingPackage } from '#contract/targeting-package.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { later, useAfterPage } from '../../components/later.tsx'
import { useChosen } from '../../components/use-chosen.ts'
import { CrowdList } from '../../domain/crowd/CrowdList.tsx'
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
import { lateSentence, SENTENCES } from '../../domain/outcome/late-sentence.tsx'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { DecideDialog, type Decision } from './DecideDialog.tsx'
import { packageColumns } from './package-columns.tsx'
import { usePackageActions } from './use-package-actions.tsx'

const POLL_MS = 2_000

const CopyToDialog = later(() => import('./CopyToDialog.tsx').then((file) => file.CopyToDialog))
const SaveTemplateDialog = later(() => import('./SaveTemplateDialog.tsx').then((file) => file.SaveTemplateDialog))
const RenamePackageDialog = later(() => import('./RenamePackageDialog.tsx').then((file) => file.RenamePackageDialog))

export const PACKAGE_FILTERS = {
  name: nameFilter,
  creator_id: creatorsFilter('targeting'),
  creator: creatorNameFilter,
  status: statusFilter(TARGETING_STATUS),
  created_at: createdFilter,
  adv_id: advertiserFilter,
  tag_id: tagIdFilter,
} satisfies Filters

type StatusKey = `${keyof typeof TARGETING_STATUS}`

/** A platform's packages in one folder. */
export function PackageList(props: {
  platform: PackageCode
  state: ListState<typeof PACKAGE_FILTERS>
  onChange: ChangeList<typeof PACKAGE_FILTERS>
  /** null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** The advertiser of the top bar, whose packages are listed unless the filter says otherwise. */
  advId: number | undefined
  /** Asks for a folder; `moved` is called once the packages are in it. */
  onMove: (rows: readonly TargetingPackage[], moved: () => void) => void
  onOpen: (row: TargetingPackage) => void
  onNew: () => void
  onCopy: (row: TargetingPackage) => void
  onCompare: (left: number, right: number) => void
  onTemplates: () => void
}) {
  const { platform, state, onChange, advertisers, advId, onMove, onOpen, onNew, onCopy, onCompare, onTemplates } = props
  const navigate = useNavigate()
  const chosen = useChosen<TargetingPackage>(`${platform} ${advId} ${state.dir_id}`)
  const actions = usePackageActions(chosen.forget)
  const [copiedTo, setCopiedTo] = useState<TargetingPackage | null>(null)
  const [model, setModel] = useState<TargetingPackage | null>(null)
  const [renamed, setRenamed] = useState<TargetingPackage | null>(null)
  const [decided, setDecided] = useState<{ row: TargetingPackage; decision: Decision } | null>(null)
  useAfterPage(SENTENCES)
  const listed = advertisers === null ? undefined : listedAdvertiser(state.filters.adv_id, advId)
  const packages = useQuery({
    ...queryOf(listTargetings, {
      body: {
        ...queryOfState(PACKAGE_FILTERS, state),
        adv_id: listed === undefined ? undefined : String(listed),
        platform,
      },
    }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.list.some((row) => row.is_estimating || isSyncing(row)) ? POLL_MS : false,
  })
  // The server says which statuses there are; until it has answered, they are those known here.
  const statuses = packages.data?.options.status ?? TARGETING_STATUS
  const filters = useMemo(() => ({ ...PACKAGE_FILTERS, status: statusFilter<StatusKey>(statuses) }), [statuses])
  const move = (rows: readonly TargetingPackage[]) => onMove(rows, () => chosen.forget(rows.map((row) => row.id)))
  const { name } = platformInfo(platform)

  return (
    <>
      {packages.data?.quota_outcomes.map((full) => (
        <Alert key={JSON.stringify(full.params)} type="warning" showIcon title={lateSentence(full)} />
      ))}
      <CrowdList
        filters={filters}
        state={state}
        onChange={onChange}
        advertisers={advertisers ?? []}
        advId={advertisers === null ? undefined : advId}
        query={packages}
        page={packages.data && { rows: packages.data.list, total: packages.data.page_info.total_number }}
        noun="定向包"
        nothingYet={{
          title: `${state.dir_id === ALL_FOLDERS ? '' : '此文件夹下'}还没有${name}定向包`,
          hint: '定向包保存一组定向条件，投放时直接选用；可以按地域、人口学属性、行为兴趣与自定义人群等设置。',
          action: (
            <ChangeButton changes="current" type="primary" onClick={onNew}>
              新建{name}定向包
            </ChangeButton>
          ),
        }}
        aside={<Button onClick={onTemplates}>模板</Button>}
        batch={(rows) => {
          const [left, right, more] = rows
          return (
            <>
              <ChangeButton
                changes="shared"
                size="small"
                loading={actions.isCopying}
                onClick={() => void actions.copyAll(rows)}
              >
                复制
              </ChangeButton>
              <Tooltip title={rows.length === 2 ? null : '选择两个定向包进行对比'}>
                <Button
                  size="small"
                  disabled={!left || !right || more !== undefined}
                  onClick={() => left && right && onCompare(left.id, right.id)}
                >
                  对比
                </Button>
              </Tooltip>
            </>
          )
        }}
        loadFailed="定向包列表加载失败"
        chosen={chosen}
        onMove={move}
        onDelete={actions.remove}
        keyOf={(row) => row.id}
        columns={packageColumns({
          statuses,
          sort: state.sort,
          showAdvertiser: advertisers !== null,
          actions: {
            ...actions,
            adopt: (row) => setDecided({ row, decision: 'adopt' }),
            overwrite: (row) => setDecided({ row, decision: 'overwrite' }),
            move,
            rename: setRenamed,
            open: onOpen,
            copy: onCopy,
            copyTo: setCopiedTo,
            saveTemplate: setModel,
            edit: (row) => navigate(paths.targetingEdit(row.platform, row.id)),
            watch: (row) => navigate(paths.targetingEdit(row.platform, row.id, { mode: 'read' })),
          },
        })}
      />
      {copiedTo && <CopyToDialog row={copiedTo} onClose={() => setCopiedTo(null)} />}
      {model && <SaveTemplateDialog row={model} onClose={() => setModel(null)} />}
      {decided && <DecideDialog {...decided} onClose={() => setDecided(null)} />}
      {renamed && <RenamePackageDialog row={renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}
