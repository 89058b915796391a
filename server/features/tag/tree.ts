import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { getTagTree, TagTreeNode, TagType } from '#contract/tag.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { searchedText } from '../../postgres/like.ts'
import { nameFinder } from '../../postgres/name-finder.ts'
import type { Database } from '../../postgres/schema.ts'
import { categoryRows, nameHolds } from './tag-rows.ts'

type Query = z.output<typeof getTagTree.query>

/** The tag tree of rule editors: whole, its categories alone, one category, or what a keyword finds. */
export function tagTree(db: Kysely<Database>) {
  /** A crowd's tags are those of its own advertiser, whichever advertiser the viewer has selected. */
  async function advertiserOf(viewer: Viewer, query: Query) {
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

  /** The tags that editors offer, by category. `isBuiltIn`: 全部用户 alone. */
  async function tagsOf(
    viewer: Viewer,
    adv_id: number,
    { tag_type, category_id, keyword = '' }: Query,
    { isBuiltIn }: { isBuiltIn: boolean },
  ) {
    const wanted = keyword.trim()
    const finds = await nameFinder(wanted)
    const tags = await db
      .selectFrom('tag')
      .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
      .select(['tag.id', 'tag.name', 'tag.category_id', 'tag.count', 'tag.counted_at', 'tag.is_built_in'])
      .select([
        searchedText(viewer, sql.ref('tag.name'), wanted).as('searched_name'),
        searchedText(viewer, sql.ref('tag_category.name'), wanted).as('searched_category'),
      ])
      .where('tag.adv_id', '=', adv_id)
      .where('tag.tag_type', '=', tag_type)
      .where('tag.is_hidden', '=', false)
      .$if(isBuiltIn, (qb) => qb.where('tag.is_built_in', '=', true))
      .$if(category_id !== undefined, (qb) => qb.where('tag.category_id', '=', category_id as number))
      .$if(wanted !== '' && finds === null, (qb) => qb.where(nameHolds(viewer, wanted)))
      .orderBy('tag.position')
      .orderBy((eb) => eb.fn.coalesce('tag.count', sql<number>`-1`), 'desc')
      .orderBy('tag.id')
      .execute()
    const found = finds ? tags.filter((tag) => finds(tag.searched_name) || finds(tag.searched_category)) : tags
    return Map.groupBy(found, (tag) => tag.category_id)
  }

  /** How many tags of each category editors offer. */
  async function sizesOf(adv_id: number, tag_type: TagType): Promise<ReadonlyMap<number, number>> {
    const rows = await db
      .selectFrom('tag')
      .select((eb) => ['category_id', eb.fn.countAll<number>().as('n')])
      .where('adv_id', '=', adv_id)
      .where('tag_type', '=', tag_type)
      .where('is_hidden', '=', false)
      .groupBy('category_id')
      .execute()
    return new Map(rows.map(({ category_id, n }) => [category_id, n]))
  }

  return {
    async tree(viewer: Viewer, query: Query) {
      const adv_id = await advertiserOf(viewer, query)
      viewer.mustBeMember(adv_id)
      const [adv, categories, sizes] = await Promise.all([
        db.selectFrom('advertiser').select(['id', 'name']).where('id', '=', adv_id).executeTakeFirst(),
        categoryRows(db, adv_id, query.tag_type),
        query.most === undefined ? null : sizesOf(adv_id, query.tag_type),
      ])
      const isLarge = sizes !== null && [...sizes.values()].reduce((sum, n) => sum + n, 0) > (query.most ?? 0)
      const groups = await tagsOf(viewer, adv_id, query, { isBuiltIn: isLarge })
      if (!adv) throw new AppError('notFound', { what: '广告主' })
      const data = categories.flatMap(({ id, name, icon, tag_type }): TagTreeNode[] => {
        const group = (groups.get(id) ?? []).map((tag) => ({
          id: tag.id,
          tag: tag.name,
          count: tag.count,
          icon,
          tag_type,
          counted_at: tag.counted_at,
          is_built_in: tag.is_built_in,
        }))
        const tags = sizes ? (sizes.get(id) ?? 0) : group.length
        if (tags === 0) return []
        return [{ id, tag: name, count: null, icon, tag_type, counted_at: null, is_built_in: false, tags, group }]
      })
      return { adv, data }
    },
  }
}
export type TagTree = ReturnType<typeof tagTree>
