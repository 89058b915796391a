import { type Kysely, sql, type Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { KeptTag } from '#contract/tag-batch.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { crowdsOfTags, removeTags } from './removal.ts'
import { lockTags } from './store.ts'

export interface Batch {
  adv_id: number
  ids: readonly number[]
}

/** Changes of many tags at once. What cannot be changed stays and is named; a stranger's tag refuses the whole call. */
export function tagBatches(db: Kysely<Database>) {
  async function tagsOf(tx: Transaction<Database>, viewer: Viewer, { adv_id, ids }: Batch) {
    viewer.mustBeMember(adv_id)
    const wanted = [...new Set(ids)]
    const tags = await tx
      .selectFrom('tag')
      .select(['id', 'name', 'version', 'tag_type', 'category_id', 'is_built_in'])
      .where('id', 'in', wanted)
      .where('adv_id', '=', adv_id)
      .orderBy('id')
      .forUpdate()
      .execute()
    if (tags.length < wanted.length) throw new AppError('notFound', { what: '标签' })
    const builtIn = tags.filter((tag) => tag.is_built_in)
    return { tags: tags.filter((tag) => !tag.is_built_in), kept: builtIn.map(keptFor([])) }
  }

  return {
    /** A check changes nothing and answers what the deletion would. */
    remove: (viewer: Viewer, { check, ...batch }: Batch & { check: boolean }) =>
      transaction(db, async (tx) => {
        viewer.mustBeMember(batch.adv_id)
        // Crowds take this lock when they save a rule, so none starts to use a tag during its deletion.
        await lockCrowds(tx, batch.adv_id)
        const { tags, kept } = await tagsOf(tx, viewer, batch)
        const uses = await crowdsOfTags(
          tx,
          tags.map(({ id }) => id),
        )
        const free = tags.filter(({ id }) => !uses.has(id))
        if (!check) {
          await removeTags(tx, batch.adv_id, free)
          await audit(tx, viewer, 'tag.delete', { adv_id: batch.adv_id, ids: free.map(({ id }) => id) })
        }
        const used = tags.flatMap((tag) => keptFor(uses.get(tag.id) ?? [])(tag)).filter(({ id }) => uses.has(id))
        return { done: free.length, kept: [...kept, ...used] }
      }),

    hide: (viewer: Viewer, { hidden, ...batch }: Batch & { hidden: boolean }) =>
      transaction(db, async (tx) => {
        const { tags, kept } = await tagsOf(tx, viewer, batch)
        const ids = tags.map(({ id }) => id)
        await tx
          .updateTable('tag')
          .set({ is_hidden: hidden })
          .where('id', 'in', [0, ...ids])
          .execute()
        await audit(tx, viewer, hidden ? 'tag.hide' : 'tag.show', { adv_id: batch.adv_id, ids })
        return { done: ids.length, kept }
      }),

    move: (viewer: Viewer, { category_id, ...batch }: Batch & { category_id: number }) =>
      transaction(db, async (tx) => {
        viewer.mustBeMember(batch.adv_id)
        await lockTags(tx, batch.adv_id)
        const { tags, kept } = await tagsOf(tx, viewer, batch)
        const category = await tx
          .selectFrom('tag_category')
          .select(['adv_id', 'tag_type'])
          .where('id', '=', category_id)
          .forShare()
          .executeTakeFirst()
        if (category?.adv_id !== batch.adv_id) throw new AppError('notFound', { what: '分类' })
        if (tags.some((tag) => tag.tag_type !== category.tag_type)) {
          throw new AppError('badInput', { reason: outcome('tag_type_not_of_category') })
        }
        const held = await tx.selectFrom('tag').select(['id', 'name']).where('category_id', '=', category_id).execute()
        const names = new Set(held.map(({ name }) => name))
        const moved: number[] = []
        for (const tag of tags) {
          if (tag.category_id !== category_id && names.has(tag.name)) kept.push(keptFor([])(tag))
          else moved.push(tag.id)
          names.add(tag.name)
        }
        await sql`update tag set category_id = ${category_id} where id = any(${moved}::int[])`.execute(tx)
        await audit(tx, viewer, 'tag.move', { adv_id: batch.adv_id, ids: moved, category_id })
        return { done: moved.length, kept }
      }),
  }
}
export type TagBatches = ReturnType<typeof tagBatches>

const keptFor =
  (crowds: KeptTag['crowds']) =>
  ({ id, name }: { id: number; name: string }): KeptTag => ({ id, name, crowds })
