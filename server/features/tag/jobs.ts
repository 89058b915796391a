import { type Kysely, sql, type Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { anyLeftOut } from '../../ingest/attribute-values.ts'
import type { NewData } from '../../ingest/load-types.ts'
import type { Jobs } from '../../jobs/open.ts'
import { notAfterNow } from '../../postgres/not-after-now.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { startOfDay } from '../../time/day.ts'
import { attributeStatistics, countValues } from './attribute-statistics.ts'
import { makeAttributeTags, makeEventTag, makeExistsTag } from './automatic.ts'
import type { TagBuild } from './build.ts'
import { dayOf } from './day-window.ts'
import { leftOutOf } from './left-out.ts'
import { ensureBuiltIn, markAffected, markStaleWindows } from './store.ts'

const REBUILD = 'tag.rebuild'
const VALUES = 'tag.values'
const WINDOWS = 'tag.windows'
const DROP = 'tag.drop'

/** How long a replaced version stays, for counts that still use it. */
const GRACE_SECONDS = 3600
/** Seconds. No build takes longer, so older unfinished rows belong to no running build. */
const BUILD_SECONDS_MAX = 12 * 3600
const DROP_AT_ONCE = 5000
/** Changes with every update of the row. */
const rowVersion = sql<string>`xmin::text`

interface Deps {
  db: Kysely<Database>
  load: Handles
  jobs: Jobs
  timezone: string
  build: TagBuild
  dropVersions(adv_id: number, sets: readonly { kind: 'tag'; id: number; version: number }[]): Promise<void>
  clock?: () => number
}

/** Rebuilds tags after imports and when their window moves with the day, and drops replaced versions. */
export function openTagJobs({ db, load, jobs, timezone, build, dropVersions, clock = now }: Deps) {
  jobs.handle<{ adv_id: number }>(
    REBUILD,
    {
      concurrency: 2,
      retries: 3,
      async failed(tx, { data }) {
        await tx
          .updateTable('tag')
          .set({ error: outcome('tag_build_failed') })
          .where('adv_id', '=', data.adv_id)
          .where('is_dirty', '=', true)
          .execute()
      },
    },
    async (job) => {
      job.task.progress(0, '计算标签')
      const { adv_id } = job.data
      const tags = await build.rebuild(adv_id, {
        signal: job.signal,
        step: job.step,
        progress: (share) => job.task.progress(share, '计算标签'),
      })
      // Values are counted after the tags, since only forms need them.
      await job.finish(async (tx) => {
        const due = await tx
          .selectFrom('attribute')
          .select('id')
          .where('adv_id', '=', adv_id)
          .where('values_due', '=', true)
          .limit(1)
          .executeTakeFirst()
        if (due) await requestValues(tx, adv_id)
      })
      return { tags }
    },
  )

  jobs.handle<{ adv_id: number }>(VALUES, { concurrency: 1, retries: 1 }, async ({ data: { adv_id }, signal }) => {
    // In slot order; an attribute that cannot be counted stays due and does not block the others.
    let after = -1
    let failure: unknown
    for (;;) {
      signal.throwIfAborted()
      const attribute = await db
        .selectFrom('attribute')
        .select(['id', 'name', 'display_name', 'slot', 'distinct_values', 'left_out', rowVersion.as('row_version')])
        .where('adv_id', '=', adv_id)
        .where('values_due', '=', true)
        .where('slot', '>', after)
        .orderBy('slot')
        .limit(1)
        .executeTakeFirst()
      if (!attribute) break
      const counted = await countValues(load, adv_id, attribute).catch((error: unknown) => {
        signal.throwIfAborted()
        failure = error
        after = attribute.slot
      })
      if (!counted) continue
      const { distinct, values, leftOut } = counted
      await transaction(db, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('attribute')
          .set({
            distinct_values: distinct,
            values: JSON.stringify(values),
            values_due: false,
            left_out: JSON.stringify(leftOutOf(attribute.left_out, leftOut)),
          })
          .where('id', '=', attribute.id)
          .where(rowVersion, '=', attribute.row_version)
          .executeTakeFirst()
        // New data arrived meanwhile: the values are due again.
        if (numUpdatedRows === 0n) return
        // Data imported by a version that did not yet record values without a tag have no tag 有值.
        if (attribute.left_out.length > 0 || !anyLeftOut(leftOut)) return
        await makeExistsTag(tx, adv_id, attribute)
        await requestRebuild(tx, adv_id)
      })
    }
    if (failure !== undefined) throw failure
  })

  jobs.handle(WINDOWS, { concurrency: 1 }, () => refreshWindows())
  jobs.schedule(WINDOWS, '10 0 * * *', timezone)

  jobs.handle(DROP, { concurrency: 1 }, () => dropLeftovers())
  jobs.schedule(DROP, '20 * * * *', timezone)

  async function requestRebuild(tx: Transaction<Database>, adv_id: number, viewer_id: number | null = null) {
    await jobs.send(
      tx,
      REBUILD,
      { adv_id },
      {
        singletonKey: `tags:${adv_id}`,
        task: { title: '计算标签', adv_id, viewer_id, link: '/cowd-manage/tags' },
      },
    )
  }

  const requestValues = (tx: Transaction<Database>, adv_id: number) =>
    jobs.send(tx, VALUES, { adv_id }, { singletonKey: `values:${adv_id}` })

  const attributesNamed = (adv_id: number, names: readonly string[]) =>
    db
      .selectFrom('attribute')
      .select(['id', 'name', 'slot', 'type', 'distinct_values', 'values', 'left_out'])
      .where('adv_id', '=', adv_id)
      .where('name', 'in', names.length > 0 ? [...names] : [''])
      .orderBy('slot')
      .execute()

  /** Rebuilds tags whose window no longer ends yesterday. */
  async function refreshWindows(): Promise<void> {
    await transaction(db, async (tx) => {
      const at = { since: startOfDay(clock(), timezone), now: clock() }
      for (const adv_id of await markStaleWindows(tx, at)) await requestRebuild(tx, adv_id)
    })
  }

  async function dropLeftovers(): Promise<void> {
    const at = clock()
    await notAfterNow(db, 'tag_leftover', 'since', at)
    const rows = await db
      .selectFrom('tag_leftover')
      .select(['id', 'adv_id', 'tag_id', 'version'])
      .where((eb) =>
        eb.or([
          eb.and([eb('tag_id', 'is not', null), eb('since', '<=', at - GRACE_SECONDS)]),
          eb.and([eb('tag_id', 'is', null), eb('since', '<=', at - BUILD_SECONDS_MAX)]),
        ]),
      )
      .orderBy('id')
      .limit(DROP_AT_ONCE)
      .execute()
    for (const [adv_id, mine] of Map.groupBy(rows, (row) => row.adv_id)) {
      const sets = mine.flatMap(({ tag_id, version }) =>
        tag_id === null ? [] : [{ kind: 'tag' as const, id: tag_id, version }],
      )
      if (sets.length > 0) await dropVersions(adv_id, sets)
      const dead = mine.filter((row) => row.tag_id === null).map((row) => row.version)
      if (dead.length > 0) {
        await load.everyShard.command(
          'DELETE FROM tag_member WHERE adv_id = {adv_id:UInt32} AND version IN {dead:Array(UInt32)}',
          {
            adv_id,
            dead,
          },
        )
      }
      await db
        .deleteFrom('tag_leftover')
        .where(
          'id',
          'in',
          mine.map((row) => row.id),
        )
        .execute()
    }
  }

  return {
    requestRebuild,
    refreshWindows,
    dropLeftovers,

    /**
     * Makes the tags for new data and rebuilds changed ones. Called when the data are in the warehouse; an import that was
     * killed may call it again.
     */
    async onData(adv_id: number, { days, ...data }: NewData, viewer_id: number | null = null): Promise<void> {
      const attributes = data.attributes.map(({ name }) => name)
      const events = data.events.map(({ name }) => name)
      const found = new Map(data.attributes.map((attribute) => [attribute.name, attribute]))
      const statistics = await attributeStatistics(load, adv_id, await attributesNamed(adv_id, attributes), {
        zone: timezone,
        found,
      })
      const today = dayOf(clock(), timezone)
      const [latest] = days
        .filter((day) => day < today)
        .toSorted()
        .reverse()
      const daysBack = latest === undefined ? null : (Date.parse(today) - Date.parse(latest)) / 86_400_000
      await transaction(db, async (tx) => {
        // One at a time per advertiser: two concurrent imports would make a tag twice.
        await sql`select pg_advisory_xact_lock(hashtext(${`tags ${adv_id}`}))`.execute(tx)
        await ensureBuiltIn(tx, adv_id)
        for (const one of statistics) await makeAttributeTags(tx, adv_id, one, timezone)
        for (const event of events) await makeEventTag(tx, adv_id, event)
        await markAffected(tx, adv_id, { attributes, events, daysBack })
        await requestRebuild(tx, adv_id, viewer_id)
      })
    },

    /** Does what was missed while the server did not run. */
    async catchUp(): Promise<void> {
      await refreshWindows()
      const waiting = await db.selectFrom('tag').select('adv_id').distinct().where('is_dirty', '=', true).execute()
      for (const { adv_id } of waiting) await transaction(db, (tx) => requestRebuild(tx, adv_id))
      const due = await db.selectFrom('attribute').select('adv_id').distinct().where('values_due', '=', true).execute()
      for (const { adv_id } of due) await transaction(db, (tx) => requestValues(tx, adv_id))
    },
  }
}
export type TagJobs = ReturnType<typeof openTagJobs>
