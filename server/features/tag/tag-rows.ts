import { type Kysely, sql } from 'kysely'
import type { TagType } from '#contract/tag.ts'
import type { Viewer } from '../../http/viewer.ts'
import { textHolds } from '../../postgres/like.ts'
import type { Database } from '../../postgres/schema.ts'

/** Whether the name of a tag or of its category contains the text. */
export const nameHolds = (viewer: Pick<Viewer, 'see_phones'>, text: string) =>
  sql<boolean>`(${textHolds(viewer, sql.ref('tag.name'), text)} or ${textHolds(viewer, sql.ref('tag_category.name'), text)})`

export const categoryRows = (db: Kysely<Database>, adv_id: number, tag_type: TagType | undefined) =>
  db
    .selectFrom('tag_category')
    .selectAll()
    .where('adv_id', '=', adv_id)
    .$if(tag_type !== undefined, (qb) => qb.where('tag_type', '=', tag_type as TagType))
    .orderBy('tag_type')
    .orderBy('position')
    .orderBy('id')
    .execute()
