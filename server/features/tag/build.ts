import { type Kysely, sql, type Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { FieldKind } from '#contract/outcomes/tag.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import { type EveryShard, sumOf } from '../../clickhouse/handles.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from './day-window.ts'
import { memberSelects, readsPersonRows } from './definition-sql.ts'
import { type Definition, type Frame, IN_ORDER, type PersonRows, severalRows } from './frame.ts'
import { insertMembers } from './insert-members.ts'

interface Deps {
  db: Kysely<Database>
  load: EveryShard
  timezone: string
  /** Part of the transaction in which new versions take over, under the lock of the advertiser's crowds. */
  onTagsChanged(tx: Transaction<Database>, adv_id: number, tag_ids: readonly number[]): Promise<void>
  /** Epoch seconds. */
  clock?: () => number
}

export interface BuildRun {
  signal?: AbortSignal | undefined
  /** A transaction that commits only while this run may still write. */
  step<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>
  progress?(share: number): void
}

interface DirtyTag extends Definition {
  generation: number
}

/** Definitions of one build; the rest waits for the next build, so that no build takes too long. */
const BATCH = 2000
/** How often a build restarts because data arrived during it, before its result is accepted as it is. */
const RESTARTS_MAX = 2
/** Stands in place of a tag id for the people with several rows. Tag ids begin with 1. */
const SEVERAL = 0
export function tagBuild({ db, load, timezone, onTagsChanged, clock = now }: Deps) {
  /** What the statements need of the advertiser's current data. */
  async function frameOf(adv_id: number): Promise<Frame> {
    const [attributes, rows] = await Promise.all([
      db
        .selectFrom('attribute')
        .select(['name', 'slot', 'distinct_values', 'left_out'])
        .where('adv_id', '=', adv_id)
        .execute(),
      personRows(load, adv_id),
    ])
    return {
      adv_id,
      timezone,
      today: dayOf(clock(), timezone),
      attributes: new Map(
        attributes.map((a) => [
          a.name,
          { slot: a.slot, distinct: a.distinct_values, hasLong: a.left_out.some(({ code }) => code === 'tooLong') },
        ]),
      ),
      rows,
    }
  }

  /** Finds the people with several rows once for all attributes of a build, stored as members of no tag. */
  async function keepSeveral(frame: Frame, version: number): Promise<Frame> {
    const { adv_id, rows } = frame
    if (rows.several === null) return frame
    await load.command(
      `INSERT INTO tag_member (adv_id, tag_id, version, bucket, bitmap) SELECT ${adv_id}, ${SEVERAL}, ${version}, 0, bitmap FROM (${rows.several})`,
      {},
      { settings: IN_ORDER },
    )
    const several = `SELECT groupBitmapMergeState(bitmap) FROM tag_member WHERE adv_id = ${adv_id} AND tag_id = ${SEVERAL} AND version = ${version}`
    return { ...frame, rows: { ...rows, several } }
  }

  /** Builds the advertiser's changed tags until none is left; answers how many were built. */
  async function rebuild(adv_id: number, run: BuildRun): Promise<number> {
    let built = 0
    let torn = 0
    const failed = new Map<number, unknown>()
    for (;;) {
      run.signal?.throwIfAborted()
      const tags = await dirtyTags(db, adv_id, [...failed.keys()])
      if (tags.length === 0) break
      const batch = await buildBatch(adv_id, tags, { run, mayBeTorn: torn === RESTARTS_MAX })
      torn = batch === null ? torn + 1 : 0
      for (const [id, reason] of batch?.failed ?? []) failed.set(id, reason)
      built += batch === null ? 0 : tags.length - batch.failed.size
    }
    // Thrown only after the other tags have their new people.
    for (const reason of failed.values()) throw reason
    return built
  }

  /**
   * Answers the tags that could not be built, with the reasons; they stay dirty. Answers null and changes nothing when
   * data arrived during the build.
   */
  async function buildBatch(
    adv_id: number,
    tags: readonly DirtyTag[],
    { run, mayBeTorn }: { run: BuildRun; mayBeTorn: boolean },
  ): Promise<{ failed: ReadonlyMap<number, unknown> } | null> {
    const version = await startVersion(adv_id)
    const countedAt = clock()
    const rows = mayBeTorn ? null : await rowsOf(load, adv_id)
    const found = await frameOf(adv_id)
    const { good, bad } = await sortOut(found, tags)
    const needsSeveral = good.some((tag) => readsPersonRows(tag.definition))
    const frame = needsSeveral ? await keepSeveral(found, version) : found
    const passes = memberSelects(frame, good)
    const failed = await insertMembers(load, passes, { adv_id, version, signal: run.signal, progress: run.progress })
    // A person whose row came between two passes would be in both of two tags that exclude each other, or in neither.
    if (rows !== null && rows !== (await rowsOf(load, adv_id))) {
      await dropSoon(version)
      return null
    }
    const built = good.filter((tag) => !failed.has(tag.id))
    const ids = built.map((tag) => tag.id)
    const counts = await countsOf(load, adv_id, version, ids)
    const leftovers = [...failed.keys(), ...(frame === found ? [] : [SEVERAL])]
    await run.step(async (tx) => {
      // Before the rows of the tags, as whoever deletes tags does: in the other order two could wait for each other.
      await lockCrowds(tx, adv_id)
      await takeOver(tx, { adv_id, version, countedAt, tags: built, counts, leftovers })
      await keepErrors(tx, bad)
      if (ids.length > 0) await onTagsChanged(tx, adv_id, ids)
    })
    return { failed }
  }

  /** A new version number, with a note to drop its rows if the build does not finish. */
  async function startVersion(adv_id: number): Promise<number> {
    const { rows } = await sql<{ version: number }>`
      insert into tag_leftover (adv_id, tag_id, version, since)
      values (${adv_id}, null, nextval('tag_version'), ${clock()}) returning version`.execute(db)
    return (rows[0] as { version: number }).version
  }

  const dropSoon = (version: number) =>
    db
      .updateTable('tag_leftover')
      .set({ since: 0 })
      .where('version', '=', version)
      .where('tag_id', 'is', null)
      .execute()

  async function sortOut(frame: Frame, tags: readonly DirtyTag[]) {
    const known = await db.selectFrom('event_name').select('name').where('adv_id', '=', frame.adv_id).execute()
    const events = new Set(known.map((event) => event.name))
    const good: DirtyTag[] = []
    const bad: { tag: DirtyTag; reason: AnyOutcome }[] = []
    for (const tag of tags) {
      const reason = unknownField(tag.definition, frame.attributes, events)
      if (reason) bad.push({ tag, reason: outcome('tag_field_missing', reason) })
      else good.push(tag)
    }
    return { good, bad }
  }

  return {
    frameOf,
    rebuild,

    /** How many people meet a definition now. Stores nothing. */
    async count(live: EveryShard, adv_id: number, definition: TagDefinition, signal?: AbortSignal): Promise<number> {
      const [part] = memberSelects(await frameOf(adv_id), [{ id: 1, definition }])
      if (!part) return 0
      const counts = await live.query<{ count: number }>(
        `SELECT sum(bitmapCardinality(bitmap)) AS count FROM (${part.sql})`,
        {},
        { settings: { ...IN_ORDER, max_execution_time: PREVIEW_SECONDS }, signal },
      )
      return sumOf(counts, 'count')
    },
  }
}
export type TagBuild = ReturnType<typeof tagBuild>

const PREVIEW_SECONDS = 20

/** The advertiser's number of rows in the tables to which imports add. */
async function rowsOf(load: EveryShard, adv_id: number): Promise<string> {
  const counts = ['person_key', 'person_row', 'event'].map(
    (table) => `(SELECT count() FROM ${table} WHERE adv_id = {adv_id:UInt32}) AS ${table}`,
  )
  return JSON.stringify(await load.query(`SELECT ${counts.join(', ')}`, { adv_id }))
}

export async function personRows(load: EveryShard, adv_id: number): Promise<PersonRows> {
  const answers = await load.query<{ n: number; people: number; last: number }>(
    'SELECT count() AS n, groupBitmap(uid) AS people, max(bucket) AS last FROM person_row WHERE adv_id = {adv_id:UInt32}',
    { adv_id },
  )
  const count = sumOf(answers, 'n')
  const last = Math.max(...answers.flat().map((row) => row.last))
  const hasSeveral = count !== sumOf(answers, 'people')
  return { adv_id, count, buckets: last + 1, several: hasSeveral ? severalRows(adv_id) : null }
}

/** The attribute or event that a definition names and the advertiser does not have. */
export function unknownField(
  definition: TagDefinition,
  attributes: { has(name: string): boolean },
  events: { has(name: string): boolean },
): { what: FieldKind; name: string } | null {
  switch (definition.kind) {
    case 'attribute':
      return attributes.has(definition.attribute) ? null : { what: 'attribute', name: definition.attribute }
    case 'event':
      return events.has(definition.event) ? null : { what: 'event', name: definition.event }
    case 'everyone':
      return null
  }
}

async function dirtyTags(db: Kysely<Database>, adv_id: number, but: readonly number[]): Promise<DirtyTag[]> {
  return db
    .selectFrom('tag')
    .select(['id', 'definition', 'generation'])
    .where('adv_id', '=', adv_id)
    .where('is_dirty', '=', true)
    .$if(but.length > 0, (qb) => qb.where('id', 'not in', but))
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

async function countsOf(load: EveryShard, adv_id: number, version: number, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, number>()
  const rows = await load.query<{ tag_id: number; count: number }>(
    `SELECT tag_id, sum(bitmapCardinality(bitmap)) AS count FROM tag_member
     WHERE adv_id = {adv_id:UInt32} AND tag_id IN {ids:Array(UInt32)} AND version = {version:UInt32} GROUP BY tag_id`,
    { adv_id, ids, version },
  )
  const counts = new Map<number, number>()
  for (const { tag_id, count } of rows.flat()) counts.set(tag_id, (counts.get(tag_id) ?? 0) + count)
  return counts
}

/** Sets version, count and time together for all tags of the build, except tags that already have a newer version. */
async function takeOver(
  tx: Transaction<Database>,
  build: {
    adv_id: number
    version: number
    countedAt: number
    tags: readonly DirtyTag[]
    counts: ReadonlyMap<number, number>
    /** Tag ids of other rows that the build wrote under its version. */
    leftovers: readonly number[]
  },
): Promise<void> {
  const { adv_id, version, countedAt, tags } = build
  const ids = tags.map((tag) => tag.id)
  const before = await tx
    .selectFrom('tag')
    .select(['id', 'version'])
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .orderBy('id')
    .forUpdate()
    .execute()
  const { rows } = await sql<{ id: number }>`
    update tag set version = ${version}, count = done.count, counted_at = ${countedAt}, error = null,
      built_generation = done.generation, is_dirty = (tag.generation <> done.generation)
    from unnest(${ids}::int[], ${tags.map((tag) => build.counts.get(tag.id) ?? 0)}::bigint[],
      ${tags.map((tag) => tag.generation)}::int[]) as done (id, count, generation)
    where tag.id = done.id and tag.built_generation <= done.generation and tag.version < ${version}
    returning tag.id`.execute(tx)
  const taken = new Set(rows.map((row) => row.id))
  const leftovers = [
    ...before
      .filter((tag) => taken.has(tag.id) && tag.version > 0)
      .map((tag) => ({ tag_id: tag.id, version: tag.version })),
    // Deleted during the build, or already at a newer version.
    ...ids.filter((id) => !taken.has(id)).map((id) => ({ tag_id: id, version })),
    ...build.leftovers.map((tag_id) => ({ tag_id, version })),
  ]
  if (leftovers.length > 0) {
    await tx
      .insertInto('tag_leftover')
      .values(leftovers.map((row) => ({ ...row, adv_id, since: countedAt })))
      .execute()
  }
  await tx.deleteFrom('tag_leftover').where('version', '=', version).where('tag_id', 'is', null).execute()
}

async function keepErrors(
  tx: Transaction<Database>,
  bad: readonly { tag: DirtyTag; reason: AnyOutcome }[],
): Promise<void> {
  for (const { tag, reason } of bad) {
    await tx
      .updateTable('tag')
      .set({ error: reason, built_generation: tag.generation, is_dirty: sql<boolean>`generation <> ${tag.generation}` })
      .where('id', '=', tag.id)
      .execute()
  }
}
