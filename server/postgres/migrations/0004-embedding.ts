import { type Kysely, sql } from 'kysely'

/** Embedding in other sites: one-time tokens, and sessions that see one advertiser and end with their API token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table embed_token (
    token_hash text primary key,
    viewer_id integer not null references viewer on delete cascade,
    adv_id integer not null references advertiser on delete cascade,
    api_token_id integer references api_token on delete cascade,
    origin text not null,
    expires_at bigint not null
  )`.execute(db)
  await sql`alter table session
    add column adv_id integer references advertiser on delete cascade,
    add column api_token_id integer references api_token on delete cascade`.execute(db)
}
