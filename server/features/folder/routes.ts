import * as custom from '#contract/custom-folder.ts'
import type { AssetFolder } from '#contract/folder.ts'
import * as contract from '#contract/folder.ts'
import { serve } from '../../http/serve.ts'
import type { FolderService } from './service.ts'

export const folderRoutes = (folders: FolderService) => [
  serve(contract.listAssetFolders, () => folders.tree()),
  serve(contract.createAssetFolder, ({ viewer, body }) => folders.create(viewer, body.name, body.parentId)),
  serve(contract.updateAssetFolder, async ({ viewer, params, body }) => {
    await folders.update(viewer, params.id, body)
    return null
  }),
  serve(contract.deleteAssetFolder, async ({ viewer, params, query }) => {
    await folders.remove(viewer, [params.id], { isCheck: query.check })
    return null
  }),
  serve(contract.deleteAssetFolders, async ({ viewer, body }) => {
    await folders.remove(viewer, body.ids)
    return null
  }),
]

/** A folder as the calls of uploaded crowds spell it. */
const spelled = ({ id, name, parentId, subDirs }: AssetFolder): custom.CustomFolder => ({
  id,
  name,
  parent_id: parentId,
  sub_dirs: subDirs.map(spelled),
})

export const customFolderRoutes = (folders: FolderService) => [
  serve(custom.listCustomFolders, async () => (await folders.tree()).map(spelled)),
  serve(custom.getCustomFolder, async ({ params }) => spelled(await folders.get(params.id))),
  serve(custom.createCustomFolder, ({ viewer, body }) => folders.create(viewer, body.name, body.parent_id)),
  serve(custom.updateCustomFolder, async ({ viewer, params, body }) => {
    await folders.update(viewer, params.id, { name: body.name, parentId: body.parent_id })
    return null
  }),
  serve(custom.deleteCustomFolder, async ({ viewer, params, query }) => {
    await folders.remove(viewer, [params.id], { isCheck: query.check })
    return null
  }),
]
