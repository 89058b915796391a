import { type Kysely, sql } from 'kysely'

/** Which viewer has seen which failed task: until then it stays in the task tray. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table task_seen (
    task_id integer not null references task on delete cascade,
    viewer_id integer not null references viewer on delete cascade,
    primary key (task_id, viewer_id)
  )`.execute(db)
  // Failures of before the update were counted as seen after a day.
  await sql`insert into task_seen (task_id, viewer_id)
    select task.id, viewer.id from task cross join viewer where task.status = 'failed'`.execute(db)
}
