import { App } from 'antd'
import { useState } from 'react'
import { listPeople, movePeople, PEOPLE_STATUS, type People } from '#contract/rule-crowd.ts'
import { searched } from '../../domain/crowd/list-state.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { ChooseFolderDialog } from '../../features/folder/ChooseFolderDialog.tsx'
import { FolderColumns } from '../../features/folder/FolderColumns.tsx'
import { useFolderView } from '../../features/folder/use-folder-view.ts'
import { PeopleList } from '../../features/rule-crowd/PeopleList.tsx'
import { useEdition } from '../../lib/edition.ts'
import { useAction } from '../../lib/query.ts'
import { NewPackageButton } from './NewPackageButton.tsx'
import { useAudiences } from './use-audiences.tsx'

/** 组合定向包: the folders at the left, what they hold at the right. The URL holds all of the view. */
export function CombinedPackages() {
  const { message } = App.useApp()
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const [state, setState] = useFolderView('asset', PEOPLE_STATUS)
  const [moving, setMoving] = useState<{ rows: readonly People[]; moved: () => void } | null>(null)
  const move = useAction(movePeople, [listPeople], {
    onSuccess: () => {
      message.success('文件移动成功')
      moving?.moved()
      setMoving(null)
    },
  })

  const audiences = useAudiences()

  return (
    <>
      <FolderColumns kind="asset" selected={state.dir_id} onSelect={(dir_id) => setState(searched(state, { dir_id }))}>
        <PeopleList
          // Rows chosen in one folder are not kept for the next.
          key={state.dir_id}
          state={state}
          onState={setState}
          advertisers={isSaas ? advertisers : null}
          advId={advId}
          newButton={<NewPackageButton dirId={state.dir_id} />}
          onMove={(rows, moved) => setMoving({ rows, moved })}
          onPush={audiences.push}
          onAudiences={audiences.look}
        />
      </FolderColumns>
      {audiences.dialogs}
      {moving && (
        <ChooseFolderDialog
          kind="asset"
          title={
            moving.rows.length > 1 ? `移动 ${moving.rows.length} 个定向包` : `移动「${moving.rows[0]?.name ?? ''}」`
          }
          onCancel={() => setMoving(null)}
          isBusy={move.isPending}
          onChoose={(dirId) => move.mutate({ body: { ids: moving.rows.map((row) => row.id), dirId } })}
        />
      )}
    </>
  )
}
