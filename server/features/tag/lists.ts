import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { listTags, TagCategory, TagRow, TagType } from '#contract/tag.ts'
import { definitionText } from '#contract/tag-definition.ts'
import type { Viewer } from '../../http/viewer.ts'
import { searchedText } from '../../postgres/like.ts'
import { nameFinder } from '../../postgres/name-finder.ts'
import type { Database } from '../../postgres/schema.ts'
import { namesOfFields } from './field-names.ts'
import { definitionFor, shownDefinition } from './left-out.ts'
import { categoryRows, nameHolds } from './tag-rows.ts'

/** Tags and categories as the management page reads them. */
export function tagLists(db: Kysely<Database>) {
  /** In the order of `ids`. */
  async function rowsOf(ids: readonly number[]) {
    const rows = await db
      .selectFrom('tag')
      .selectAll('tag')
      .select((eb) => [
        eb
          .selectFrom('crowd_use')
          .innerJoin('people', 'people.id', 'crowd_use.people_id')
          .whereRef('crowd_use.uses_id', '=', 'tag.id')
          .where('crowd_use.uses_kind', '=', 'tag')
          .where('people.deleted_at', 'is', null)
          .select((inner) => inner.fn.countAll<number>().as('n'))
          .as('used_by'),
      ])
      .where(sql<boolean>`tag.id = any(${[...ids]}::int[])`)
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  /** The tags whose name or category is found by pinyin or initials; null where the database finds them. */
  async function foundByName(viewer: Viewer, adv_id: number, keyword: string): Promise<number[] | null> {
    const finds = await nameFinder(keyword)
    if (!finds) return null
    const tags = await db
      .selectFrom('tag')
      .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
      .select('tag.id')
      .select([
        searchedText(viewer, sql.ref('tag.name'), keyword).as('searched_name'),
        searchedText(viewer, sql.ref('tag_category.name'), keyword).as('searched_category'),
      ])
      .where('tag.adv_id', '=', adv_id)
      .execute()
    return tags.filter((tag) => finds(tag.searched_name) || finds(tag.searched_category)).map(({ id }) => id)
  }

  return {
    async list(viewer: Viewer, query: z.output<typeof listTags.query>): Promise<{ list: TagRow[]; total: number }> {
      viewer.mustBeMember(query.adv_id)
      const keyword = query.keyword?.trim() ?? ''
      const found = await foundByName(viewer, query.adv_id, keyword)
      const wanted = db
        .selectFrom('tag')
        .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
        .where('tag.adv_id', '=', query.adv_id)
        .$if(query.tag_type !== undefined, (qb) => qb.where('tag.tag_type', '=', query.tag_type as TagType))
        .$if(query.category_id !== undefined, (qb) => qb.where('tag.category_id', '=', query.category_id as number))
        .$if(query.id !== undefined, (qb) => qb.where('tag.id', '=', query.id as number))
        .$if(keyword !== '' && found === null, (qb) => qb.where(nameHolds(viewer, keyword)))
        .$if(found !== null, (qb) => qb.where(sql<boolean>`tag.id = any(${found}::int[])`))
      const [{ total }, page] = await Promise.all([
        wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        // Sorted without the wide columns: a deep page sorts all tags before it.
        wanted
          .select('tag.id')
          .orderBy('tag_category.tag_type')
          .orderBy('tag_category.position')
          .orderBy('tag_category.id')
          .orderBy('tag.position')
          .orderBy((eb) => eb.fn.coalesce('tag.count', sql<number>`-1`), 'desc')
          .orderBy('tag.id')
          .limit(query.page_size)
          .offset((query.page - 1) * query.page_size)
          .execute(),
      ])
      const ids = page.map(({ id }) => id)
      const rows = await rowsOf(ids)
      const names = await namesOfFields(
        db,
        query.adv_id,
        rows.map(({ definition }) => definition),
      )
      return {
        list: rows.map((row) => ({
          id: row.id,
          name: row.name,
          tag_type: row.tag_type,
          category_id: row.category_id,
          definition: definitionFor(viewer, row.definition),
          text: definitionText(shownDefinition(row.definition), names),
          is_automatic: row.is_automatic,
          is_built_in: row.is_built_in,
          is_hidden: row.is_hidden,
          count: row.count,
          counted_at: row.counted_at,
          refreshing: row.is_dirty && row.error === null,
          error: sentenceOrNull(row.error),
          error_outcome: row.error,
          used_by: row.used_by ?? 0,
        })),
        total,
      }
    },

    async categories(viewer: Viewer, adv_id: number, tag_type?: TagType): Promise<{ list: TagCategory[] }> {
      viewer.mustBeMember(adv_id)
      const [rows, attributes, counts] = await Promise.all([
        categoryRows(db, adv_id, tag_type),
        db.selectFrom('attribute').select(['name', 'left_out']).where('adv_id', '=', adv_id).execute(),
        db
          .selectFrom('tag')
          .select((eb) => ['category_id', eb.fn.countAll<number>().as('tags')])
          .where('adv_id', '=', adv_id)
          .groupBy('category_id')
          .execute(),
      ])
      const tagsIn = new Map(counts.map((row) => [row.category_id, row.tags]))
      const leftOut = new Map(attributes.map((row) => [row.name, row.left_out]))
      return {
        list: rows.map(({ id, name, icon, tag_type: type, source }) => ({
          id,
          name,
          icon,
          tag_type: type,
          tags: tagsIn.get(id) ?? 0,
          left_out: (type === 1 && leftOut.get(source ?? '')) || [],
        })),
      }
    },
  }
}
export type TagLists = ReturnType<typeof tagLists>
