import { type Kysely, sql } from 'kysely'

/** How the identifiers of a crowd's file are found, what of an archive could not be read, and what the browser reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table crowd_file add column choice jsonb, add column unread jsonb not null default '[]'`.execute(db)
  await sql`update crowd_file
    set hashed = hashed || '{"normalised": 0, "marked": false, "local_id": null, "unread": []}'::jsonb
    where hashed is not null`.execute(db)
}
