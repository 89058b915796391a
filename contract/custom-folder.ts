import { z } from 'zod'
import { CheckFlag, Id, IdParams, itemName, Nothing } from './common.ts'
import { endpoint } from './endpoint.ts'
import { withSpellings } from './spellings.ts'

const group = '自定义人群'
const PATH = '/api/v1/gdtcrowd/crowd_dir/custom'

/** The folders of uploaded crowds. They work like the asset folders in `folder.ts`, but their calls are spelled differently. */
export interface CustomFolder {
  id: number
  name: string
  parent_id: number | null
  sub_dirs: CustomFolder[]
}
export const CustomFolder: z.ZodType<CustomFolder> = z
  .object({
    id: Id.describe('文件夹 ID'),
    name: z.string().describe('文件夹名称'),
    parent_id: Id.nullable().describe('上级文件夹 ID；顶层为 null'),
    get sub_dirs(): z.ZodArray<z.ZodType<CustomFolder>> {
      return z.array(CustomFolder).describe('子文件夹')
    },
  })
  .meta({ id: 'CustomFolder', description: '自定义人群的文件夹' })
const FolderName = itemName('请输入文件夹名称')

export const listCustomFolders = endpoint({
  method: 'GET',
  path: PATH,
  group,
  summary: '自定义人群的文件夹树，默认分组在最前',
  data: z.array(CustomFolder),
})
export const getCustomFolder = endpoint({
  method: 'GET',
  path: `${PATH}/{id}`,
  group,
  summary: '一个文件夹与它的子文件夹',
  params: IdParams,
  data: CustomFolder,
})
export const createCustomFolder = endpoint({
  method: 'POST',
  path: PATH,
  group,
  summary: '新建文件夹',
  body: withSpellings(
    z.object({
      name: FolderName.describe('文件夹名称，1 到 30 个字符，同级不可重名'),
      parent_id: Id.nullable().default(null).describe('上级文件夹 ID；null 是顶层'),
    }),
    { parentId: { for: 'parent_id', schema: Id.nullable() } },
  ),
  data: z.object({ id: Id.describe('新文件夹的 ID') }),
})
export const updateCustomFolder = endpoint({
  method: 'PUT',
  path: `${PATH}/{id}`,
  group,
  summary: '重命名文件夹，或移到另一上级文件夹',
  params: IdParams,
  body: withSpellings(
    z.object({
      name: FolderName.optional().describe('新名称，1 到 30 个字符，同级不可重名'),
      parent_id: Id.nullable().optional().describe('新的上级文件夹 ID；null 是顶层；不填则不移动'),
    }),
    { parentId: { for: 'parent_id', schema: Id.nullable() } },
  ),
  data: Nothing,
})
export const deleteCustomFolder = endpoint({
  method: 'DELETE',
  path: `${PATH}/{id}`,
  group,
  summary: '删除空文件夹（连同其空的子文件夹）；check=1 只检查，不能删除时答复原因',
  params: IdParams,
  query: z.object({ check: CheckFlag }),
  data: Nothing,
})
