import { z } from 'zod'
import { Id, IdParams, itemName, Nothing } from './common.ts'
import { endpoint } from './endpoint.ts'

const group = '自定义人群'
const PATH = '/api/v1/gdtcrowd/crowd_dir/custom'

/** The folders of uploaded crowds. They work like the asset folders in `folder.ts`, but their calls are spelled differently. */
export interface CustomFolder {
  id: number
  name: string
  parent_id: number | null
  sub_dirs: CustomFolder[]
}
export const CustomFolder: z.ZodType<CustomFolder> = z.object({
  id: Id,
  name: z.string(),
  parent_id: Id.nullable(),
  get sub_dirs(): z.ZodArray<z.ZodType<CustomFolder>> {
    return z.array(CustomFolder)
  },
})
const FolderName = itemName('请输入文件夹名称')

export const listCustomFolders = endpoint({
  method: 'GET',
  path: PATH,
  group,
  summary: '自定义人群的文件夹树，默认分组在最前',
  data: z.array(CustomFolder),
})
export const createCustomFolder = endpoint({
  method: 'POST',
  path: PATH,
  group,
  summary: '新建文件夹',
  body: z.object({ name: FolderName, parent_id: Id.nullable().default(null) }),
  data: z.object({ id: Id }),
})
export const updateCustomFolder = endpoint({
  method: 'PUT',
  path: `${PATH}/{id}`,
  group,
  summary: '重命名文件夹，或移到另一上级目录',
  params: IdParams,
  body: z.object({ name: FolderName.optional(), parent_id: Id.nullable().optional() }),
  data: Nothing,
})
export const deleteCustomFolder = endpoint({
  method: 'DELETE',
  path: `${PATH}/{id}`,
  group,
  summary: '删除空文件夹（连同其空的子文件夹）；check=1 只检查，不能删除时答复原因',
  params: IdParams,
  query: z.object({ check: z.enum(['0', '1']).default('0') }),
  data: Nothing,
})
