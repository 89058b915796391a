import { sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { keysOf } from '#contract/common.ts'
import { FORGET_STORES, type forgetPerson, type listForgettings, type RemovalStatus } from '#contract/forgetting.ts'
import { outcome, sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { AudienceCode } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { peopleWith } from '../../identifiers/person-ids.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import { keepInWarehouse, sealPerson } from './gather.ts'
import { forgetJobs, sendForget } from './job.ts'
import { keepTombstones } from './stores.ts'

/** Forgets people: asked for by viewers, done by jobs, shown with a receipt for each store and each audience. */
export function forgettingService(deps: ForgetDeps) {
  const { db, load, tokens } = deps
  const running = forgetJobs(deps)
  const engine = load.acrossShards

  /** Phones identify people: whoever may not see them may not decide that a person is who they think. */
  function mustBeAllowed(viewer: Viewer, adv_id: number) {
    viewer.mustBeMember(adv_id)
    if (viewer.framed || !(viewer.see_phones || viewer.is_admin)) throw new AppError('forgetNotAllowed')
  }

  async function personOf(
    adv_id: number,
    { oneID, person }: { oneID?: string | undefined; person?: number | undefined },
  ) {
    if (oneID !== undefined) {
      const [found] = await peopleWith(engine, adv_id, [oneID])
      return found && (person === undefined || person === found.uid) ? found : null
    }
    if (person === undefined) return null
    const [found] = await engine.query<{ uid: number; one_id: string }>(
      'SELECT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND uid = {person:UInt32} LIMIT 1',
      { adv_id, person },
    )
    return found ?? null
  }

  const knownBy = (tx: Transaction<Database> | typeof db, adv_id: number, token: string) =>
    tx.selectFrom('forget').selectAll().where('adv_id', '=', adv_id).where('token', '=', token).executeTakeFirst()

  const rows = () =>
    db
      .selectFrom('forget')
      .innerJoin('advertiser', 'advertiser.id', 'forget.adv_id')
      .leftJoin('viewer', 'viewer.id', 'forget.viewer_id')
      .selectAll('forget')
      .select(['advertiser.name as adv_name', 'viewer.realname as asked_by'])
      .select((eb) => [
        eb
          .selectFrom('forget_account')
          .select((of) => of.fn.countAll<number>().as('n'))
          .whereRef('forget_account.forget_id', '=', 'forget.id')
          .as('accounts'),
      ])
  type Found = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

  const shown = (row: Found, platforms: readonly { status: RemovalStatus }[]) => ({
    id: row.id,
    adv_id: row.adv_id,
    adv_name: row.adv_name,
    person: row.person,
    status: row.status,
    error: sentenceOrNull(row.error),
    error_outcome: row.error,
    asked_by: row.asked_by ?? '系统（恢复备份后补做）',
    asked_at: row.asked_at,
    finished_at: row.finished_at,
    replays: row.replays,
    accounts: platforms.length,
    accepted: platforms.filter(({ status }) => status === 'accepted' || status === 'gone').length,
  })

  /** The audiences of requests, with what their pushes say. */
  async function platformsOf(ids: readonly number[]) {
    const found = await db
      .selectFrom('forget_account')
      .innerJoin('audience', 'audience.id', 'forget_account.child_id')
      .innerJoin('platform_account', 'platform_account.id', 'forget_account.account_id')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('push')
            .leftJoin('task', 'task.id', 'push.task_id')
            .select(['push.status', 'push.step', 'push.reason', 'push.attempts', 'push.id', 'task.stage_outcome'])
            .whereRef('push.forget_account_id', '=', 'forget_account.id')
            .orderBy('push.id', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .selectAll('forget_account')
      .select([
        'platform_account.name as account_name',
        'platform_account.external_id',
        'audience.cnt_type',
        'audience.name as crowd_name',
        'last.status as push_status',
        'last.step as push_step',
        'last.attempts as push_attempts',
        'last.reason as push_reason',
        'last.stage_outcome',
      ])
      .select(
        sql<boolean>`exists (select 1 from push_part where push_part.push_id = "last".id)
          and not exists (select 1 from push_part where push_part.push_id = "last".id
            and not (push_part.status = 'done' and push_part.is_applied))`.as('is_taken'),
      )
      .where('forget_account.forget_id', 'in', [0, ...ids])
      .orderBy('forget_account.id')
      .execute()
    return found.map((row) => {
      const isOpen = row.status === 'sending'
      // It is taken once the platform has it; some publish it later.
      const status: RemovalStatus =
        !isOpen || row.push_status === null
          ? row.status
          : row.is_taken
            ? 'accepted'
            : row.push_status === 'paused'
              ? 'paused'
              : row.push_attempts && row.push_reason
                ? 'retrying'
                : row.status
      const why: AnyOutcome | null =
        row.status === 'gone' || row.status === 'expired' ? null : (row.push_reason ?? row.stage_outcome ?? null)
      const ended = row.status === 'accepted'
      return {
        id: row.id,
        forget_id: row.forget_id,
        account_id: row.account_id,
        account_name: row.account_name,
        external_id: row.external_id,
        platform: row.cnt_type as AudienceCode,
        crowd_name: row.crowd_name,
        count: row.count,
        status,
        reason: ended ? null : sentenceOrNull(why),
        reason_outcome: ended ? null : why,
        at: row.finished_at,
      }
    })
  }

  return {
    ...running,
    ...keepTombstones(deps),

    /** Has a person forgotten. Asked twice, also at once, it is done once and has one receipt. */
    async forget(viewer: Viewer, { confirm, ...whom }: z.output<typeof forgetPerson.body>) {
      const adv_id = whom.adv_id ?? viewer.adv_ids[0]
      if (adv_id === undefined) throw new AppError('notFound', { what: '广告主' })
      mustBeAllowed(viewer, adv_id)
      const person = await personOf(adv_id, whom)
      const one_id = person?.one_id ?? whom.oneID
      if (one_id === undefined) throw new AppError('notFound', { what: '用户' })
      const token = tokens.of(adv_id, 'one_id', one_id)
      const before = await knownBy(db, adv_id, token)
      if (!person && !before) throw new AppError('notFound', { what: '用户' })
      const written = viewer.see_phones ? one_id : maskPhones(one_id)
      if (confirm !== one_id && confirm !== written) {
        throw new AppError('badInput', { reason: outcome('forget_not_confirmed') })
      }
      // The person is gone, or is about to be.
      if (before && (!person || before.status !== 'done')) return { id: before.id }
      const tombstone = { adv_id, token, what: 'one_id' as const, owner: token, key: tokens.keyName, at: now() }
      const id = await transaction(db, async (tx) => {
        await tx
          .insertInto('tombstone')
          .values(tombstone)
          .onConflict((oc) => oc.doNothing())
          .execute()
        const row = {
          viewer_id: viewer.id,
          status: 'waiting' as const,
          person: person?.uid ?? null,
          sealed: sealPerson(deps, { one_ids: [one_id], texts: [] }),
          state: JSON.stringify({}),
          asked_at: now(),
          finished_at: null,
        }
        const made = await tx
          .insertInto('forget')
          .values({ adv_id, token, ...row })
          // Back in spite of it, as from a restored store: removed again, with the same receipt.
          .onConflict((oc) => oc.columns(['adv_id', 'token']).doUpdateSet(row).where('forget.status', '=', 'done'))
          .returning('id')
          .executeTakeFirst()
        // Of two calls at once the other one has begun it.
        if (!made) return (await knownBy(tx, adv_id, token))?.id ?? 0
        await audit(tx, viewer, 'person.forget', { adv_id, forget_id: made.id, person: person?.uid ?? null })
        await sendForget(deps, tx, { id: made.id, adv_id, viewer_id: viewer.id })
        return made.id
      })
      // From now on imports refuse the person; after a kill the job does it.
      await keepInWarehouse(deps, [tombstone])
      return { id }
    },

    async list(viewer: Viewer, { adv_id, oneID, page, page_size }: z.output<typeof listForgettings.query>) {
      viewer.mustBeMember(adv_id)
      // Found or not would tell whether somebody had a guessed phone.
      if (oneID !== undefined && !viewer.see_phones && maskPhones(oneID) !== oneID) {
        throw new AppError('phonesHidden', { reason: outcome('phone_as_one_id') })
      }
      const token = oneID === undefined ? undefined : tokens.of(adv_id, 'one_id', oneID)
      const list = await rows()
        .where('forget.adv_id', '=', adv_id)
        .$if(token !== undefined, (query) => query.where('forget.token', '=', token ?? ''))
        .orderBy('forget.asked_at', 'desc')
        .orderBy('forget.id', 'desc')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      const { total } = await db
        .selectFrom('forget')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('adv_id', '=', adv_id)
        .$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))
        .executeTakeFirstOrThrow()
      const platforms = Map.groupBy(await platformsOf(list.map(({ id }) => id)), ({ forget_id }) => forget_id)
      return { list: list.map((row) => shown(row, platforms.get(row.id) ?? [])), total: Number(total) }
    },

    async get(viewer: Viewer, id: number) {
      const row = await rows().where('forget.id', '=', id).executeTakeFirst()
      if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '删除记录' })
      const stores = await db.selectFrom('forget_receipt').selectAll().where('forget_id', '=', id).execute()
      const byStore = new Map(stores.map((one) => [one.store, one]))
      const platforms = await platformsOf([id])
      return {
        ...shown(row, platforms),
        stores: STORES.map((store) => {
          const found = byStore.get(store)
          return { store, found: Number(found?.found ?? 0), status: found?.status ?? 'waiting', at: found?.at ?? null }
        }),
        platforms: platforms.map(({ forget_id: _, ...one }) => one),
      }
    },
  }
}
export type ForgettingService = ReturnType<typeof forgettingService>

const STORES = keysOf(FORGET_STORES)
