import { type Kysely, sql } from 'kysely'

/** Tags are found by the attribute or event of their definition: an import looks for those of each of its fields. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['attribute', 'event'])
    await sql
      .raw(
        `create index tag_by_${name} on tag (adv_id, (definition->>'${name}')) where definition->>'${name}' is not null`,
      )
      .execute(db)
}
