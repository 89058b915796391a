import * as contract from '#contract/tag.ts'
import * as batch from '#contract/tag-batch.ts'
import { serve } from '../../http/serve.ts'
import type { TagBatches } from './batch.ts'
import type { CategoryService } from './categories.ts'
import type { TagLists } from './lists.ts'
import type { TagService } from './service.ts'
import type { TagTree } from './tree.ts'

export const tagRoutes = (
  tags: TagService,
  lists: TagLists,
  tree: TagTree,
  categories: CategoryService,
  batches: TagBatches,
) => [
  serve(batch.deleteTags, ({ viewer, body }) => batches.remove(viewer, body)),
  serve(batch.hideTags, ({ viewer, body }) => batches.hide(viewer, body)),
  serve(batch.moveTags, ({ viewer, body }) => batches.move(viewer, body)),
  serve(contract.getTagTree, ({ viewer, query }) => tree.tree(viewer, query)),
  serve(contract.listTags, ({ viewer, query }) => lists.list(viewer, query)),
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

  serve(contract.listCategories, ({ viewer, query }) => lists.categories(viewer, query.adv_id, query.tag_type)),
  serve(contract.createCategory, ({ viewer, body }) => categories.create(viewer, body)),
  serve(contract.updateCategory, async ({ viewer, params, body }) => {
    await categories.update(viewer, params.id, body)
    return null
  }),
  serve(batch.getCategoryUsage, ({ viewer, params }) => categories.usage(viewer, params.id)),
  serve(contract.deleteCategory, async ({ viewer, params, query }) => {
    await categories.remove(viewer, params.id, { withTags: query.with_tags === '1' })
    return null
  }),
]
