import type { Kysely } from 'kysely'
import { SEARCH_MAX } from '#contract/search.ts'
import type { Viewer } from '../../http/viewer.ts'
import { holding } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'

/** Crowds, tags and folders by part of their name, or by id; only what the viewer may see. */
export function searchService(db: Kysely<Database>) {
  return {
    async find(viewer: Viewer, q: string, adv_id: number | undefined) {
      const mine = viewer.adv_ids.filter((id) => adv_id === undefined || id === adv_id)
      const like = holding(q)
      const id = /^\d{1,9}$/.test(q) ? Number(q) : -1
      const folders = await db
        .selectFrom('asset_folder')
        .select(['id', 'name'])
        .where('name', 'ilike', like)
        .orderBy('id')
        .limit(SEARCH_MAX)
        .execute()
      if (mine.length === 0) return { crowds: [], tags: [], folders }
      const crowds = await db
        .selectFrom('people')
        .innerJoin('advertiser', 'advertiser.id', 'people.adv_id')
        .select(['people.id', 'people.name', 'advertiser.name as adv_name'])
        .where('people.adv_id', 'in', mine)
        .where('people.deleted_at', 'is', null)
        .where((eb) =>
          eb.or([eb('people.name', 'ilike', like), eb('people.id', '=', id), eb('people.tag_id', '=', id)]),
        )
        .orderBy('people.created_at', 'desc')
        .limit(SEARCH_MAX)
        .execute()
      const tags = await db
        .selectFrom('tag')
        .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
        .innerJoin('advertiser', 'advertiser.id', 'tag.adv_id')
        .select(['tag.id', 'tag.name', 'tag_category.name as category', 'advertiser.name as adv_name'])
        .where('tag.adv_id', 'in', mine)
        .where((eb) => eb.or([eb('tag.name', 'ilike', like), eb('tag.id', '=', id)]))
        .orderBy('tag.id')
        .limit(SEARCH_MAX)
        .execute()
      return { crowds, tags, folders }
    },
  }
}
export type SearchService = ReturnType<typeof searchService>
