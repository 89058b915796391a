import { type Kysely, sql } from 'kysely'

/**
 * What restricts the copy of a package on its platform besides the fields that our editor has, and packages whose reach is
 * being asked for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `alter table targeting_mirror add column others jsonb not null default '[]'`,
    'alter table targeting_package add column is_estimating boolean not null default false',
  ])
    await sql.raw(statement).execute(db)
}
