import type { Kysely } from 'kysely'
import { CATEGORIES_MAX, type CategoryIcon, type TagType } from '#contract/tag.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
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
        const { name = category.name, icon = category.icon } = wanted
        const taken = await tx
          .selectFrom('tag_category')
          .select('id')
          .where('adv_id', '=', category.adv_id)
          .where('tag_type', '=', category.tag_type)
          .where('name', '=', name)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (taken) throw new AppError('nameTaken')
        await tx.updateTable('tag_category').set({ name, icon }).where('id', '=', id).execute()
        await audit(tx, viewer, 'tag_category.update', { id, ...wanted })
      }),

    remove: (viewer: Viewer, id: number) =>
      transaction(db, async (tx) => {
        const category = await mustFind(tx, viewer, id)
        const holds = await tx.selectFrom('tag').select('id').where('category_id', '=', id).limit(1).executeTakeFirst()
        if (holds) throw new AppError('categoryInUse', { name: category.name })
        await tx.deleteFrom('tag_category').where('id', '=', id).execute()
        await audit(tx, viewer, 'tag_category.delete', { id, name: category.name })
      }),
  }
}
export type CategoryService = ReturnType<typeof categoryService>
