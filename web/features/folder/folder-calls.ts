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

/** The two trees of folders: crowd assets and uploaded crowds. They differ in their calls alone. */
export type FolderKind = 'asset' | 'custom'

export const folderList = (kind: FolderKind) => (kind === 'asset' ? listAssetFolders : listCustomFolders)

/** A folder of uploaded crowds, whose calls spell it otherwise, as the tree's parts know folders. */
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

/** What changes a tree; each refuses by rejecting. `quiet`: the caller says why, no popup does. */
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
    /** Rejects when the folder could not be deleted now. */
    check: (id: number) => {
      const input = { params: { id }, query: { check: '1' as const } }
      return kind === 'asset' ? asset.remove.mutateAsync(input) : custom.remove.mutateAsync(input)
    },
    /** The tree is not asked for again: the caller first leaves the folder that is gone. */
    remove: (id: number) =>
      kind === 'asset' ? asset.remove.mutateAsync({ params: { id } }) : custom.remove.mutateAsync({ params: { id } }),
  }
}
