import { type Kysely, sql } from 'kysely'

/**
 * Whether the automatic tag of an event was made: it is not made again where a viewer deleted it. An event of an import
 * that is being stored may have none yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table event_name add column is_tagged boolean not null default false`.execute(db)
  await sql`
    update event_name e set is_tagged = true
    where exists (select from tag_category c where c.adv_id = e.adv_id and c.tag_type = 2 and c.source = e.name)
      or not exists (select from import i where i.adv_id = e.adv_id and i.state is not null)`.execute(db)
}
