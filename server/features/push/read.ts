import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { listPushes, PushRow } from '#contract/push.ts'
import { nextAttemptOf, pushStateOf } from '#contract/push-state.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Database } from '../../postgres/schema.ts'
import { waitsForSql } from '../audience/children.ts'
import { mustFindSource } from './source.ts'

/** Pushes as screens show them. */
export function pushReading(db: Kysely<Database>) {
  const rows = () =>
    db
      .selectFrom('push')
      .innerJoin('audience', 'audience.id', 'push.child_id')
      .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
      .leftJoin('task', 'task.id', 'push.task_id')
      .selectAll('push')
      .select([
        'audience.account_id',
        'audience.cnt_type',
        'platform_account.name as account_name',
        'platform_account.external_id',
        'platform_account.remark as account_remark',
        'audience.keeps_step',
        'audience.accepted as accepted_there',
        'platform_account.adv_id',
        'task.progress',
        'task.stage',
        waitsForSql.as('waits_for'),
        // The push that the funnel shows: the platform's present answers are about this one.
        sql<boolean>`push.id = (select max(planned.id) from push planned
          where planned.child_id = audience.id and planned.step <> 'plan' and planned.forget_account_id is null)`.as(
          'is_last',
        ),
      ])
  type Found = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

  const shown = (row: Found): PushRow => ({
    id: row.id,
    child_id: row.child_id,
    account_id: row.account_id,
    account_name: row.account_name,
    external_id: row.external_id,
    account_remark: row.account_remark,
    keeps_step: row.keeps_step,
    cnt_type: row.cnt_type,
    status: row.status,
    ...stateOf(row),
    stage: OPEN_PUSH.some((open) => open === row.status) ? (row.stage ?? '') : '',
    progress: row.status === 'done' ? 1 : (row.progress ?? 0),
    reason: sentenceOrNull(row.waits_for),
    reason_outcome: row.waits_for,
    adds: row.adds,
    removes: row.removes,
    total: row.total,
    suppressed: row.suppressed,
    no_consent: row.no_consent,
    held_out: row.held_out,
    not_sendable: row.not_sendable,
    ...sentOf(row),
    accepted: row.is_last ? row.accepted_there : row.accepted,
    created_at: row.created_at,
    finished_at: row.finished_at,
  })

  type Asked = Pick<z.output<typeof listPushes.query>, 'kind' | 'id' | 'child_id'>
  const of = ({ kind, id, child_id }: Asked) =>
    rows()
      .where(kind === 'custom' ? 'audience.custom_id' : 'audience.people_id', '=', id)
      .$if(child_id !== undefined, (query) => query.where('audience.id', '=', child_id ?? 0))

  return {
    async list(viewer: Viewer, { page, page_size, ...asked }: z.output<typeof listPushes.query>) {
      await mustFindSource(db, viewer, asked.kind, asked.id)
      const [list, count] = await Promise.all([
        of(asked)
          .orderBy('push.id', 'desc')
          .limit(page_size)
          .offset((page - 1) * page_size)
          .execute(),
        of(asked)
          .clearSelect()
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      ])
      return { list: list.map(shown), total: Number(count.n) }
    },

    async get(viewer: Viewer, id: number) {
      const row = await rows().where('push.id', '=', id).executeTakeFirst()
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '推送记录' })
      const parts = await db.selectFrom('push_part').selectAll().where('push_id', '=', id).orderBy('no').execute()
      return {
        push: shown(row),
        calls: row.state.samples ?? [],
        parts: parts.map(({ no, op, type, count, status, accepted, reason, attempts, samples }) => ({
          no,
          op,
          type,
          count,
          status,
          accepted,
          reason: sentenceOrNull(reason),
          reason_outcome: reason,
          attempts,
          samples,
        })),
      }
    },
  }
}

const stateOf = ({ status, waits_for }: Pick<PushRow, 'status'> & { waits_for: AnyOutcome | null }) => ({
  state: pushStateOf({ status, reason: waits_for }),
  next_at: nextAttemptOf({ status, reason: waits_for }),
})

/** total = sent + suppressed + no_consent + held_out + not_sendable + waiting; values sent by earlier pushes count as sent. */
function sentOf(push: {
  step: string
  status: string
  adds: number
  sent: number
  total: number
  suppressed: number
  no_consent: number
  held_out: number
  not_sendable: number
}): { sent: number; waiting: number } {
  const sendable = push.total - push.suppressed - push.no_consent - push.held_out - push.not_sendable
  if (push.step === 'plan') return { sent: 0, waiting: sendable }
  const waiting = push.status === 'done' ? 0 : Math.min(sendable, Math.max(0, push.adds - push.sent))
  return { sent: sendable - waiting, waiting }
}
