import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import {
  CUSTOM_STATUS,
  type CustomChild,
  type CustomCrowd,
  type CustomStatus,
  listCustomCrowds,
} from '#contract/custom-crowd.ts'
import { isUnderWay } from '#contract/custom-crowd-rules.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ListFilters } from '../../components/ListFilters.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import { isFiltered, type ListState, queryOfState, searched, UNFILTERED } from '../../lib/list-state.ts'
import { queryOf } from '../../lib/query.ts'
import { CustomTable } from './CustomTable.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { useCustomActions } from './use-custom-actions.tsx'

const POLL_MS = 2_000

/** The uploaded crowds of one folder: filters, the tree of rows, what can be done with a row and with many. */
export function CustomList(props: {
  state: ListState<CustomStatus>
  onState: (state: ListState<CustomStatus>) => void
  /** Of the SaaS filter; null where advertisers are not shown. */
  advertisers: readonly { id: number; name: string }[] | null
  uploadButton: ReactNode
  onView: (crowd: CustomCrowd, child: CustomChild | null) => void
  onPush: (crowd: CustomCrowd, child: CustomChild | null) => void
  /** Opens the choice of a folder; settles once the crowds are moved or the choice is given up. */
  onMove: (crowds: readonly CustomCrowd[], moved: () => void) => void
}) {
  const { state, onState, advertisers, uploadButton, onView, onPush, onMove } = props
  const [selected, setSelected] = useState<CustomCrowd[]>([])
  const [renaming, setRenaming] = useState<CustomCrowd | null>(null)
  const forget = (ids: readonly number[]) => setSelected((rows) => rows.filter((row) => !ids.includes(row.id)))
  const actions = useCustomActions(forget)
  const crowds = useQuery({
    ...queryOf(listCustomCrowds, { query: queryOfState(state) }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? POLL_MS : false),
  })

  const change = (part: Partial<ListState<CustomStatus>>) => {
    setSelected([])
    onState(searched(state, part))
  }
  const move = (rows: readonly CustomCrowd[]) => onMove(rows, () => forget(rows.map((row) => row.id)))
  // The last row of the last page was deleted or moved: the page before it is the last now.
  const { data } = crowds
  if (data && !crowds.isPlaceholderData && data.list.length === 0 && data.total > 0 && state.page > 1) {
    queueMicrotask(() => onState({ ...state, page: Math.ceil(data.total / state.page_size) }))
  }

  const empty = isFiltered(state) ? (
    <EmptyState
      title="没有符合条件的人群"
      hint="换个条件，或清除筛选查看此文件夹的全部人群。"
      action={<Button onClick={() => change(UNFILTERED)}>清除筛选</Button>}
    />
  ) : (
    <EmptyState
      title="此文件夹下还没有自定义人群"
      hint="自定义人群由上传的设备号、手机号或 QQ 号文件生成，可推送到腾讯广告与巨量引擎。"
      action={uploadButton}
    />
  )

  return (
    <>
      <div style={{ marginBottom: 12 }}>
        <ListFilters state={state} statuses={CUSTOM_STATUS} onChange={change} advertisers={advertisers} />
      </div>
      {crowds.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      ) : crowds.error && !data ? (
        <LoadError error={crowds.error} onRetry={crowds.refetch} title="自定义人群列表加载失败" />
      ) : (
        <CustomTable
          rows={data?.list ?? []}
          total={data?.total ?? 0}
          isLoading={crowds.isPlaceholderData}
          state={state}
          onState={(part) => onState({ ...state, ...part })}
          showAdvertiser={advertisers !== null}
          actions={{ ...actions, view: onView, push: onPush, move, rename: setRenaming }}
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
      {renaming && <RenameDialog crowd={renaming} onClose={() => setRenaming(null)} />}
    </>
  )
}
