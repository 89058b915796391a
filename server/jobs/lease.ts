import { type Kysely, sql, type Transaction } from 'kysely'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Database } from '../postgres/schema.ts'
import type { Payload } from './kind.ts'

/**
 * A worker's hold on a job. pg-boss counts in `retry_count` how often a job was taken up. Comparing it prevents a worker
 * that was thought dead from changing a job that another has taken up since; pg-boss's own calls compare only the id.
 */
export interface Hold {
  name: string
  id: string
  take: number
}

const UNSEEN_TIMES = 6

/** Checks that the hold is still valid, and locks it until the transaction ends. */
export async function lockIfValid(tx: Transaction<Database>, hold: Hold): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pgboss.job
    where name = ${hold.name} and id = ${hold.id} and state = 'active' and retry_count = ${hold.take}
    for update`.execute(tx)
  return rows.length > 0
}

/** Renews holds; returns the job ids of those that were still valid. */
export async function renew(db: Kysely<Database>, holds: Hold[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update pgboss.job job set heartbeat_on = clock_timestamp()
    from unnest(${names(holds)}::text[], ${holds.map((hold) => hold.id)}::uuid[], ${holds.map((hold) => hold.take)}::int[])
      as held (name, id, take)
    where job.name = held.name and job.id = held.id and job.state = 'active' and job.retry_count = held.take
    returning job.id`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Records which instance holds the job, in the transaction that takes it up. */
export async function recordHolder(tx: Transaction<Database>, hold: Hold, instance: string): Promise<void> {
  await sql`
    update pgboss.job set data = data || jsonb_build_object('instance', ${instance}::text)
    where name = ${hold.name} and id = ${hold.id}`.execute(tx)
}

/**
 * Puts back jobs whose worker has not renewed its hold within the lease, by the database's clock. A renewal in the
 * future was made before that clock was set back: its lease starts again now.
 */
export async function reclaim(db: Kysely<Database>, leases: { name: string; seconds: number }[]): Promise<void> {
  await sql`
    update pgboss.job set heartbeat_on = clock_timestamp()
    where name = any(${names(leases)}::text[]) and state = 'active' and heartbeat_on > clock_timestamp()`.execute(db)
  await sql`
    update pgboss.job job set ${QUEUED_NOW}
    from unnest(${names(leases)}::text[], ${leases.map((lease) => lease.seconds)}::int[]) as lease (name, seconds)
    where job.name = lease.name and job.state = 'active'
      and job.heartbeat_on <= clock_timestamp() - lease.seconds * interval '1 second'`.execute(db)
}

/**
 * Puts back every held job of these kinds. Only for a process that is the store's only user, so that no holder lives.
 */
export async function reclaimAll(db: Kysely<Database>, kinds: string[]): Promise<void> {
  await sql`
    update pgboss.job job set ${QUEUED_NOW} where name = any(${kinds}::text[]) and state = 'active'`.execute(db)
}

/** Puts back the jobs held by these instances, which have ended. */
export async function reclaimFrom(tx: Transaction<Database>, instances: string[]): Promise<void> {
  const { rows } = await sql<{ has_queue: boolean }>`select to_regclass('pgboss.job') is not null as has_queue`.execute(
    tx,
  )
  // At the very first start there is no queue yet.
  if (!rows[0]?.has_queue) return
  await sql`
    update pgboss.job job set ${QUEUED_NOW}
    where state = 'active' and data->>'instance' = any(${instances}::text[])`.execute(tx)
}

/** Puts a held job back into the queue, with its data changed. */
export async function putBack(tx: Transaction<Database>, hold: Hold, delaySeconds: number, data: Payload) {
  await sql`
    update pgboss.job set state = 'retry', start_after = now() + ${delaySeconds} * interval '1 second',
      data = ${JSON.stringify({ ...data, wait: delaySeconds })}::jsonb
    where name = ${hold.name} and id = ${hold.id}`.execute(tx)
}

/**
 * After the clock is set back, waiting jobs would wait that much longer. This shortens each wait to the requested time
 * and keeps earlier jobs ahead of jobs that are sent now.
 */
export async function boundWaits(db: Kysely<Database>, kinds: string[]): Promise<void> {
  await sql`
    update pgboss.job job set start_after = clock_timestamp() + planned.wait
    from (
      select name, id, interval '1 second' * coalesce(
        (data->>'wait')::float8,
        -- Sent or put back by a version that did not write the wait down.
        case state when 'created' then extract(epoch from start_after - created_on) else 0 end
      ) as wait
      from pgboss.job where name = any(${kinds}::text[]) and state < 'active' and start_after > clock_timestamp()
    ) as planned
    where job.name = planned.name and job.id = planned.id and job.state < 'active'
      and job.start_after > clock_timestamp() + planned.wait`.execute(db)
  // pg-boss deletes ended jobs at intervals, counted from the last time it did so.
  await sql`
    update pgboss.queue set monitor_on = null, maintain_on = null
    where greatest(monitor_on, maintain_on) > clock_timestamp()`.execute(db)
  await sql`
    update pgboss.job job set created_on = job.created_on - ahead.most
    from (
      select max(created_on) - clock_timestamp() as most from pgboss.job
      where name = any(${kinds}::text[]) and state < 'active'
    ) as ahead
    where name = any(${kinds}::text[]) and state < 'active' and created_on > clock_timestamp()`.execute(db)
}

