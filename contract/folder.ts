import { z } from 'zod'
import { CheckFlag, Id, IdParams, itemName, Nothing } from './common.ts'
import { endpoint } from './endpoint.ts'
import { findText, type Readings } from './find-text.ts'
import { withSpellings } from './spellings.ts'

/** Id of the default folder, the first one in every deployment. */
export const DEFAULT_FOLDER = 1
/** Levels of folders, including the top one. */
export const FOLDER_DEPTH_MAX = 5

export const FolderName = itemName('请输入文件夹名称')

/** A folder of the asset tree. The default folder stands first; it cannot be renamed, moved or deleted. */
export interface AssetFolder {
  id: number
  name: string
  parentId: number | null
  subDirs: AssetFolder[]
}
export const AssetFolder: z.ZodType<AssetFolder> = z
  .object({
    id: Id.describe('文件夹 ID'),
    name: z.string().describe('文件夹名称'),
    parentId: Id.nullable().describe('上级文件夹 ID；顶层为 null'),
    get subDirs(): z.ZodArray<z.ZodType<AssetFolder>> {
      return z.array(AssetFolder).describe('子文件夹')
    },
  })
  .meta({ id: 'AssetFolder', description: '人群资产的文件夹' })

/** The ids from the root to a folder, the value of the storage path field; empty when the folder is not in the tree. */
export function pathTo(folders: readonly AssetFolder[], id: number): number[] {
  for (const folder of folders) {
    if (folder.id === id) return [folder.id]
    const below = pathTo(folder.subDirs, id)
    if (below.length > 0) return [folder.id, ...below]
  }
  return []
}

/** Folders whose name holds the keyword, by its characters or pinyin, with the folders above them. */
export function searchFolders(
  folders: readonly AssetFolder[],
  keyword: string,
  readings: Readings | null = null,
): AssetFolder[] {
  if (!keyword.trim()) return [...folders]
  return folders.flatMap((folder) => {
    const subDirs = searchFolders(folder.subDirs, keyword, readings)
    return findText(folder.name, keyword, readings) !== null || subDirs.length > 0 ? [{ ...folder, subDirs }] : []
  })
}

/** How many levels a folder has, itself included. */
export const levelsOf = (folder: AssetFolder): number => 1 + Math.max(0, ...folder.subDirs.map(levelsOf))

export const listAssetFolders = endpoint({
  method: 'GET',
  path: '/api/peopledir',
  group: '人群资产',
  summary: '人群资产的文件夹树，默认分组在最前',
  data: z.array(AssetFolder),
})

export const createAssetFolder = endpoint({
  method: 'POST',
  path: '/api/peopledir',
  group: '人群资产',
  summary: '新建文件夹',
  body: withSpellings(
    z.object({
      name: FolderName.describe('文件夹名称，1 到 30 个字符，同级不可重名'),
      parentId: Id.nullable().default(null).describe('上级文件夹 ID；null 是顶层'),
    }),
    { parent_id: { for: 'parentId', schema: Id.nullable() } },
  ),
  data: z.object({ id: Id.describe('新文件夹的 ID') }),
})

export const updateAssetFolder = endpoint({
  method: 'PUT',
  path: '/api/peopledir/{id}',
  group: '人群资产',
  summary: '重命名文件夹，或移到另一上级文件夹',
  params: IdParams,
  body: withSpellings(
    z.object({
      name: FolderName.optional().describe('新名称，1 到 30 个字符，同级不可重名'),
      parentId: Id.nullable().optional().describe('新的上级文件夹 ID；null 是顶层；不填则不移动'),
    }),
    { parent_id: { for: 'parentId', schema: Id.nullable() } },
  ),
  data: Nothing,
})

export const deleteAssetFolder = endpoint({
  method: 'DELETE',
  path: '/api/peopledir/{id}',
  group: '人群资产',
  summary: '删除空文件夹（连同其空的子文件夹）；check=1 只检查，不能删除时答复原因',
  params: IdParams,
  query: z.object({ check: CheckFlag }),
  data: Nothing,
})

export const deleteAssetFolders = endpoint({
  method: 'POST',
  path: '/api/peopledir/delete',
  group: '人群资产',
  summary: '按 ID 列表删除空文件夹，全部可删才删',
  body: z.object({ ids: z.array(Id).min(1, '请选择文件夹').max(100).describe('要删除的文件夹 ID，1 到 100 个') }),
  data: Nothing,
})
