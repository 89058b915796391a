import { useQuery } from '@tanstack/react-query'
import {
  type CustomFolder,
  createCustomFolder,
  deleteCustomFolder,
  listCustomFolders,
  updateCustomFolder,
} from '#contract/custom-folder.ts'
import {
  type AssetFolder,
  createAssetFolder,
  deleteAssetFolder,
  listAssetFolders,
  updateAssetFolder,
} from '#contract/folder.ts'
import { queryOf, useAction } from '../../lib/query.ts'

/** The two folder trees, of crowd assets and of uploaded crowds; they differ only in their calls. */
export type FolderKind = 'asset' | 'custom'

export const folderList = (kind: FolderKind) => (kind === 'asset' ? listAssetFolders : listCustomFolders)

/** Maps a folder of uploaded crowds, whose wire names differ, to the shape of the other tree. */
const respelled = ({ id, name, parent_id, sub_dirs }: CustomFolder): AssetFolder => ({
  id,
  name,
  parentId: parent_id,
  subDirs: sub_dirs.map(respelled),
})
const allRespelled = (folders: CustomFolder[]): AssetFolder[] => folders.map(respelled)

export function useFolders(kind: FolderKind) {
  const asset = useQuery({ ...queryOf(listAssetFolders), enabled: kind === 'asset', meta: { inPlace: true } })
  const custom = useQuery({
    ...queryOf(listCustomFolders),
    enabled: kind === 'custom',
    select: allRespelled,
    meta: { inPlace: true },
  })
  return kind === 'asset' ? asset : custom
}

/** Calls that change a tree; a refusal rejects. `quiet`: the caller shows the reason instead of the popup. */
export function useFolderCalls(kind: FolderKind, { quiet }: { quiet: boolean }) {
  const meta = { meta: { quiet } }
  const asset = {
    create: useAction(createAssetFolder, [listAssetFolders], meta),
    update: useAction(updateAssetFolder, [listAssetFolders], meta),
    remove: useAction(deleteAssetFolder, [], meta),
  }
  const custom = {
    create: useAction(createCustomFolder, [listCustomFolders], meta),
    update: useAction(updateCustomFolder, [listCustomFolders], meta),
    remove: useAction(deleteCustomFolder, [], meta),
  }
  const { create, update, remove } = kind === 'asset' ? asset : custom
  return {
    isBusy: create.isPending || update.isPending || remove.isPending,
    create: (name: string, parentId: number | null) =>
      kind === 'asset'
        ? asset.create.mutateAsync({ body: { name, parentId } })
        : custom.create.mutateAsync({ body: { name, parent_id: parentId } }),
    rename: (id: number, name: string) =>
      kind === 'asset'
        ? asset.update.mutateAsync({ params: { id }, body: { name } })
        : custom.update.mutateAsync({ params: { id }, body: { name } }),
    move: (id: number, parentId: number | null) =>
      kind === 'asset'
        ? asset.update.mutateAsync({ params: { id }, body: { parentId } })
        : custom.update.mutateAsync({ params: { id }, body: { parent_id: parentId } }),
    /** Rejects if the folder cannot be deleted. */
    check: (id: number) => {
      const input = { params: { id }, query: { check: '1' as const } }
      return kind === 'asset' ? asset.remove.mutateAsync(input) : custom.remove.mutateAsync(input)
    },
    /** Does not fetch the tree again: the caller first leaves the deleted folder. */
    remove: (id: number) =>
      kind === 'asset' ? asset.remove.mutateAsync({ params: { id } }) : custom.remove.mutateAsync({ params: { id } }),
  }
}
