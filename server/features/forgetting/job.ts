import { type Kysely, sql, type Transaction } from 'kysely'
import { type ForgetStore, REMOVAL_KEPT_SECONDS } from '#contract/forgetting.ts'
import { outcome } from '#contract/outcome.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { removedValues, sealedValues } from '../../identifiers/removed-values.ts'
import { type Forgotten, forgottenOf } from '../../identifiers/tombstones.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import type { Database } from '../../postgres/schema.ts'
import type { ForgetState } from '../../postgres/schema-forget.ts'
import { transaction } from '../../postgres/transaction.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import { now } from '../../time/clock.ts'
import type { ForgetDeps } from './deps.ts'
import { downloadFiles } from './files.ts'
import { gather, openPerson, type SealedPerson, sealPerson } from './gather.ts'
import { removeFromSets, setsHolding } from './members.ts'
import { countRows, eraseRows, placesOf } from './rows.ts'
import { forgottenInSuppression } from './suppressed.ts'
import { countTexts, eraseTexts } from './texts.ts'
import { trackedMessages } from './tracked.ts'
import { uploadedValues } from './uploaded.ts'

const RUN = 'forget.run'
const TIDY = 'forget.tidy'
/**
 * Seconds after which the stores are searched again: what began before and ended after the removal may have brought
 * something back. The longest build of tags takes 12 hours.
 */
const LOOK_AFTER = [15 * 60, 13 * 3600] as const
/** Seconds after which a removal that a platform refused is sent again. */
const REMOVE_AGAIN_AFTER = 6 * 3600

export interface ForgetJob {
  id: number
}
type Job = RunningJob<ForgetJob>
type Row = Awaited<ReturnType<typeof findForget>>

const findForget = (db: Kysely<Database>, id: number) =>
  db.selectFrom('forget').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Sends the job of a request. */
export async function sendForget(
  { jobs }: Pick<ForgetDeps, 'jobs'>,
  tx: Transaction<Database>,
  forget: { id: number; adv_id: number; viewer_id: number | null },
  { isQuiet = false } = {},
): Promise<void> {
  const { id, adv_id, viewer_id } = forget
  const { task_id } = await jobs.send(
    tx,
    RUN,
    { id },
    {
      group: `advertiser:${adv_id}`,
      ...(isQuiet
        ? {}
        : { task: { title: '删除用户', adv_id, viewer_id, link: `/basic-manage/index/suppression?forgotten=${id}` } }),
    },
  )
  if (task_id !== null) await tx.updateTable('forget').set({ task_id }).where('id', '=', id).execute()
}

