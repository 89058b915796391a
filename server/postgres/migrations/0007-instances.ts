import { type Kysely, sql } from 'kysely'

/** Each start is an instance, and holds name it, so the holds of a killed process are recognised without a clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table instance (
    id uuid primary key,
    data_dir uuid not null,
    started_at timestamptz not null default clock_timestamp()
  )`.execute(db)
  await sql`create index instance_data_dir on instance (data_dir)`.execute(db)
  await sql`alter table platform_login add column hold_instance uuid`.execute(db)
}
