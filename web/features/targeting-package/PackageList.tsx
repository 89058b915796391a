import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { platformInfo } from '#contract/platform.ts'
import {
  listTargetings,
  type PackageCode,
  TARGETING_STATUS,
  type TargetingPackage,
} from '#contract/targeting-package.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { later, useAfterPage } from '../../components/later.tsx'
import { useChosen } from '../../components/use-chosen.ts'
import { CrowdList } from '../../domain/crowd/CrowdList.tsx'
import {
  advertiserFilter,
  createdFilter,
  creatorNameFilter,
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
import { SENTENCES } from '../../domain/outcome/late-sentence.tsx'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { packageColumns } from './package-columns.tsx'
import { usePackageActions } from './use-package-actions.tsx'

const RenamePackageDialog = later(() => import('./RenamePackageDialog.tsx').then((file) => file.RenamePackageDialog))

export const PACKAGE_FILTERS = {
  name: nameFilter,
  creator: creatorNameFilter,
  status: statusFilter(TARGETING_STATUS),
  created_at: createdFilter,
  adv_id: advertiserFilter,
  tag_id: tagIdFilter,
} satisfies Filters

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
}) {
  const { platform, state, onChange, advertisers, advId, onMove, onOpen } = props
  const chosen = useChosen<TargetingPackage>(`${platform} ${advId} ${state.dir_id}`)
  const actions = usePackageActions(chosen.forget)
  const [renamed, setRenamed] = useState<TargetingPackage | null>(null)
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
  })
  const move = (rows: readonly TargetingPackage[]) => onMove(rows, () => chosen.forget(rows.map((row) => row.id)))
  const { name } = platformInfo(platform)

  return (
    <>
      <CrowdList
        filters={PACKAGE_FILTERS}
        state={state}
        onChange={onChange}
        advertisers={advertisers ?? []}
        advId={advertisers === null ? undefined : advId}
        query={packages}
        page={packages.data && { rows: packages.data.list, total: packages.data.page_info.total_number }}
        noun="定向包"
        nothingYet={{
          title: `${state.dir_id === ALL_FOLDERS ? '' : '此文件夹下'}还没有${name}定向包`,
          hint: '编辑页开放之前，定向包由接口新建；新建后可在这里查看、复制、移动和恢复旧版本。',
          action: <LinkButton to={paths.apiDocs()}>查看接口文档</LinkButton>,
        }}
        loadFailed="定向包列表加载失败"
        chosen={chosen}
        onMove={move}
        onDelete={actions.remove}
        keyOf={(row) => row.id}
        columns={packageColumns({
          sort: state.sort,
          showAdvertiser: advertisers !== null,
          actions: { ...actions, move, rename: setRenamed, open: onOpen },
        })}
      />
      {renamed && <RenamePackageDialog row={renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}