/** Removes forgotten people from every store, and has the platforms remove them. Every step may be repeated. */
export function forgetJobs(deps: ForgetDeps) {
  const { db, load, jobs, tokens, pushed, pace } = deps
  const uploaded = uploadedValues(deps)
  const files = downloadFiles(deps)
  const suppressed = forgottenInSuppression(deps)
  const tracked = trackedMessages(deps)

  jobs.handle<ForgetJob>(
    RUN,
    {
      concurrency: 2,
      retries: (error) => (isDiskFull(error) ? 0 : 3),
      retryDelaySeconds: 2,
      outcomeOf: (error) => outcome(isDiskFull(error) ? 'forget_disk_full' : 'forget_unexpected'),
      async failed(tx, { data }, why) {
        await tx
          .updateTable('forget')
          .set({ status: 'failed', error: why })
          .where('id', '=', data.id)
          .where('status', '!=', 'done')
          .execute()
      },
      async retried(tx, { data }) {
        await tx
          .updateTable('forget')
          .set({ status: 'waiting', error: null })
          .where('id', '=', data.id)
          .where('status', '=', 'failed')
          .execute()
        return undefined
      },
    },
    async (job) => {
      const { adv_id } = await findForget(db, job.data.id)
      await deps.whileImportsRest(job, adv_id, () => run(job))
    },
  )
  jobs.handle(TIDY, { concurrency: 1 }, () => tidy())
  jobs.schedule(TIDY, '*/5 * * * *', 'UTC')

  async function run(job: Job): Promise<void> {
    const before = await findForget(db, job.data.id)
    // What comes to light later is removed as at first; viewers are not told again.
    const isLook = before.status === 'done'
    if (!isLook) {
      await job.step(async (tx) => {
        // Plans of pushes look at this before and after they read whom to send.
        await tx.updateTable('forget').set({ status: 'running', error: null }).where('id', '=', before.id).execute()
      })
    }
    job.task.progress(0.02, '查找数据')
    const found = before.state.uids === undefined ? await begin(job, before) : known(before)
    const { person } = found
    const of = { adv_id: before.adv_id, uids: found.uids, one_ids: person.one_ids }
    const forgotten = await forgottenOf(load.acrossShards, tokens, of.adv_id, before.token)
    const done = (share: number, stage: string) => {
      job.signal.throwIfAborted()
      job.task.progress(share, stage)
    }

    done(0.05, '移除上报的消息')
    await fromMessages(job, before, forgotten, person, isLook)

    for (const store of ['events', 'identifiers', 'people'] as const) {
      done(0.1, '移除身份、属性与事件')
      let removed = 0
      for (const place of placesOf(of)) if (place.store === store) removed += await eraseRows(load, place)
      await gone(job, before.id, store, removed, isLook)
    }

    done(0.4, '移出标签与人群')
    await fromSets(job, of, isLook)
    deps.evaluator.forget()
    await gone(job, before.id, 'memory', 0, isLook)

    done(0.55, '移出上传的人群')
    await fromUploaded(job, of.adv_id, forgotten, isLook)

    done(0.65, '移出推送记录')
    // Read before the values are deleted, and stored encrypted until the platform has taken the removal.
    await keepHoldings(job, before, await pushed.holdings(of.adv_id, forgotten))
    await gone(job, before.id, 'pushed', await pushed.erase(of.adv_id, forgotten), isLook)

    done(0.75, '移出屏蔽名单')
    await gone(job, before.id, 'suppression', await suppressed.erase(of.adv_id, forgotten), isLook)

    done(0.8, '改写可下载的文件')
    const erased = await files.erase(of.adv_id, person)
    await gone(job, before.id, 'refused', erased.refused, isLook)
    await gone(job, before.id, 'malformed', erased.malformed, isLook)

    done(0.85, '更新标签与人群')
    if (!isLook) await deps.onRowsGone({ adv_id: of.adv_id, attributes: found.attributes, began: now() }, job)

    done(0.95, '移除任务与审计中的文字')
    await gone(job, before.id, 'texts', await eraseTexts(db, { adv_id: of.adv_id, person }), isLook)
    const ids = [before.token, ...person.one_ids.map((one_id) => tokens.of(of.adv_id, 'one_id', one_id))]
    await load.oneNode.insert(
      'forgotten',
      [...new Set(ids)].map((token) => ({ adv_id: of.adv_id, token, at: now() })),
    )
    await job.finish((tx) => end(tx, before, isLook))
  }

  /** Who it is, of a run that continues where another one stopped, or looks again. */
  function known(row: Row): { uids: number[]; attributes: string[]; person: SealedPerson } {
    const person = row.sealed === null ? { one_ids: [], texts: [] } : openPerson(deps, row.sealed)
    return { uids: row.state.uids ?? [], attributes: row.state.attributes ?? [], person }
  }

  /** Stores who it is, with everything that is found, before the first row goes. */
  async function begin(job: Job, row: Row) {
    const { tombstones, uids, attributes, ...person } = await gather(deps, row)
    const of = { adv_id: row.adv_id, uids, one_ids: person.one_ids }
    const forgotten = await forgottenOf(load.acrossShards, tokens, row.adv_id, row.token)
    const found = new Map<ForgetStore, number>()
    const add = (store: ForgetStore, n: number) => found.set(store, (found.get(store) ?? 0) + n)
    for (const place of placesOf(of)) add(place.store, await countRows(load, place))
    const sets = await setsHolding(load.everyShard, of)
    for (const kind of ['tag', 'crowd'] as const) add(`${kind}s`, sets.filter((set) => set.kind === kind).length)
    for (const { values } of await uploaded.find(row.adv_id, forgotten)) add('uploaded', values)
    add('pushed', await pushed.count(row.adv_id, forgotten))
    add('suppression', await suppressed.count(row.adv_id, forgotten))
    add('messages', await tracked.count(row.adv_id, forgotten, person))
    const inFiles = await files.count(row.adv_id, person)
    add('refused', inFiles.refused)
    add('malformed', inFiles.malformed)
    add('texts', await countTexts(db, { adv_id: row.adv_id, person }))
    const uploads = await db.selectFrom('upload').select('id').orderBy('id').execute()
    // Before anything goes: a backup put back later must know of it.
    await deps.marked.add(tombstones)
    await job.step(async (tx) => {
      await lockCrowds(tx, row.adv_id)
      if (tombstones.length > 0) {
        await tx
          .insertInto('tombstone')
          .values(tombstones)
          .onConflict((oc) => oc.doNothing())
          .execute()
      }
      // Numbers are never given again.
      await tx
        .updateTable('advertiser')
        .set((eb) => ({ last_uid: eb.fn<number>('greatest', ['last_uid', eb.val(Math.max(0, ...uids))]) }))
        .where('id', '=', row.adv_id)
        .execute()
      const state: ForgetState = { uids, attributes, uploads: uploads.map(({ id }) => id) }
      await tx
        .updateTable('forget')
        .set({ sealed: sealPerson(deps, person), state: JSON.stringify(state), person: row.person ?? uids[0] ?? null })
        .where('id', '=', row.id)
        .execute()
      for (const store of STORES) {
        const row_ = { forget_id: row.id, store, found: found.get(store) ?? 0, status: 'waiting' as const, at: null }
        await tx
          .insertInto('forget_receipt')
          .values(row_)
          // A restored store may bring back what was removed before: both were found.
          .onConflict((oc) =>
            oc.columns(['forget_id', 'store']).doUpdateSet((eb) => ({
              found: eb('forget_receipt.found', '+', eb.ref('excluded.found')),
              status: 'waiting',
              at: null,
            })),
          )
          .execute()
      }
    })
    return { uids, attributes, person }
  }

  /** Marks a store as searched. `removed`: now; what came in after it was counted counts too. */
  async function gone(job: Job, forget_id: number, store: ForgetStore, removed: number, isLook: boolean) {
    await job.step((tx) => searched(tx, forget_id, store, removed, isLook))
  }

  const searched = (tx: Kysely<Database>, forget_id: number, store: ForgetStore, removed: number, isLook: boolean) =>
    tx
      .updateTable('forget_receipt')
      .set((eb) => ({
        found: isLook ? eb('found', '+', removed) : eb.fn<number>('greatest', ['found', eb.val(removed)]),
        status: 'done',
        at: isLook && removed === 0 ? eb.ref('at') : now(),
      }))
      .where('forget_id', '=', forget_id)
      .where('store', '=', store)
      .execute()

  /** While the links of the person are there, which say whose messages those of a shared device are. */
  async function fromMessages(job: Job, row: Row, forgotten: Forgotten, person: SealedPerson, isLook: boolean) {
    const messages = await tracked.eraseMessages(row.adv_id, forgotten, person)
    await job.step(async (tx) => {
      const removed = messages + (await tracked.eraseRefusals(tx, row.adv_id, person))
      const before = await tx
        .selectFrom('forget_receipt')
        .select(['found', 'status'])
        .where('forget_id', '=', row.id)
        .where('store', '=', 'messages')
        .executeTakeFirst()
      await searched(tx, row.id, 'messages', removed, isLook)
      const isFirst = before?.status === 'waiting' && row.replays === 0
      // Of a run that was killed in between, what it removed is known from the receipt.
      await tracked.note(tx, row.adv_id, isFirst ? Math.max(removed, Number(before.found)) : removed)
    })
  }

  async function setState(tx: Transaction<Database>, id: number, change: ForgetState) {
    const { state } = await findForget(tx, id)
    await tx
      .updateTable('forget')
      .set({ state: JSON.stringify({ ...state, ...change }) })
      .where('id', '=', id)
      .execute()
  }

  async function fromSets(job: Job, of: { adv_id: number; uids: readonly number[] }, isLook: boolean) {
    const { id } = job.data
    const { state } = await findForget(db, id)
    // Those of a run that was killed after the change are settled too.
    const holding = await setsHolding(load.everyShard, of)
    const names = new Set<string>()
    const sets = [...(state.sets ?? []), ...holding].filter((set) => {
      const name = `${set.kind} ${set.id} ${set.version}`
      return !names.has(name) && names.add(name)
    })
    if (sets.length > 0) {
      await job.step((tx) => setState(tx, id, { sets }))
      await job.step(async (tx) => {
        await removeFromSets(tx, load.everyShard, of, sets)
        await setState(tx, id, { sets: [] })
        await deps.onSetsChanged(tx, of.adv_id)
      })
    }
    const counted = (kind: 'tag' | 'crowd') => holding.filter((set) => set.kind === kind).length
    await gone(job, id, 'tags', counted('tag'), isLook)
    await gone(job, id, 'crowds', counted('crowd'), isLook)
  }

  async function fromUploaded(job: Job, adv_id: number, forgotten: Forgotten, isLook: boolean) {
    const { id } = job.data
    const { state } = await findForget(db, id)
    const holding = await uploaded.find(adv_id, forgotten)
    const earlier = state.uploaded ?? []
    // After a kill the values may be gone: how many there were is known.
    const crowds = [...earlier, ...holding.filter((one) => !earlier.some((known) => known.id === one.id))]
    if (crowds.length > 0) {
      await job.step((tx) => setState(tx, id, { uploaded: crowds }))
      await uploaded.erase(adv_id, forgotten)
      await job.step(async (tx) => {
        await uploaded.settle(tx, adv_id, crowds)
        await setState(tx, id, { uploaded: [] })
      })
    }
    await gone(
      job,
      id,
      'uploaded',
      holding.reduce((sum, { values }) => sum + values, 0),
      isLook,
    )
  }

  /** Stores what platforms must remove, for each audience once. */
  async function keepHoldings(job: Job, row: Row, holdings: Awaited<ReturnType<typeof pushed.holdings>>) {
    if (holdings.length === 0) return
    await job.step(async (tx) => {
      for (const { child_id, account_id, values } of holdings) {
        const seal = (list: typeof values) => ({ sealed: sealedValues(deps.secrets, list), count: list.length })
        const earlier = await tx
          .selectFrom('forget_account')
          .select('id')
          .where('forget_id', '=', row.id)
          .where('child_id', '=', child_id)
          .where('status', '=', 'waiting')
          .executeTakeFirst()
        if (earlier) {
          // Of a run that was killed before the values were deleted, or after a part of them was.
          const kept = (await removedValues(tx, deps.secrets, earlier.id)) ?? []
          const all = new Map([...kept, ...values].map((value) => [`${value.type} ${value.text}`, value]))
          await tx
            .updateTable('forget_account')
            .set(seal([...all.values()]))
            .where('id', '=', earlier.id)
            .execute()
          continue
        }
        await tx
          .insertInto('forget_account')
          .values({ forget_id: row.id, child_id, account_id, ...seal(values), status: 'waiting', asked_at: now() })
          .execute()
      }
    })
  }

  async function end(tx: Transaction<Database>, row: Row, isLook: boolean): Promise<void> {
    const waiting = await tx
      .selectFrom('forget_account')
      .select('id')
      .where('forget_id', '=', row.id)
      .where('status', '=', 'waiting')
      .orderBy('id')
      .execute()
    for (const { id } of waiting) await pushed.remove(tx, id, row.viewer_id)
    const looks_left = isLook ? Math.max(0, row.looks_left - 1) : LOOK_AFTER.length
    const after = LOOK_AFTER[LOOK_AFTER.length - looks_left]
    await tx
      .updateTable('forget')
      .set({
        status: 'done',
        error: null,
        looks_left,
        look_at: after === undefined ? null : now() + Math.ceil(after * pace),
        ...(isLook ? {} : { finished_at: now() }),
      })
      .where('id', '=', row.id)
      .execute()
    await settleUploads(tx)
    await eraseSealed(tx)
  }

  /** What platforms must still remove is kept; who it was is not needed once they have. */
  async function eraseSealed(tx: Kysely<Database>): Promise<void> {
    await sql`update forget set sealed = null where status = 'done' and sealed is not null
      and (looks_left = 0 or asked_at < ${now() - REMOVAL_KEPT_SECONDS})
      and not exists (select 1 from forget_account where forget_id = forget.id and sealed is not null)`.execute(tx)
  }

  /** Uploads that were there when a person was forgotten may hold them until they are read, or are too old. */
  async function settleUploads(tx: Kysely<Database>): Promise<void> {
    await sql`update forget_receipt set status = 'done', at = ${now()} from forget
      where forget.id = forget_receipt.forget_id and forget.status = 'done' and forget_receipt.store = 'uploads'
        and forget_receipt.status = 'waiting'
        and not exists (select 1 from upload where upload.id in (
          select jsonb_array_elements_text(forget.state->'uploads')))`.execute(tx)
  }

  /** Looks again, sends again what failed, and erases what was kept too long. */
  async function tidy(): Promise<void> {
    const at = now()
    const due = await db
      .selectFrom('forget')
      .selectAll()
      .where('status', '=', 'done')
      .where('looks_left', '>', 0)
      // A clock that was set back makes no wait longer.
      .where((eb) => eb.or([eb('look_at', '<=', at), eb('asked_at', '>', at)]))
      .orderBy('id')
      .execute()
    for (const row of due) await transaction(db, (tx) => sendForget(deps, tx, row, { isQuiet: true }))
    const failed = await db
      .selectFrom('forget')
      .select('task_id')
      .where('status', '=', 'failed')
      .orderBy('id')
      .execute()
    for (const { task_id } of failed) if (task_id !== null) await transaction(db, (tx) => jobs.retry(tx, task_id))
    await db
      .updateTable('forget_account')
      .set({ status: 'expired', sealed: null, finished_at: at })
      .where('asked_at', '<', at - REMOVAL_KEPT_SECONDS)
      .where('sealed', 'is not', null)
      .execute()
    const refused = await db
      .selectFrom('forget_account')
      .select('id')
      .where('sealed', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('status', '=', 'waiting'),
          eb.and([
            eb('status', '=', 'failed'),
            eb.or([eb('tried_at', '<', at - REMOVE_AGAIN_AFTER * pace), eb('tried_at', '>', at)]),
          ]),
        ]),
      )
      .orderBy('id')
      .execute()
    for (const { id } of refused) await transaction(db, (tx) => pushed.remove(tx, id, null))
    await settleUploads(db)
    await eraseSealed(db)
  }

  return { tidy }
}

const STORES: readonly ForgetStore[] = [
  ...(['people', 'identifiers', 'events', 'tags', 'crowds', 'uploaded', 'pushed', 'suppression'] as const),
  ...(['messages', 'refused', 'malformed', 'texts', 'memory', 'uploads'] as const),
]
