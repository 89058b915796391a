import type { Kysely } from 'kysely'
import { CATEGORIES_MAX, type CategoryIcon, type TagType } from '#contract/tag.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import { keptName, mustNameNoPhone } from '../../files/written-names.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { crowdsOfTags, listed, removeTags } from './removal.ts'
import { lockTags } from './store.ts'

export function categoryService(db: Kysely<Database>) {
  async function mustFind(tx: Kysely<Database>, viewer: Viewer, id: number) {
    const row = await tx.selectFrom('tag_category').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '分类' })
    return row
  }

  async function mustHaveRoom(tx: Kysely<Database>, adv_id: number) {
    const { held } = await tx
      .selectFrom('tag_category')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('adv_id', '=', adv_id)
      .where('source', 'is', null)
      .executeTakeFirstOrThrow()
    if (held >= CATEGORIES_MAX) throw new AppError('categoriesFull', { max: CATEGORIES_MAX })
  }

  return {
    create: (viewer: Viewer, wanted: { adv_id: number; name: string; icon: CategoryIcon; tag_type: TagType }) =>
      transaction(db, async (tx) => {
        viewer.mustBeMember(wanted.adv_id)
        mustNameNoPhone(viewer, wanted.name)
        await lockTags(tx, wanted.adv_id)
        await mustHaveRoom(tx, wanted.adv_id)
        const last = await tx
          .selectFrom('tag_category')
          .select((eb) => eb.fn.max('position').as('position'))
          .where('adv_id', '=', wanted.adv_id)
          .executeTakeFirst()
        const row = await tx
          .insertInto('tag_category')
          .values({ ...wanted, source: null, position: (last?.position ?? 0) + 1 })
          .onConflict((oc) => oc.columns(['adv_id', 'tag_type', 'name']).doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new AppError('nameTaken')
        await audit(tx, viewer, 'tag_category.create', { id: row.id, ...wanted })
        return { id: row.id }
      }),

    update: (viewer: Viewer, id: number, wanted: { name?: string | undefined; icon?: CategoryIcon | undefined }) =>
      transaction(db, async (tx) => {
        const category = await mustFind(tx, viewer, id)
        const { icon = category.icon } = wanted
        const name = keptName(viewer, wanted.name, category.name)
        const taken = await tx
          .selectFrom('tag_category')
          .select('id')
          .where('adv_id', '=', category.adv_id)
          .where('tag_type', '=', category.tag_type)
          .where('name', '=', name)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (taken) throw new AppError('nameTaken')
        await tx
          .updateTable('tag_category')
          .set({ name, icon, ...(name === category.name ? {} : { is_renamed: true }) })
          .where('id', '=', id)
          .execute()
        await audit(tx, viewer, 'tag_category.update', { id, ...wanted })
      }),

    /** The tags of a category and the crowds that use them. */
    async usage(viewer: Viewer, id: number) {
      const row = await db.selectFrom('tag_category').select('adv_id').where('id', '=', id).executeTakeFirst()
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '分类' })
      const tags = await tagsOf(db, id)
      return { tags: tags.length, crowds: await crowdsOf(db, tags) }
    },

    /** `withTags`: its tags are deleted too, unless crowds use them; otherwise it must be empty. */
    remove: (viewer: Viewer, id: number, { withTags }: { withTags: boolean }) =>
      transaction(db, async (tx) => {
        const known = await tx.selectFrom('tag_category').select('adv_id').where('id', '=', id).executeTakeFirst()
        // As for a single tag: no crowd starts to use one meanwhile.
        if (known && viewer.isMember(known.adv_id)) await lockCrowds(tx, known.adv_id)
        const category = await mustFind(tx, viewer, id)
        const { adv_id } = category
        const tags = await tagsOf(tx, id)
        if (tags.length > 0 && !withTags) throw new AppError('categoryInUse', { name: category.name })
        if (tags.some((tag) => tag.is_built_in)) throw new AppError('tagBuiltIn')
        const crowds = await crowdsOf(tx, tags)
        if (crowds.length > 0) {
          const by = listed(crowds.map((crowd) => crowd.name))
          throw new AppError('categoryTagsInUse', { name: category.name, by }, { by: crowds })
        }
        await removeTags(tx, adv_id, tags)
        await tx.deleteFrom('tag_category').where('id', '=', id).execute()
        await audit(tx, viewer, 'tag_category.delete', { id, name: category.name })
      }),
  }
}
const tagsOf = (tx: Kysely<Database>, category_id: number) =>
  tx
    .selectFrom('tag')
    .select(['id', 'version', 'is_built_in'])
    .where('category_id', '=', category_id)
    .orderBy('id')
    .execute()

/** The crowds that use any of the tags, each once. */
async function crowdsOf(tx: Kysely<Database>, tags: readonly { id: number }[]) {
  const uses = await crowdsOfTags(
    tx,
    tags.map(({ id }) => id),
  )
  return [...new Map([...uses.values()].flat().map((crowd) => [crowd.id, crowd])).values()]
}
export type CategoryService = ReturnType<typeof categoryService>
