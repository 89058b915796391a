import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { sentenceOrNull } from '#contract/outcome.ts'
import type {
  AttributeInfo,
  EventInfo,
  getTagTree,
  listTags,
  TagCategory,
  TagRow,
  TagTreeNode,
  TagType,
} from '#contract/tag.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { likePattern } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'
import { shownDefinition } from './left-out.ts'

/** Tags, categories and fields as editors and the management page read them. */
export function tagLists(db: Kysely<Database>) {
  return {
    async tree(viewer: Viewer, query: z.output<typeof getTagTree.query>) {
      const adv_id = await advertiserOf(viewer, query)
      viewer.mustBeMember(adv_id)
      const adv = await db.selectFrom('advertiser').select(['id', 'name']).where('id', '=', adv_id).executeTakeFirst()
      if (!adv) throw new AppError('notFound', { what: '广告主' })
      const wanted = query.keyword?.trim().toLowerCase() ?? ''
      const [categories, tags] = await Promise.all([
        categoryRows(adv_id, query.tag_type),
        db
          .selectFrom('tag')
          .select(['id', 'name', 'category_id', 'count', 'counted_at', 'tag_type', 'is_built_in'])
          .where('adv_id', '=', adv_id)
          .where('tag_type', '=', query.tag_type)
          .orderBy('position')
          .orderBy((eb) => eb.fn.coalesce('count', sql<number>`-1`), 'desc')
          .orderBy('id')
          .execute(),
      ])
      const byCategory = Map.groupBy(tags, (tag) => tag.category_id)
      const data = categories.flatMap((category): TagTreeNode[] => {
        const isWanted = category.name.toLowerCase().includes(wanted)
        const group = (byCategory.get(category.id) ?? [])
          .filter((tag) => isWanted || tag.name.toLowerCase().includes(wanted))
          .map(({ id, name, count, counted_at, tag_type, is_built_in }) => ({
            id,
            tag: name,
            count,
            icon: category.icon,
            tag_type,
            counted_at,
            is_built_in,
          }))
        if (group.length === 0) return []
        const { id, name, icon, tag_type } = category
        return [{ id, tag: name, count: null, icon, tag_type, counted_at: null, is_built_in: false, group }]
      })
      return { adv, data }
    },

    async list(viewer: Viewer, query: z.output<typeof listTags.query>): Promise<{ list: TagRow[]; total: number }> {
      viewer.mustBeMember(query.adv_id)
      const like = query.keyword?.trim() ? likePattern(query.keyword.trim()) : null
      const wanted = db
        .selectFrom('tag')
        .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
        .where('tag.adv_id', '=', query.adv_id)
        .$if(query.tag_type !== undefined, (qb) => qb.where('tag.tag_type', '=', query.tag_type as TagType))
        .$if(query.category_id !== undefined, (qb) => qb.where('tag.category_id', '=', query.category_id as number))
        .$if(like !== null, (qb) =>
          qb.where((eb) => eb.or([eb('tag.name', 'ilike', like), eb('tag_category.name', 'ilike', like)])),
        )
      const { total } = await wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const rows = await wanted
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
        .orderBy('tag_category.tag_type')
        .orderBy('tag_category.position')
        .orderBy('tag_category.id')
        .orderBy('tag.position')
        .orderBy((eb) => eb.fn.coalesce('tag.count', sql<number>`-1`), 'desc')
        .orderBy('tag.id')
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute()
      return {
        list: rows.map((row) => ({
          id: row.id,
          name: row.name,
          tag_type: row.tag_type,
          category_id: row.category_id,
          definition: shownDefinition(row.definition),
          is_automatic: row.is_automatic,
          is_built_in: row.is_built_in,
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
        categoryRows(adv_id, tag_type),
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

    async fields(viewer: Viewer, adv_id: number) {
      viewer.mustBeMember(adv_id)
      const [attributes, events] = await Promise.all([
        db.selectFrom('attribute').selectAll().where('adv_id', '=', adv_id).orderBy('slot').execute(),
        db.selectFrom('event_name').selectAll().where('adv_id', '=', adv_id).orderBy('id').execute(),
      ])
      return {
        attributes: attributes.map(
          (row): z.input<typeof AttributeInfo> => ({
            name: row.name,
            type: row.type,
            display_name: row.display_name,
            values: row.values,
            distinct: row.distinct_values,
            left_out: row.left_out,
          }),
        ),
        events: events.map(
          (row): z.input<typeof EventInfo> => ({
            name: row.name,
            display_name: row.display_name,
            properties: row.properties,
          }),
        ),
      }
    },
  }

  /** A crowd's tags are those of its own advertiser, whichever advertiser the viewer has selected. */
  async function advertiserOf(viewer: Viewer, query: { adv_id: number; people_id?: number | undefined }) {
    if (!query.people_id) return query.adv_id
    const crowd = await db
      .selectFrom('people')
      .select('adv_id')
      .where('id', '=', query.people_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!crowd || !viewer.isMember(crowd.adv_id)) throw new AppError('notFound', { what: '人群包' })
    return crowd.adv_id
  }

  function categoryRows(adv_id: number, tag_type: TagType | undefined) {
    return db
      .selectFrom('tag_category')
      .selectAll()
      .where('adv_id', '=', adv_id)
      .$if(tag_type !== undefined, (qb) => qb.where('tag_type', '=', tag_type as TagType))
      .orderBy('tag_type')
      .orderBy('position')
      .orderBy('id')
      .execute()
  }
}
export type TagLists = ReturnType<typeof tagLists>
