import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { CUSTOM_STATUS, type CustomChild } from '#contract/audience.ts'
import { CUSTOM_LIST_EXPORT_PATH } from '#contract/crowd-list-export.ts'
import { type CustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { isUnderWay } from '#contract/custom-crowd-rules.ts'
import { AUDIENCE_CODES, platformInfo } from '#contract/platform.ts'
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
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { customColumns } from './custom-columns.tsx'
import styles from './custom-crowd.module.css'
import { RenameDialog } from './RenameDialog.tsx'
import { type Row, rowOf } from './rows.ts'
import { useCustomActions } from './use-custom-actions.tsx'

const POLL_MS = 2_000
/** The names of the platforms in one phrase: 腾讯广告与巨量引擎. */
const TAKING_AUDIENCES = AUDIENCE_CODES.map((code) => platformInfo(code).name)
  .join('、')
  .replace(/、([^、]+)$/, '与$1')

export const CUSTOM_FILTERS = {
  name: nameFilter,
  creator_id: creatorsFilter('custom'),
  creator: creatorNameFilter,
  status: statusFilter(CUSTOM_STATUS),
  created_at: createdFilter,
  adv_id: advertiserFilter,
  tag_id: tagIdFilter,
} satisfies Filters

const crowdsOf = (rows: readonly Row[]) => rows.map((row) => row.crowd)

/** The uploaded crowds of one folder, with their audiences below them. */
export function CustomList(props: {
  state: ListState<typeof CUSTOM_FILTERS>
  onChange: ChangeList<typeof CUSTOM_FILTERS>
  /** null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  /** The advertiser of the top bar, whose crowds are listed unless the filter says otherwise. */
  advId: number | undefined
  uploadButton: ReactNode
  onView: (crowd: CustomCrowd, child: CustomChild | null) => void
  onPush: (crowd: CustomCrowd, preset: PushPreset | null) => void
  /** Asks for a folder; `moved` is called once the crowds are in it. */
  onMove: (crowds: readonly CustomCrowd[], moved: () => void) => void
}) {
  const { state, onChange, advertisers, advId, uploadButton, onView, onPush, onMove } = props
  const navigate = useNavigate()
  const chosen = useChosen<Row>(`${advId} ${state.dir_id}`)
  const [renaming, setRenaming] = useState<CustomCrowd | null>(null)
  const actions = useCustomActions(chosen.forget)
  const listed = advertisers === null ? undefined : listedAdvertiser(state.filters.adv_id, advId)
  const query = { ...queryOfState(CUSTOM_FILTERS, state), adv_id: listed === undefined ? undefined : String(listed) }
  const crowds = useQuery({
    ...queryOf(listCustomCrowds, { query }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? POLL_MS : false),
  })
  const { exportPeople, exportDialog } = useExportPeople()
  const { openControl, controlDialog } = useControlDialog()
  const control = (crowd: CustomCrowd) => openControl({ ...crowd, kind: 'custom' })
  const profile = ({ id }: CustomCrowd) => void navigate(paths.crowdProfile(id))
  const move = (rows: readonly CustomCrowd[]) => onMove(rows, () => chosen.forget(rows.map((row) => row.id)))

  return (
    <>
      <CrowdList
        filters={CUSTOM_FILTERS}
        state={state}
        onChange={onChange}
        advertisers={advertisers ?? []}
        advId={advertisers === null ? undefined : advId}
        exportButton={<ExportListButton path={CUSTOM_LIST_EXPORT_PATH} query={query} total={crowds.data?.total ?? 0} />}
        query={crowds}
        page={crowds.data && { rows: crowds.data.list.map(rowOf), total: crowds.data.total }}
        noun="人群"
        nothingYet={{
          title: `${state.dir_id === ALL_FOLDERS ? '' : '此文件夹下'}还没有自定义人群`,
          hint: `自定义人群由上传的设备号、手机号或 QQ 号文件生成，可推送到${TAKING_AUDIENCES}。`,
          action: uploadButton,
        }}
        loadFailed="自定义人群列表加载失败"
        chosen={chosen}
        onMove={(rows) => move(crowdsOf(rows))}
        onDelete={(rows) => actions.removeAll(crowdsOf(rows))}
        keyOf={(row) => row.key}
        isChild={(row) => row.child !== null}
        columns={customColumns({
          sort: state.sort,
          showAdvertiser: advertisers !== null,
          actions: {
            ...{ ...actions, view: onView, push: onPush, move, rename: setRenaming, profile, exportPeople },
            control,
          },
        })}
        table={{
          className: styles.table,
          locale: { expand: '展开各平台账户', collapse: '收起' },
          // Aligns an audience's platform mark with the expand icon, and its name with the crowd's.
          expandable: { indentSize: 0 },
        }}
      />
      {exportDialog}
      {controlDialog}
      {renaming && <RenameDialog crowd={renaming} onClose={() => setRenaming(null)} />}
    </>
  )
}
