import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { type Filters, type ListState, readState, writeState } from '../../domain/crowd/list-state.ts'
import { saved } from '../../lib/saved-context.ts'
import { type FolderKind, useFolders } from './folder-calls.ts'
import { findFolder } from './folder-tree.ts'

const REMEMBERED = { asset: saved.peopleTreeId, custom: saved.customCrowdTreeId } as const

/** What a page of crowds shows of which folder. The URL holds all of it; the session remembers the folder. */
export function useFolderView<F extends Filters>(
  kind: FolderKind,
  filters: F,
): [state: ListState<F>, setState: (next: ListState<F>) => void] {
  const [params, setParams] = useSearchParams()
  const folders = useFolders(kind)
  const remembered = REMEMBERED[kind]

  const asked = readState(filters, params, remembered.get() ?? DEFAULT_FOLDER)
  // A remembered or linked folder may have been deleted meanwhile.
  const isGone = folders.data !== undefined && !findFolder(folders.data, asked.dir_id)
  const state: ListState<F> = isGone ? { ...asked, dir_id: DEFAULT_FOLDER } : asked

  useEffect(() => remembered.set(state.dir_id), [remembered, state.dir_id])
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

  return [state, (next) => setParams(writeState(filters, next))]
}
