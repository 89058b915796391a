import { type Kysely, sql, type Transaction } from 'kysely'
import { LATELY_SECONDS } from '#contract/tracking.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { removeRows } from '../../clickhouse/remove-rows.ts'
import type { CountedRows } from '../../ingest/counted-rows.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { forgetOld } from './refusals.ts'

const DRAIN = 'tracking.drain'
const TIDY = 'tracking.tidy'

/** Messages gather for this long before they are counted: the first ones, and those that came while others were counted. */
const GATHER_S = 1
const GATHER_MORE_S = 3
/** A drain is asked for at most this often; less than it waits, so that it finds what came in meanwhile. */
const ASKED_EVERY_MS = 500
/** What is counted together. */
const TAKEN_MESSAGES = 200_000
const TAKEN_BYTES = 64 * 1024 ** 2
/** Imports of messages that failed are sent again this long after. */
const FAILED_AGAIN_S = 60
/** How long the imports of messages stay in the records. */
const IMPORTS_KEPT_S = 30 * 86_400
const BATCHES_AT_ONCE = 5000

interface Deps {
  db: Kysely<Database>
  jobs: Jobs
  load: Handles
  /** Queues the imports that count messages. */
  queueImports(
    tx: Transaction<Database>,
    adv_id: number,
    of: { hasTraits: boolean },
  ): Promise<{ users_import: number | null; events_import: number }>
  /** Sends an import of messages that failed again. */
  sendAgain(tx: Transaction<Database>, row: { id: number; adv_id: number }): Promise<void>
}

interface Batch {
  batch: number
  total: number
  stored: number
  identifies: number
  bytes: number
}

