import { type Kysely, sql } from 'kysely'

/**
 * What a viewer settled about the properties of events, and which automatic names a viewer changed: those stay when a
 * field or a value gets another display name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table event_name add column property_settings jsonb not null default '{}'`.execute(db)
  await sql`alter table tag add column is_renamed boolean not null default false`.execute(db)
  await sql`alter table tag_category add column is_renamed boolean not null default false`.execute(db)
  // A tag of a value was made with the value as its name, shortened and perhaps numbered.
  await sql`
    update tag set is_renamed = true
    where is_automatic and definition->'condition'->>'is' = 'equals' and name not like '（空白）%'
      and left(regexp_replace(name, ' [(][0-9]+[)]$', ''), 50) <> left(btrim(definition->'condition'->>'value'), 50)`.execute(
    db,
  )
  await sql`
    update tag set is_renamed = true from event_name e
    where tag.is_automatic and tag.adv_id = e.adv_id and tag.definition->>'event' = e.name
      and tag.name not like '做过%' || e.display_name || '%'`.execute(db)
  await sql`
    update tag_category c set is_renamed = true from attribute a
    where c.tag_type = 1 and c.adv_id = a.adv_id and c.source = a.name and c.name <> a.display_name`.execute(db)
  await sql`
    update tag_category c set is_renamed = true from event_name e
    where c.tag_type = 2 and c.adv_id = e.adv_id and c.source = e.name and c.name <> e.display_name`.execute(db)
}
