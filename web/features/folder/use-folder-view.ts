import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { ALL_FOLDERS, type Filters, type ListState, readState, writeState } from '../../domain/crowd/list-state.ts'
import { saved } from '../../lib/saved-context.ts'
import { withParams } from '../../lib/with-params.ts'
import { type FolderKind, useFolders } from './folder-calls.ts'
import { findFolder } from './folder-tree.ts'

const REMEMBERED = { asset: saved.peopleTreeId, custom: saved.customCrowdTreeId } as const

/** The list state of a page of crowds. The URL holds it; the session remembers the folder. */
export function useFolderView<F extends Filters>(
  kind: FolderKind,
  filters: F,
): [state: ListState<F>, change: (next: (now: ListState<F>) => ListState<F>) => void] {
  const [params, setParams] = useSearchParams()
  const folders = useFolders(kind)
  const remembered = REMEMBERED[kind]

  const asked = readState(filters, params, remembered.get() ?? DEFAULT_FOLDER)
  // A remembered or linked folder may have been deleted.
  const isGone = folders.data !== undefined && asked.dir_id !== ALL_FOLDERS && !findFolder(folders.data, asked.dir_id)
  const state: ListState<F> = isGone ? { ...asked, dir_id: DEFAULT_FOLDER } : asked

  useEffect(() => remembered.set(state.dir_id), [remembered, state.dir_id])
  // A remembered or default folder is written to the URL too, so that a copied link shows the same list.
  const inUrl = params.get('dir_id')
  useEffect(() => {
    if (inUrl === String(state.dir_id)) return
    // A navigation that is under way has already changed the address; leave it.
    if (new URLSearchParams(window.location.search).get('dir_id') !== inUrl) return
    setParams((now) => withParams(now, { dir_id: state.dir_id }), { replace: true })
  }, [inUrl, state.dir_id, setParams])

  // A change begins with what the address bar holds: a search may just have changed it.
  const now = () => {
    const shown = readState(filters, new URLSearchParams(window.location.search), state.dir_id)
    return isGone ? { ...shown, dir_id: state.dir_id } : shown
  }
  return [state, (next) => setParams(writeState(filters, next(now())))]
}
