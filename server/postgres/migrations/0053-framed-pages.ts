import { type Kysely, sql } from 'kysely'

/**
 * What a frame of another site shows: a crowd or an activity, by its id, or a new one (0). Frames that were opened before
 * may open more than one thing, so they end: the site around them opens them again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'delete from embed_token',
    'delete from session where adv_id is not null',
    'alter table embed_token add column framed_page text not null, add column framed_id integer not null',
    'alter table session add column framed_page text, add column framed_id integer',
    'alter table session add check ((adv_id is null) = (framed_page is null) and (adv_id is null) = (framed_id is null))',
  ])
    await sql.raw(statement).execute(db)
}
