import type { Transaction } from 'kysely'
import type { EventsMapping, ImportKind, ImportMapping } from '#contract/import.ts'
import type { Warehouse } from '../../clickhouse/open.ts'
import { forgottenOf, type TombstoneTokens } from '../../identifiers/tombstones.ts'
import type { Loader } from '../../ingest/load.ts'
import type { LoadedData, LoadJob, LoadRun, NewData } from '../../ingest/load-types.ts'
import { emptyMessages, withRefused } from '../../ingest/tracking/forgotten-messages.ts'
import { loadMessages } from '../../ingest/tracking/load-messages.ts'
import { loadTraits, TRAITS_MAPPING } from '../../ingest/tracking/load-traits.ts'
import { mergePeople } from '../../ingest/tracking/merge-people.ts'
import { takenSql } from '../../ingest/tracking/taken.ts'
import type { Jobs } from '../../jobs/open.ts'
import type { Postgres } from '../../postgres/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { RUN } from './run-kind.ts'

interface Deps {
  postgres: Pick<Postgres, 'db'>
  warehouse: Pick<Warehouse, 'load'>
  jobs: Jobs
  loader: Loader
  dataDir: string
  timezone: string
  personKey: Buffer
  /** Makes the tokens by which messages of forgotten people are refused. */
  tombstones: TombstoneTokens
}

/** What the messages of an import are called in its row; their columns are those of track_message. */
const EVENTS_MAPPING: EventsMapping = {
  kind: 'events',
  id: 'user_id',
  event: 'event',
  time: 'ts',
  title: 'title',
  message_id: 'message_id',
  skip: [],
}

/** Imports of tracked messages: they run as those of files do, in the same turn, and no list shows them. */
export function trackedMessages(deps: Deps) {
  const { warehouse, jobs, loader, dataDir, timezone, personKey, tombstones } = deps
  const { db } = deps.postgres
  const { load } = warehouse

  async function add(tx: Transaction<Database>, adv_id: number, mapping: ImportMapping): Promise<number> {
    const { id } = await tx
      .insertInto('import')
      .values({
        adv_id,
        kind: mapping.kind,
        source: 'tracking',
        // The undo of a file names the imports that take over its rows.
        file_name: '上报的消息',
        path: null,
        size: 0,
        mapping: JSON.stringify(mapping),
        status: 'waiting',
        viewer_id: null,
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await send(tx, { id, adv_id })
    return id
  }

  const send = (tx: Transaction<Database>, { id, adv_id }: { id: number; adv_id: number }) =>
    jobs.send(tx, RUN, { id }, { group: `advertiser:${adv_id}` })

  return {
    /** Queues the imports of messages: traits first, so that a new person has them when the events come. */
    async queue(tx: Transaction<Database>, adv_id: number, { hasTraits }: { hasTraits: boolean }) {
      const users_import = hasTraits ? await add(tx, adv_id, TRAITS_MAPPING) : null
      return { users_import, events_import: await add(tx, adv_id, EVENTS_MAPPING) }
    },

    async sendAgain(tx: Transaction<Database>, { id, adv_id }: { id: number; adv_id: number }): Promise<void> {
      await tx
        .updateTable('import')
        .set({ status: 'waiting', error: null, finished_at: null })
        .where('id', '=', id)
        .where('status', '=', 'failed')
        .execute()
      await send(tx, { id, adv_id })
    },

    /** Brings the messages of an import into its stages. */
    async load(
      job: Omit<LoadJob, 'mapping' | 'path' | 'file_name'> & { kind: ImportKind; lastUid: number },
      run: LoadRun,
    ): Promise<LoadedData> {
      const { import_id, adv_id, kind } = job
      const rows = await db
        .selectFrom('tracking_batch')
        .select('batch')
        .where('adv_id', '=', adv_id)
        .where(kind === 'users' ? 'users_import' : 'events_import', '=', import_id)
        .orderBy('batch')
        .execute()
      const taken = { ...job, batches: rows.map(({ batch }) => batch) }
      // Before anything is read: their links would name them again.
      await emptyMessages(load, takenSql(taken), await forgottenOf(load.acrossShards, tombstones, adv_id), 'refused')
      if (kind === 'users') return loadTraits({ load, loader, dataDir }, taken, run)
      const events = await db
        .selectFrom('event_name')
        .select(['name', 'properties'])
        .where('adv_id', '=', adv_id)
        .execute()
      // The messages of both imports are counted here.
      return withRefused(load, taken, await loadMessages({ load, timezone, personKey }, { ...taken, events }, run))
    },

    /** Merges people who became others, once an import is joined. May be repeated. */
    async merge({ id, adv_id }: { id: number; adv_id: number }): Promise<NewData | null> {
      const attributes = await db
        .selectFrom('attribute')
        .select(['name', 'slot'])
        .where('adv_id', '=', adv_id)
        .execute()
      return mergePeople(load, {
        import_id: id,
        adv_id,
        timezone,
        attributes,
        keepLastUid: (last) =>
          transaction(db, async (tx) => {
            const { last_uid } = await tx
              .updateTable('advertiser')
              .set((eb) => ({ last_uid: eb.fn<number>('greatest', ['last_uid', eb.val(last)]) }))
              .where('id', '=', adv_id)
              .returning('last_uid')
              .executeTakeFirstOrThrow()
            return Number(last_uid)
          }),
      })
    },
  }
}
