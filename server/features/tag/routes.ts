import * as contract from '#contract/tag.ts'
import { serve } from '../../http/serve.ts'
import type { TagService } from './service.ts'

export const tagRoutes = (tags: TagService) => [
  serve(contract.getTagTree, ({ viewer, query }) => tags.tree(viewer, query)),
  serve(contract.listTags, ({ viewer, query }) => tags.list(viewer, query)),
  serve(contract.createTag, ({ viewer, body }) => tags.create(viewer, body)),
  serve(contract.updateTag, async ({ viewer, params, body }) => {
    await tags.update(viewer, params.id, body)
    return null
  }),
  serve(contract.deleteTag, async ({ viewer, params }) => {
    await tags.remove(viewer, params.id)
    return null
  }),
  serve(contract.getTagUsage, ({ viewer, params }) => tags.usage(viewer, params.id)),
  serve(contract.previewTag, ({ viewer, body, signal }) => tags.preview(viewer, body.adv_id, body.definition, signal)),
  serve(contract.rebuildTags, ({ viewer, body }) => tags.rebuild(viewer, body.adv_id, body.ids)),
  serve(contract.listFields, ({ viewer, query }) => tags.fields(viewer, query.adv_id)),

  serve(contract.listCategories, ({ viewer, query }) => tags.categories(viewer, query.adv_id, query.tag_type)),
  serve(contract.createCategory, ({ viewer, body }) => tags.createCategory(viewer, body)),
  serve(contract.updateCategory, async ({ viewer, params, body }) => {
    await tags.updateCategory(viewer, params.id, body)
    return null
  }),
  serve(contract.deleteCategory, async ({ viewer, params }) => {
    await tags.removeCategory(viewer, params.id)
    return null
  }),
]
