import type { Kysely } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/** An advertiser's tags that editors offer, but that of everyone; in the order of the tag panel, attributes first. */
export const offeredTags = (db: Kysely<Database>, adv_id: number) =>
  db
    .selectFrom('tag')
    .innerJoin('tag_category', 'tag_category.id', 'tag.category_id')
    .select(['tag.id', 'tag.name', 'tag.tag_type', 'tag.category_id', 'tag_category.name as category'])
    .select(['tag.count', 'tag.counted_at', 'tag.version'])
    .where('tag.adv_id', '=', adv_id)
    .where('tag.is_built_in', '=', false)
    .where('tag.is_hidden', '=', false)
    .orderBy('tag_category.tag_type')
    .orderBy('tag_category.position')
    .orderBy('tag_category.id')
    .orderBy('tag.position')
    .orderBy('tag.id')
    .execute()
