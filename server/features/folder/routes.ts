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
  serve(contract.deleteAssetFolder, async ({ viewer, params }) => {
    await folders.remove(viewer, [params.id])
    return null
  }),
  serve(contract.deleteAssetFolders, async ({ viewer, body }) => {
    await folders.remove(viewer, body.ids)
    return null
  }),
]
