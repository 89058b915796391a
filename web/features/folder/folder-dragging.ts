import type { AssetFolder } from '#contract/folder.ts'
import { findFolder, refusalOfMove } from './folder-tree.ts'

/** Drop target above the folders, for the top level. */
export const TOP = 'top'

/** What dropping a folder would do; `words` describe it. */
export type FolderDrop =
  | { type: 'move'; parentId: number | null; words: string }
  | { type: 'none'; words: string }
  | { type: 'refused'; words: string }

/** The effect of dropping folder `id` on a target: a folder's id, or `TOP`. */
export function folderDrop(folders: readonly AssetFolder[], id: number, place: number | typeof TOP): FolderDrop {
  const parentId = place === TOP ? null : place
  if (parentId === id || parentId === findFolder(folders, id)?.parentId) return { type: 'none', words: '原来的位置' }
  const refusal = refusalOfMove(folders, id, parentId)
  if (refusal !== null) return { type: 'refused', words: refusal }
  const into = parentId === null ? undefined : findFolder(folders, parentId)?.name
  return { type: 'move', parentId, words: into === undefined ? '移到最上层' : `移到「${into}」` }
}
