import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/**
 * A worker's hold on a job. pg-boss counts every taking-up of a job in `retry_count`: with it a worker that was taken
 * for dead cannot touch what another one has taken up since. pg-boss's own calls go by the id alone, hence this file.
 */
export interface Hold {
  name: string
  id: string
  take: number
}

/** Sees that the hold still stands, and keeps it so until the transaction ends. */
export async function standsIn(tx: Transaction<Database>, hold: Hold): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pgboss.job
    where name = ${hold.name} and id = ${hold.id} and state = 'active' and retry_count = ${hold.take}
    for update`.execute(tx)
  return rows.length > 0
}

/** Answers the ids whose holds still stood, and now do for another lease. */
export async function renew(db: Kysely<Database>, holds: Hold[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update pgboss.job job set heartbeat_on = clock_timestamp()
    from unnest(${names(holds)}::text[], ${holds.map((hold) => hold.id)}::uuid[], ${holds.map((hold) => hold.take)}::int[])
      as held (name, id, take)
    where job.name = held.name and job.id = held.id and job.state = 'active' and job.retry_count = held.take
    returning job.id`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Puts jobs back whose worker has not renewed its hold within the lease; `seconds` 0 means all of them. */
export async function reclaim(db: Kysely<Database>, leases: { name: string; seconds: number }[]): Promise<void> {
  await sql`
    update pgboss.job job set state = 'retry', start_after = now()
    from unnest(${names(leases)}::text[], ${leases.map((lease) => lease.seconds)}::int[]) as lease (name, seconds)
    where job.name = lease.name and job.state = 'active'
      and job.heartbeat_on <= clock_timestamp() - lease.seconds * interval '1 second'`.execute(db)
}

/** Puts a held job back into the queue, with its data changed. */
export async function putBack(tx: Transaction<Database>, hold: Hold, delaySeconds: number, data: object) {
  await sql`
    update pgboss.job set state = 'retry', start_after = now() + ${delaySeconds} * interval '1 second',
      data = ${JSON.stringify(data)}::jsonb
    where name = ${hold.name} and id = ${hold.id}`.execute(tx)
}

/** Lets a job that waits for its time start now; false when none of that id waits. */
export async function hasten(tx: Transaction<Database>, name: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update pgboss.job set start_after = now()
    where name = ${name} and id = ${id} and state < 'active' returning id`.execute(tx)
  return rows.length > 0
}

export async function endAs(tx: Transaction<Database>, hold: Hold, state: 'completed' | 'failed', output: object) {
  await sql`
    update pgboss.job set state = ${state}::pgboss.job_state, completed_on = now(), output = ${JSON.stringify(output)}::jsonb
    where name = ${hold.name} and id = ${hold.id}`.execute(tx)
}

/** Ends the tasks whose job is gone without an end of theirs: one that waited or ran longer than the queue keeps it. */
export async function endOrphans(db: Kysely<Database>, reason: string): Promise<void> {
  await sql`
    update task set status = 'failed', error = ${reason}, finished_at = extract(epoch from now())::bigint
    where status in ('waiting', 'running') and job_id is not null and not exists (
      select 1 from pgboss.job where job.id = task.job_id::uuid and job.state in ('created', 'retry', 'active')
    )`.execute(db)
}

/** Forgets tasks that ended long ago: crowds are computed again and again, and each time is a task. */
export async function forgetOld(db: Kysely<Database>, days: number): Promise<void> {
  await sql`
    delete from task where id in (
      select id from task where finished_at < extract(epoch from now())::bigint - ${days}::int * 86400
      order by id limit 10000
    )`.execute(db)
}

/** The queues among `among` that have a job to take up now. */
export async function dueQueues(db: Kysely<Database>, among: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from pgboss.job
    where name = any(${among}::text[]) and state < 'active' and start_after <= now() and not blocked`.execute(db)
  return rows.map((row) => row.name)
}

export async function wasSentSince(db: Kysely<Database>, name: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pgboss.job where name = ${name} and created_on >= ${since} limit 1`.execute(db)
  return rows.length > 0
}

/** The job that waits under this key. The lock keeps it waiting until the transaction ends, so it will see what that wrote. */
export async function waitingUnder(
  tx: Transaction<Database>,
  name: string,
  key: string,
): Promise<{ id: string; task: number | null } | undefined> {
  const { rows } = await sql<{ id: string; task: number | null }>`
    select id, (data->>'task')::int as task from pgboss.job
    where name = ${name} and singleton_key = ${key} and state = 'created' for update`.execute(tx)
  return rows[0]
}

/** Two processes that take at one moment would both find a key's other job not running yet. */
export async function oneTakerAtATime(tx: Transaction<Database>, name: string) {
  await sql`select pg_advisory_xact_lock(hashtext(${`take ${name}`}))`.execute(tx)
}

const names = (list: { name: string }[]) => list.map((one) => one.name)
