import { useQuery } from '@tanstack/react-query'
import { App, Card } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { DEFAULT_FOLDER, listAssetFolders } from '#contract/folder.ts'
import { listPeople, movePeople, PEOPLE_STATUS, type People, type PeopleStatus } from '#contract/rule-crowd.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { ChooseFolderDialog } from '../../features/folder/ChooseFolderDialog.tsx'
import { FolderTree } from '../../features/folder/FolderTree.tsx'
import { findFolder } from '../../features/folder/folder-tree.ts'
import { PeopleList } from '../../features/rule-crowd/PeopleList.tsx'
import { useEdition } from '../../lib/edition.ts'
import { type ListState, readState, searched, writeState } from '../../lib/list-state.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import styles from './cowd-assets.module.css'
import { NewPackageButton } from './NewPackageButton.tsx'
import { useAudiences } from './use-audiences.tsx'

/** 组合定向包: the folders at the left, what they hold at the right. The URL holds all of the view. */
export function CombinedPackages() {
  const { message } = App.useApp()
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const folders = useQuery(queryOf(listAssetFolders))
  const [moving, setMoving] = useState<{ rows: readonly People[]; moved: () => void } | null>(null)
  const move = useAction(movePeople, [listPeople], {
    onSuccess: () => {
      message.success('文件移动成功')
      moving?.moved()
      setMoving(null)
    },
  })

  const audiences = useAudiences()

  const asked = readState(PEOPLE_STATUS, params, saved.peopleTreeId.get() ?? DEFAULT_FOLDER)
  // A remembered or linked folder may have been deleted meanwhile.
  const isGone = folders.data !== undefined && !findFolder(folders.data, asked.dir_id)
  const state: ListState<PeopleStatus> = isGone ? { ...asked, dir_id: DEFAULT_FOLDER } : asked

  const setState = (next: ListState<PeopleStatus>) => setParams(writeState(next))
  useEffect(() => saved.peopleTreeId.set(state.dir_id), [state.dir_id])
  // The folder that was remembered, or stands in for one that is gone, is in the URL too: a link then shows the same.
  const inUrl = params.get('dir_id')
  useEffect(() => {
    if (inUrl === String(state.dir_id)) return
    // The address may be ahead of what is drawn: a navigation under way has the say.
    if (new URLSearchParams(window.location.search).get('dir_id') !== inUrl) return
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('dir_id', String(state.dir_id))
        return next
      },
      { replace: true },
    )
  }, [inUrl, state.dir_id, setParams])

  return (
    <div className={styles.columns}>
      <Card className={styles.folders} classNames={{ body: styles.foldersBody ?? '' }}>
        <FolderTree kind="asset" selected={state.dir_id} onSelect={(dir_id) => setState(searched(state, { dir_id }))} />
      </Card>
      <Card className={styles.list} classNames={{ body: styles.listBody ?? '' }}>
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
      </Card>
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
    </div>
  )
}