/** Hands acknowledged messages over to imports, whole batches at a time, and removes them a while after they were counted. */
export function trackingDrain({ db, jobs, load, queueImports, sendAgain }: Deps) {
  const askedAt = new Map<number, number>()

  jobs.handle<{ adv_id: number }>(
    DRAIN,
    { concurrency: 4, retries: 5, retryDelaySeconds: 2 },
    async ({ data: { adv_id }, step }) => {
      // What is stored from now on may not be seen by this drain.
      askedAt.delete(adv_id)
      if (await isCounting(adv_id)) return
      const batches = await freshBatches(adv_id)
      if (batches.length === 0) return
      await step((tx) => take(tx, adv_id, batches))
    },
  )
  jobs.handle(TIDY, { concurrency: 1 }, () => tidy())
  jobs.schedule(TIDY, '* * * * *', 'UTC')

  const request = async (tx: Transaction<Database>, adv_id: number, startAfter = GATHER_S): Promise<void> => {
    await jobs.send(tx, DRAIN, { adv_id }, { singletonKey: `track:${adv_id}`, startAfter })
  }

  /** Whether messages are being counted: the end of their imports asks for the next drain. Failed ones are sent again. */
  async function isCounting(adv_id: number): Promise<boolean> {
    const rows = await db
      .selectFrom('import')
      .select(['id', 'status', 'finished_at'])
      .where('adv_id', '=', adv_id)
      .where('source', '=', 'tracking')
      .where('status', 'in', ['waiting', 'running', 'failed'])
      .orderBy('id')
      .execute()
    const due = rows.filter(
      ({ status, finished_at }) => status === 'failed' && (finished_at ?? 0) < now() - FAILED_AGAIN_S,
    )
    for (const { id } of due) await transaction(db, (tx) => sendAgain(tx, { id, adv_id }))
    return due.length > 0 || rows.some(({ status }) => status !== 'failed')
  }

  /** The oldest batches that no import has yet; only whole ones, though an insert makes all its rows visible at once. */
  async function freshBatches(adv_id: number): Promise<Batch[]> {
    const found = await load.acrossShards.query<Batch>(
      `SELECT batch, any(total) AS total, count() AS stored, countIf(kind = 'identify') AS identifies,
         sum(byteSize(properties)) AS bytes FROM track_message WHERE adv_id = {adv_id:UInt32} GROUP BY batch ORDER BY batch`,
      { adv_id },
    )
    const rows = await db.selectFrom('tracking_batch').select('batch').where('adv_id', '=', adv_id).execute()
    const taken = new Set(rows.map(({ batch }) => batch))
    const fresh = found.filter(({ batch, total, stored }) => !taken.has(batch) && stored === total)
    let messages = 0
    let bytes = 0
    const fits = (batch: Batch, at: number) => {
      messages += batch.stored
      bytes += batch.bytes
      return at === 0 || (messages <= TAKEN_MESSAGES && bytes <= TAKEN_BYTES)
    }
    const end = fresh.findIndex((batch, at) => !fits(batch, at))
    return end === -1 ? fresh : fresh.slice(0, end)
  }

  /** Whether a batch was numbered after those that were taken, of whomever it is. */
  async function hasMore(tx: Transaction<Database>, adv_id: number): Promise<boolean> {
    const { rows } = await sql<{ more: boolean }>`
      select last_value > coalesce((select max(batch) from tracking_batch where adv_id = ${adv_id}), 0) as more
      from tracking_batch_number`.execute(tx)
    return rows[0]?.more ?? true
  }

  async function take(tx: Transaction<Database>, adv_id: number, batches: readonly Batch[]): Promise<void> {
    const exists = await tx.selectFrom('advertiser').select('id').where('id', '=', adv_id).executeTakeFirst()
    if (!exists) return
    const imports = await queueImports(tx, adv_id, { hasTraits: batches.some(({ identifies }) => identifies > 0) })
    for (let at = 0; at < batches.length; at += BATCHES_AT_ONCE) {
      await tx
        .insertInto('tracking_batch')
        .values(
          batches
            .slice(at, at + BATCHES_AT_ONCE)
            .map(({ batch, stored }) => ({ batch, adv_id, ...imports, messages: stored, taken_at: now() })),
        )
        .execute()
    }
  }

  /** Counts what a stopped process left, and removes what was counted a while ago. */
  async function tidy(): Promise<void> {
    await requestForgotten()
    await removeCounted()
    await db
      .deleteFrom('import')
      .where('source', '=', 'tracking')
      .where('status', '=', 'done')
      .where('finished_at', '<', now() - IMPORTS_KEPT_S)
      .where('id', 'not in', (eb) => eb.selectFrom('tracking_batch').select('events_import'))
      .where('id', 'not in', (eb) =>
        eb.selectFrom('tracking_batch').select('users_import').where('users_import', 'is not', null).$castTo<{
          users_import: number
        }>(),
      )
      .execute()
  }

  async function requestForgotten(): Promise<void> {
    const found = await load.acrossShards.query<{ adv_id: number; batches: number }>(
      'SELECT adv_id, uniqExact(batch) AS batches FROM track_message GROUP BY adv_id',
    )
    const rows = await db
      .selectFrom('tracking_batch')
      .select(['adv_id', (eb) => eb.fn.countAll<number>().as('n')])
      .groupBy('adv_id')
      .execute()
    const failed = await db
      .selectFrom('import')
      .select('adv_id')
      .distinct()
      .where('source', '=', 'tracking')
      .where('status', '=', 'failed')
      .execute()
    const taken = new Map(rows.map(({ adv_id, n }) => [adv_id, Number(n)]))
    const behind = found.filter(({ adv_id, batches }) => batches > (taken.get(adv_id) ?? 0)).map(({ adv_id }) => adv_id)
    for (const adv_id of new Set([...behind, ...failed.map((row) => row.adv_id)])) {
      await transaction(db, (tx) => request(tx, adv_id))
    }
  }

  /** The rows go first: what is left of the records then only names batches that are gone. */
  async function removeCounted(): Promise<void> {
    const before = now() - LATELY_SECONDS
    for (;;) {
      const rows = await db
        .selectFrom('tracking_batch')
        .innerJoin('import as events', 'events.id', 'tracking_batch.events_import')
        .leftJoin('import as users', 'users.id', 'tracking_batch.users_import')
        .select(['tracking_batch.adv_id', 'batch'])
        .where('events.status', '=', 'done')
        .where('events.finished_at', '<', before)
        .where((eb) => eb.or([eb('users.id', 'is', null), eb('users.status', '=', 'done')]))
        .orderBy('batch')
        .limit(BATCHES_AT_ONCE)
        .execute()
      const batches = Map.groupBy(rows, ({ adv_id }) => adv_id)
      for (const [adv_id, of] of batches) {
        const numbers = of.map(({ batch }) => batch)
        await removeRows(load.everyShard, 'track_message', `adv_id = ${adv_id} AND batch IN (${numbers.join(', ')})`)
        await db.deleteFrom('tracking_batch').where('adv_id', '=', adv_id).where('batch', 'in', numbers).execute()
      }
      if (rows.length < BATCHES_AT_ONCE) return
    }
  }

  return {
    request,
    tidy,

    /** Asks for a drain after messages were stored; most of the time one was asked for already. */
    async onStored(adv_ids: readonly number[]): Promise<void> {
      const at = performance.now()
      for (const adv_id of adv_ids) {
        if (at - (askedAt.get(adv_id) ?? Number.NEGATIVE_INFINITY) < ASKED_EVERY_MS) continue
        askedAt.set(adv_id, at)
        await transaction(db, (tx) => request(tx, adv_id))
      }
    },

    /** An import of messages has ended: says what was refused or kept in part, of each key, and goes on with those that came meanwhile. */
    async onCounted(
      tx: Transaction<Database>,
      {
        adv_id,
        reasons,
        warnings,
      }: { adv_id: number; reasons: readonly CountedRows[]; warnings: readonly CountedRows[] },
    ): Promise<void> {
      const notes = [
        ...reasons.map((one) => ({ ...one, is_kept: false })),
        ...warnings.map((one) => ({ ...one, is_kept: true })),
      ]
      if (notes.length > 0) {
        // Records that were restored from a backup may lack the newest keys.
        const keys = await tx.selectFrom('write_key').select('id').where('adv_id', '=', adv_id).execute()
        const known = new Set(keys.map(({ id }) => id))
        await tx
          .insertInto('tracking_refusal')
          .values(
            notes.map(({ outcome, rows, part = 0, is_kept }) => ({
              adv_id,
              key_id: known.has(part) ? part : null,
              at: now(),
              outcome: JSON.stringify(outcome),
              times: rows,
              kind: '',
              event: '',
              message_id: '',
              is_kept,
            })),
          )
          .execute()
        await forgetOld(tx, [adv_id])
      }
      if (await hasMore(tx, adv_id)) await request(tx, adv_id, GATHER_MORE_S)
    },

    /** Does what was missed while the server did not run. */
    catchUp: requestForgotten,
  }
}