/** Starts a waiting job now; false if no job of that id waits. */
export async function startNow(tx: Transaction<Database>, name: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update pgboss.job set start_after = now(), data = data || '{"wait": 0}'
    where name = ${name} and id = ${id} and state < 'active' returning id`.execute(tx)
  return rows.length > 0
}

/** Ends a job that waits or runs; the transactions of its worker are then refused. False if it has ended already. */
export async function cancelJob(tx: Transaction<Database>, name: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${name} and id = ${id} and state <= 'active' returning id`.execute(tx)
  return rows.length > 0
}

export async function endJob(tx: Transaction<Database>, hold: Hold, state: 'completed' | 'failed', output: object) {
  await sql`
    update pgboss.job set state = ${state}::pgboss.job_state, completed_on = now(), output = ${JSON.stringify(output)}::jsonb
    where name = ${hold.name} and id = ${hold.id}`.execute(tx)
}

/** Fails tasks whose job is gone because it waited or ran longer than the queue keeps jobs. */
export async function endOrphans(db: Kysely<Database>, why: AnyOutcome): Promise<void> {
  await sql`
    update task set status = 'failed', error = ${JSON.stringify(why)}::jsonb, finished_at = extract(epoch from now())::bigint
    where status in ('waiting', 'running') and job_id is not null and not exists (
      select 1 from pgboss.job where job.id = task.job_id::uuid and job.state in ('created', 'retry', 'active')
    )`.execute(db)
}

/**
 * Deletes tasks that ended long ago: each computation of a crowd is a task, so they pile up. A failure that nobody has
 * seen is kept six times as long.
 */
export async function deleteOldTasks(db: Kysely<Database>, days: number): Promise<void> {
  await sql`
    delete from task where id in (
      select id from task where finished_at < extract(epoch from now())::bigint - ${days}::int * 86400
        and (
          status <> 'failed' or exists (select 1 from task_seen where task_seen.task_id = task.id)
          or finished_at < extract(epoch from now())::bigint - ${days * UNSEEN_TIMES}::int * 86400
        )
      order by id limit 10000
    )`.execute(db)
}

/** Those of these queues that have a job due now. */
export async function dueQueues(db: Kysely<Database>, among: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from pgboss.job
    where name = any(${among}::text[]) and state < 'active' and start_after <= now() and not blocked`.execute(db)
  return rows.map((row) => row.name)
}

/** The database's time, and when each kind of job was last sent; times in its future are ignored. */
export async function lastSent(
  tx: Transaction<Database>,
  kinds: string[],
): Promise<{ now: Date; sent: Map<string, Date> }> {
  const { rows } = await sql<{ name: string; now: Date; sent: Date | null }>`
    select kind.name, now() as now, max(job.created_on) as sent
    from unnest(${kinds}::text[]) as kind (name)
    left join pgboss.job job on job.name = kind.name and job.created_on <= clock_timestamp()
    group by kind.name`.execute(tx)
  const [first] = rows
  if (!first) throw new Error('lastSent() asks for one kind at least')
  return { now: first.now, sent: new Map(rows.flatMap(({ name, sent }) => (sent ? [[name, sent] as const] : []))) }
}

/**
 * The job that waits under this key. The lock keeps it waiting until the transaction ends, so it sees that
 * transaction's changes.
 */
export async function waitingJobWithKey(
  tx: Transaction<Database>,
  name: string,
  key: string,
): Promise<{ id: string; task: number | null } | undefined> {
  const { rows } = await sql<{ id: string; task: number | null }>`
    select id, (data->>'task')::int as task from pgboss.job
    where name = ${name} and singleton_key = ${key} and state = 'created' for update`.execute(tx)
  return rows[0]
}

/** Without this lock, two processes that take jobs at the same moment could run two jobs of one key. */
export async function oneTakerAtATime(tx: Transaction<Database>, name: string) {
  await sql`select pg_advisory_xact_lock(hashtext(${`take ${name}`}))`.execute(tx)
}

/** Without this lock, two processes that check at the same moment would both send the scheduled jobs. */
export async function oneSchedulerAtATime(tx: Transaction<Database>) {
  await sql`select pg_advisory_xact_lock(hashtext('schedule'))`.execute(tx)
}

const QUEUED_NOW = sql`state = 'retry', start_after = now(), data = job.data || '{"wait": 0}'`

const names = (list: { name: string }[]) => list.map((one) => one.name)
