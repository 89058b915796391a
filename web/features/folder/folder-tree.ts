import { FAULTS, faultSentence } from '#contract/errors.ts'
import { type AssetFolder, DEFAULT_FOLDER, FOLDER_DEPTH_MAX, levelsOf, pathTo } from '#contract/folder.ts'

export function findFolder(folders: readonly AssetFolder[], id: number): AssetFolder | undefined {
  for (const folder of folders) {
    const found = folder.id === id ? folder : findFolder(folder.subDirs, id)
    if (found) return found
  }
  return undefined
}

/** Ids of a folder and of all folders below it. */
export const idsOf = (folder: AssetFolder): number[] => [folder.id, ...folder.subDirs.flatMap(idsOf)]

/** Why a folder cannot be added below `parentId` (null: top level); null if it can. */
export function refusalOfNew(folders: readonly AssetFolder[], parentId: number | null): string | null {
  const depth = parentId === null ? 0 : pathTo(folders, parentId).length
  return depth + 1 > FOLDER_DEPTH_MAX ? FAULTS.folderTooDeep.msg : null
}

/** Why a folder cannot be moved below `parentId` (null: top level); null if it can. The server refuses by the same rules. */
export function refusalOfMove(folders: readonly AssetFolder[], id: number, parentId: number | null): string | null {
  const folder = findFolder(folders, id)
  if (!folder) return faultSentence('notFound', { what: '文件夹' })
  if (id === DEFAULT_FOLDER) return FAULTS.defaultFolderStays.msg
  if (parentId !== null && idsOf(folder).includes(parentId)) return FAULTS.folderIntoItself.msg
  const depth = parentId === null ? 0 : pathTo(folders, parentId).length
  if (depth + levelsOf(folder) > FOLDER_DEPTH_MAX) return FAULTS.folderTooDeep.msg
  const siblings = parentId === null ? folders : (findFolder(folders, parentId)?.subDirs ?? [])
  if (siblings.some((other) => other.id !== id && other.name === folder.name)) return FAULTS.nameTaken.msg
  return null
}
