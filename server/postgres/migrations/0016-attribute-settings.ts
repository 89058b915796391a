import { type Kysely, sql } from 'kysely'

/**
 * What a viewer settled about an attribute (its type, names for its values), which tags it has, and tags that the rule
 * editors do not offer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table attribute
      add column tagged_by text,
      add column is_type_fixed boolean not null default false,
      add column dictionary jsonb not null default '[]'`.execute(db)
  // Until now every attribute of at most 200 values had a tag for each.
  await sql`
    update attribute set tagged_by = case
      when distinct_values > 200 then 'ranges'
      when distinct_values > 0 or jsonb_array_length("values") > 0 then 'values' end`.execute(db)
  await sql`alter table tag add column is_hidden boolean not null default false`.execute(db)
}
