import type { Kysely, Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { isWarehouseAway } from '../../clickhouse/engine-error.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { NewData } from '../../ingest/load-types.ts'
import type { Jobs } from '../../jobs/open.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { startOfDay } from '../../time/day.ts'
import { attributeStatistics } from './attribute-statistics.ts'
import { makeAttributeTags, makeEventTag } from './automatic.ts'
import type { BuildRun, TagBuild } from './build.ts'
import { dayOf } from './day-window.ts'
import { type DropVersions, leftoverRemoval } from './leftover-removal.ts'
import { ensureBuiltIn, lockTags, markAffected, markStaleWindows } from './store.ts'
import { forgetUndone, type UndoneData } from './undone-data.ts'
import { openValuesJob } from './values-job.ts'

const REBUILD = 'tag.rebuild'
const WINDOWS = 'tag.windows'
const DROP = 'tag.drop'

/** How long one transaction makes tags. */
const TURN_MS = 100

interface Deps {
  db: Kysely<Database>
  load: Handles
  jobs: Jobs
  timezone: string
  build: TagBuild
  dropVersions: DropVersions
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
      await job.finish((tx) => requestDueValues(tx, adv_id))
      return { tags }
    },
  )

  const { requestValues } = openValuesJob({ db, load, jobs }, requestRebuild)
  const dropLeftovers = leftoverRemoval({ db, load, dropVersions, clock })

  jobs.handle(WINDOWS, { concurrency: 1 }, () => refreshWindows())
  jobs.schedule(WINDOWS, '10 0 * * *', timezone)

  jobs.handle(DROP, { concurrency: 1 }, () => dropLeftovers())
  jobs.schedule(DROP, '20 * * * *', timezone)

  /** `isShown`: viewers see it as a task. */
  async function requestRebuild(
    tx: Transaction<Database>,
    adv_id: number,
    viewer_id: number | null = null,
    isShown = true,
  ) {
    await jobs.send(
      tx,
      REBUILD,
      { adv_id },
      {
        singletonKey: `tags:${adv_id}`,
        ...(isShown ? { task: { title: '计算标签', adv_id, viewer_id, link: '/cowd-manage/tags' } } : {}),
      },
    )
  }

  /** Values are counted after the tags, since only forms need them. */
  async function requestDueValues(tx: Transaction<Database>, adv_id: number) {
    const due = await tx
      .selectFrom('attribute')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('values_due', '=', true)
      .limit(1)
      .executeTakeFirst()
    if (due) await requestValues(tx, adv_id)
  }

  const attributesNamed = (adv_id: number, names: readonly string[]) =>
    db
      .selectFrom('attribute')
      .select(['id', 'name', 'slot', 'type', 'distinct_values', 'values', 'left_out', 'tagged_by', 'dictionary'])
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

  /**
   * Makes the tags for new data and rebuilds changed ones. Called when the data are in the warehouse; an import that was
   * killed may call it again.
   */
  async function onData(adv_id: number, data: NewData, viewer_id: number | null = null, isShown = true): Promise<void> {
    await makeTags(adv_id, data, (tx) => requestRebuild(tx, adv_id, viewer_id, isShown))
  }

  /** `rebuild`: part of the transaction in which the tags are made. */
  async function makeTags(
    adv_id: number,
    { days, ...data }: NewData,
    rebuild: (tx: Transaction<Database>) => Promise<void>,
  ): Promise<void> {
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
      await lockTags(tx, adv_id)
      await ensureBuiltIn(tx, adv_id)
    })
    await someAtATime(adv_id, statistics, (tx, one) => makeAttributeTags(tx, adv_id, one, timezone))
    await someAtATime(adv_id, events, (tx, event) => makeEventTag(tx, adv_id, event))
    await transaction(db, async (tx) => {
      await lockTags(tx, adv_id)
      await markAffected(tx, adv_id, { attributes, events, daysBack })
      await rebuild(tx)
    })
  }

  /** Makes the tags of some fields in each transaction: the embedded store does nothing else meanwhile, for anybody. */
  async function someAtATime<T>(
    adv_id: number,
    fields: readonly T[],
    make: (tx: Transaction<Database>, field: T) => Promise<void>,
  ): Promise<void> {
    for (let done = 0; done < fields.length; )
      done = await transaction(db, async (tx) => {
        // Two concurrent imports would make a tag twice.
        await lockTags(tx, adv_id)
        const until = performance.now() + TURN_MS
        let next = done
        for (; next < fields.length && performance.now() < until; next++) await make(tx, fields[next] as T)
        return next
      })
  }

  /** Rebuilds changed tags here and now. Tags that cannot be built are left to the job, which retries and says so. */
  async function rebuildNow(adv_id: number, viewer_id: number | null, run: BuildRun): Promise<void> {
    try {
      await build.rebuild(adv_id, run)
    } catch (error) {
      run.signal?.throwIfAborted()
      if (isDatabaseAway(error) || isWarehouseAway(error)) throw error
      await run.step((tx) => requestRebuild(tx, adv_id, viewer_id))
      return
    }
    await run.step((tx) => requestDueValues(tx, adv_id))
  }

  return {
    requestRebuild,
    refreshWindows,
    dropLeftovers,

    onData,

    /**
     * Forgets what only an undone import needed, makes the tags that the data left ask for, and rebuilds all. Called when
     * its rows are gone; an undo that was killed calls it again.
     */
    async onUndone(data: UndoneData, viewer_id: number | null, run: BuildRun): Promise<void> {
      const { adv_id } = data
      const left = await forgetUndone(db, load, data)
      await makeTags(adv_id, { ...left, days: [] }, async () => {})
      await rebuildNow(adv_id, viewer_id, run)
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
