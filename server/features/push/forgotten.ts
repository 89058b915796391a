import { type Kysely, sql, type Transaction } from 'kysely'
import type { IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { LONG_LISTS } from '../../clickhouse/long-lists.ts'
import { anyTextSql, forgottenValueSql } from '../../identifiers/forgotten-values.ts'
import type { RemovedValue } from '../../identifiers/removed-values.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { lockChild } from '../audience/child.ts'
import type { PushDeps } from './deps.ts'
import type { PushQueue } from './queue.ts'
import { json } from './records.ts'

/** An audience that holds, or may hold, values of forgotten people. */
export interface AudienceHolding {
  child_id: number
  account_id: number
  values: RemovedValue[]
}

/** Takes forgotten people out of what pushes keep, and removes them from the audiences on the platforms. */
export function pushForgetting({ db, engine, personKey, jobs }: PushDeps, queue: PushQueue) {
  const textSql = anyTextSql(personKey)
  const isTheirs = (forgotten: Forgotten) => forgottenValueSql(forgotten, personKey)

  const childrenOf = (adv_id: number) =>
    db
      .selectFrom('audience')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .select(['audience.id', 'audience.account_id', 'audience.void_plan', 'audience.deleted_at'])
      .where('platform_account.adv_id', '=', adv_id)
      .orderBy('audience.id')
      .execute()
  const among = (children: readonly { id: number }[]) =>
    `child_id IN (${children.map(({ id }) => Number(id)).join(', ')})`

  /** The audiences from which values must be removed: all to which one went or may go, unless it was removed since. */
  async function holdings(adv_id: number, forgotten: Forgotten): Promise<AudienceHolding[]> {
    const condition = isTheirs(forgotten)
    const children = (await childrenOf(adv_id)).filter(({ deleted_at }) => deleted_at === null)
    if (condition === null || children.length === 0) return []
    const rows = await engine.acrossShards.query<{
      child_id: number
      type: IdentifierType
      text: string
      last_op: number
      last_plan: number
      last_part: number
    }>(
      `SELECT child_id, toString(id_type) AS type, ${textSql} AS text, argMax(op, plan_id) AS last_op, max(plan_id) AS last_plan,
         argMax(part, plan_id) AS last_part
       FROM push_value WHERE ${among(children)} AND ${condition} GROUP BY child_id, id_type, value`,
      {},
      { settings: LONG_LISTS },
    )
    const byChild = Map.groupBy(rows, (row) => row.child_id)
    const found: AudienceHolding[] = []
    for (const { id, account_id, void_plan } of children) {
      const removed = await removedParts(id)
      const values = (byChild.get(id) ?? []).filter(
        ({ last_op, last_plan, last_part }) =>
          last_plan > void_plan && !(last_op === -1 && removed.has(`${last_plan} ${last_part}`)),
      )
      if (values.length === 0) continue
      found.push({ child_id: id, account_id, values: values.map(({ type, text }) => ({ type, text })) })
    }
    return found
  }

  /** Parts of removals that the platform has taken. */
  async function removedParts(child_id: number): Promise<ReadonlySet<string>> {
    const parts = await db
      .selectFrom('push_part')
      .innerJoin('push', 'push.id', 'push_part.push_id')
      .select(['push.plan_id', 'push_part.no'])
      .where('push.child_id', '=', child_id)
      .where('push_part.op', '=', 'remove')
      .where('push_part.status', '=', 'done')
      .execute()
    return new Set(parts.map(({ plan_id, no }) => `${plan_id} ${no}`))
  }

  async function count(adv_id: number, forgotten: Forgotten): Promise<number> {
    const condition = isTheirs(forgotten)
    const children = await childrenOf(adv_id)
    if (condition === null || children.length === 0) return 0
    let found = 0
    for (const table of ['push_value', 'push_excluded']) {
      const [row] = await engine.acrossShards.query<{ n: number }>(
        `SELECT toFloat64(count()) AS n FROM ${table} WHERE ${among(children)} AND ${condition}`,
      )
      found += row?.n ?? 0
    }
    return found
  }

  /** Deletes the values of forgotten people from plans, and the calls that may quote them. May be repeated. */
  async function erase(adv_id: number, forgotten: Forgotten): Promise<number> {
    const condition = isTheirs(forgotten)
    const children = await childrenOf(adv_id)
    if (condition === null || children.length === 0) return 0
    const parts = await engine.acrossShards.query<{ child_id: number; plan_id: number; part: number; left: number }>(
      `SELECT child_id, plan_id, part, toFloat64(countIf(NOT ${condition})) AS left FROM push_value
       WHERE ${among(children)} GROUP BY child_id, plan_id, part HAVING countIf(${condition}) > 0`,
    )
    for (const { child_id, plan_id, part, left } of parts) {
      const push = await db
        .selectFrom('push')
        .select(['id', 'state'])
        .where('child_id', '=', child_id)
        .where('plan_id', '=', plan_id)
        .executeTakeFirst()
      if (!push) continue
      await shorten(push.id, part, left)
      const { samples: _, ...state } = push.state
      await db
        .updateTable('push')
        .set({ state: json(state) })
        .where('id', '=', push.id)
        .where('status', 'not in', OPEN_PUSH)
        .execute()
    }
    const removed = await count(adv_id, forgotten)
    for (const table of ['push_value', 'push_excluded']) {
      const [row] = await engine.acrossShards.query<{ n: number }>(
        `SELECT count() AS n FROM ${table} WHERE ${among(children)} AND ${condition}`,
      )
      if (!row?.n) continue
      await engine.everyShard.command(
        `ALTER TABLE ${table} DELETE WHERE ${among(children)} AND ${condition} SETTINGS mutations_sync = 2`,
      )
    }
    return removed
  }

  /** A part that was not sent has as many values less; without any it is not sent at all. */
  async function shorten(push_id: number, no: number, left: number): Promise<void> {
    await db
      .updateTable('push_part')
      .set({ samples: json([]) })
      .where('push_id', '=', push_id)
      .where('no', '=', no)
      .execute()
    await db
      .updateTable('push_part')
      .set({ count: left, ...(left === 0 ? { status: 'done' as const, is_applied: true, accepted: 0 } : {}) })
      .where('push_id', '=', push_id)
      .where('no', '=', no)
      .where('status', '=', 'waiting')
      .where('attempts', '=', 0)
      .execute()
  }

  return {
    holdings,
    count,
    erase,

    /** Queues the removal of a forgotten person from an audience; nothing while one is under way. */
    async remove(tx: Transaction<Database>, forget_account_id: number, viewer_id: number | null): Promise<void> {
      const { child_id } = await tx
        .selectFrom('forget_account')
        .select('child_id')
        .where('id', '=', forget_account_id)
        .executeTakeFirstOrThrow()
      const child = await lockChild(tx, child_id)
      if (!child || child.deleted_at !== null) {
        await settle(tx, forget_account_id, 'gone')
        return
      }
      const open = await tx
        .selectFrom('push')
        .select('id')
        .where('forget_account_id', '=', forget_account_id)
        .where('status', 'in', OPEN_PUSH)
        .executeTakeFirst()
      if (open) return
      const { id } = await tx
        .insertInto('push')
        .values({
          child_id,
          version: child.pushed_version ?? 0,
          status: 'waiting',
          step: 'plan',
          viewer_id,
          forget_account_id,
          state: json({}),
          created_at: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('forget_account')
        .set({ status: 'sending', tried_at: now() })
        .where('id', '=', forget_account_id)
        .execute()
      await queue.sendRun(tx, { id, viewer_id }, child)
      // A push that only waits to be published ends, so that this one can run.
      const before = await tx
        .selectFrom('push')
        .select('task_id')
        .where('child_id', '=', child_id)
        .where('status', '=', 'paused')
        .where('step', '=', 'publish')
        .where('id', '!=', id)
        .executeTakeFirst()
      if (before?.task_id) await jobs.startNow(tx, before.task_id)
    },
  }
}

/** The audience is removed, and everybody with it. */
export const childGone = (tx: Kysely<Database>, child_id: number) =>
  tx
    .updateTable('forget_account')
    .set({ status: 'gone', sealed: null, finished_at: now() })
    .where('child_id', '=', child_id)
    .where('status', 'not in', ['accepted', 'gone', 'expired'])
    .execute()

/** Ends the removal from an audience; its values are no longer needed. */
export const settle = (tx: Kysely<Database>, id: number, status: 'accepted' | 'gone') =>
  tx
    .updateTable('forget_account')
    .set({ status, sealed: null, finished_at: now() })
    .where('id', '=', id)
    .where('status', 'not in', ['accepted', 'gone'])
    .execute()

/** Whether people are being forgotten who may still be in what a plan reads, and how many were until now. */
export async function forgettingOf(
  db: Kysely<Database>,
  adv_id: number,
): Promise<{ isRunning: boolean; tombstones: number }> {
  const { rows } = await sql<{ running: boolean; tombstones: number }>`
    select exists (select 1 from forget where adv_id = ${adv_id} and status in ('running', 'failed')) as running,
      (select count(*)::int from tombstone where adv_id = ${adv_id}) as tombstones`.execute(db)
  return { isRunning: rows[0]?.running ?? false, tombstones: rows[0]?.tombstones ?? 0 }
}

export const waitsForForgetting = outcome('push_waits_for_forgetting')
