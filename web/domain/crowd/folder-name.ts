import { type AssetFolder, pathTo } from '#contract/folder.ts'

/** The storage path of a folder in words; -- for one that is not known. */
export function folderName(folders: readonly AssetFolder[], id: number | null): string {
  if (id === null) return '--'
  const ids = pathTo(folders, id)
  const names: string[] = []
  let level = folders
  for (const one of ids) {
    const folder = level.find((f) => f.id === one)
    if (!folder) break
    names.push(folder.name)
    level = folder.subDirs
  }
  return names.join(' / ') || '--'
}
