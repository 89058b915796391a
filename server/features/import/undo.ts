import { type Kysely, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import { type ImportStatus, type previewUndo, UNDO_NAMES_MAX } from '#contract/import.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { usedTags } from '../../crowds/used-tags.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { extentOf } from '../../ingest/undo/extent.ts'
import { reportExtentOf } from '../../ingest/undo/reports.ts'
import type { Jobs } from '../../jobs/open.ts'
import { audit } from '../../postgres/audit.ts'
import { isSettled, propertiesWithout, withoutSettings } from '../../postgres/mapping-settings.ts'
import type { Database, StoredBrought, StoredUndo } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type ImportJob, RUN } from './run-kind.ts'

interface Deps {
  db: Kysely<Database>
  live: Handles
  jobs: Jobs
}

/** Why an import cannot be undone; null when it can. */
export function undoObstacle(row: {
  status: ImportStatus
  brought: object | null
  state: object | null
}): Outcome | null {
  switch (row.status) {
    case 'waiting':
    case 'running':
      return outcome('import_undo_unfinished')
    case 'failed':
      return row.state === null ? outcome('import_undo_nothing') : outcome('import_undo_half_done')
    case 'undone':
      return outcome('import_undo_over')
    case 'done':
    case 'undoing':
    case 'undo_failed':
      return row.brought === null ? outcome('import_undo_too_old') : null
  }
}

/** Says what undoing an import would change, and has it undone. */
export function undoService({ db, live, jobs }: Deps) {
  const findRow = (tx: Kysely<Database>, id: number) =>
    tx.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst()

  /** `viewer`: null on the command line. */
  function mustBeUndoable(row: Awaited<ReturnType<typeof findRow>>, viewer: Viewer | null) {
    if (row?.source !== 'file' || (viewer && !viewer.isMember(row.adv_id)))
      throw new AppError('notFound', { what: '导入记录' })
    const reason = undoObstacle(row)
    if (reason) throw new AppError('importNotUndoable', { reason })
    return row
  }

  /** While other rows of the advertiser come or go, nobody can say what this undo will take away. */
  async function mustBeStill({ id, adv_id }: { id: number; adv_id: number }) {
    const busy = await db
      .selectFrom('import')
      .select(['file_name', 'status'])
      .where('adv_id', '=', adv_id)
      .where('id', '!=', id)
      // Messages come all the time.
      .where('source', '=', 'file')
      .where('status', 'in', ['running', 'undoing'])
      .orderBy('id')
      .executeTakeFirst()
    if (!busy) return
    const reason = outcome('import_undo_waits', { file: busy.file_name, is_undo: busy.status === 'undoing' })
    throw new AppError('importNotUndoable', { reason })
  }

  return {
    async previewUndo(
      viewer: Viewer | null,
      id: number,
      signal?: AbortSignal,
    ): Promise<z.input<typeof previewUndo.data>> {
      const row = mustBeUndoable(await findRow(db, id), viewer)
      const { adv_id, kind, brought } = row
      await mustBeStill(row)
      if (kind === 'reports') return ofReports(row, signal)
      const extent = row.undo?.extent ?? (await extentOf(live.acrossShards, { id, adv_id, kind }, { signal }))
      const attributes = brought?.attributes.map(({ name }) => name) ?? []
      const events = brought?.events.map(({ name }) => name) ?? []
      const [heirs, only, tags] = await Promise.all([
        namesOf(
          db,
          extent.taken_over.map((one) => one.import_id),
        ),
        goneWith(db, row, { attributes, events }),
        tagsOf(db, adv_id, { attributes, events }),
      ])
      const crowds = await crowdsUsing(db, adv_id, tags)
      const accounts = await accountsOf(
        db,
        crowds.map((crowd) => crowd.id),
      )
      const { uploaded } = await db
        .selectFrom('custom_crowd')
        .select((eb) => eb.fn.countAll<number>().as('uploaded'))
        .where('adv_id', '=', adv_id)
        .where('deleted_at', 'is', null)
        .where('version', '>', 0)
        .executeTakeFirstOrThrow()
      return {
        extent,
        heirs,
        attributes: only.attributes.slice(0, UNDO_NAMES_MAX),
        events: only.events.slice(0, UNDO_NAMES_MAX),
        tags: tags.length,
        crowds: crowds.slice(0, UNDO_NAMES_MAX),
        crowds_total: crowds.length,
        uploaded_crowds: Number(uploaded),
        accounts,
      }
    },

    /** Has an import undone in its turn. Asked twice, it is undone once; an undo that failed is tried again. */
    undo: (viewer: Viewer | null, id: number): Promise<void> =>
      transaction(db, async (tx) => {
        await tx.selectFrom('import').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
        const row = mustBeUndoable(await findRow(tx, id), viewer)
        if (row.status === 'undoing') return
        await audit(tx, viewer, 'import.undo', { id, adv_id: row.adv_id, file_name: row.file_name })
        if (row.status === 'undo_failed' && row.task_id !== null && (await jobs.retry(tx, row.task_id))) return
        await queue(tx, viewer, row)
      }),
  }

  /** Reports have no people: no tag, crowd or account depends on them. */
  async function ofReports(
    { id, adv_id, undo }: { id: number; adv_id: number; undo: StoredUndo | null },
    signal?: AbortSignal,
  ): Promise<z.input<typeof previewUndo.data>> {
    const extent = undo?.extent ?? (await reportExtentOf(live.acrossShards, { id, adv_id }, { signal }))
    const heirs = await namesOf(
      db,
      extent.taken_over.map((one) => one.import_id),
    )
    const none = { attributes: [], events: [], tags: 0, crowds: [], crowds_total: 0, uploaded_crowds: 0, accounts: [] }
    return { extent, heirs, ...none }
  }

  async function queue(
    tx: Transaction<Database>,
    viewer: Viewer | null,
    row: { id: number; adv_id: number; file_name: string },
  ): Promise<void> {
    const job: ImportJob = { id: row.id, undo: true }
    const sent = await jobs.send(tx, RUN, job, {
      group: `advertiser:${row.adv_id}`,
      task: {
        title: `撤销导入「${row.file_name}」`,
        adv_id: row.adv_id,
        viewer_id: viewer?.id ?? null,
        link: `/basic-manage/index/data-access?import_id=${row.id}`,
      },
    })
    const undo: StoredUndo = { viewer_id: viewer?.id ?? null, asked_at: now(), finished_at: null, extent: null }
    await tx
      .updateTable('import')
      .set({ status: 'undoing', task_id: sent.task_id, error: null, undo: JSON.stringify(undo) })
      .where('id', '=', row.id)
      .execute()
  }
}

const namesOf = (db: Kysely<Database>, ids: readonly number[]) =>
  db
    .selectFrom('import')
    .select(['id', 'file_name as name'])
    .where('id', 'in', [0, ...ids])
    .orderBy('id')
    .execute()

interface Fields {
  attributes: readonly string[]
  events: readonly string[]
}

/** The fields that the undo removes: no other import names them, and no setting and no tag that stays needs them. */
async function goneWith(
  db: Kysely<Database>,
  row: { id: number; adv_id: number; brought: StoredBrought | null },
  fields: Fields,
): Promise<Fields> {
  const { adv_id } = row
  const { attributes, events } = await onlyBrought(db, row, fields)
  const tags = await db
    .selectFrom('tag')
    .select(['id', 'is_automatic', 'definition'])
    .where('adv_id', '=', adv_id)
    .where(namesOneOf({ attributes, events }))
    .execute()
  const used = await usedTags(
    db,
    adv_id,
    tags.map(({ id }) => id),
  )
  const stay = tags.flatMap(({ id, is_automatic, definition }) => (is_automatic && !used.has(id) ? [] : [definition]))
  const { rows: consent } = await sql<{ name: string }>`
    select attribute as name from consent where adv_id = ${adv_id} and attribute is not null`.execute(db)
  const rows = await db
    .selectFrom('attribute')
    .select(['name', 'type', 'is_type_fixed', 'display_name', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', 'in', ['', ...attributes])
    .execute()
  const eventRows = await db
    .selectFrom('event_name')
    .select(['name', 'display_name', 'property_settings'])
    .where('adv_id', '=', adv_id)
    .where('name', 'in', ['', ...events])
    .execute()
  const mine = row.brought?.settled ?? []
  const settled = rows.filter((one) =>
    isSettled(
      withoutSettings(
        one,
        mine.filter(({ attribute }) => attribute === one.name),
      ),
    ),
  )
  const named = eventRows.filter(({ name, display_name, property_settings }) => {
    const ofEvent = mine.filter(({ event }) => event === name)
    return display_name !== name || Object.keys(propertiesWithout(property_settings, ofEvent)).length > 0
  })
  const held = {
    attributes: new Set([
      ...[...consent, ...settled].map(({ name }) => name),
      ...stay.flatMap((definition) => (definition.kind === 'attribute' ? [definition.attribute] : [])),
    ]),
    events: new Set([
      ...named.map(({ name }) => name),
      ...stay.flatMap((definition) => (definition.kind === 'event' ? [definition.event] : [])),
    ]),
  }
  return {
    attributes: attributes.filter((name) => !held.attributes.has(name)),
    events: events.filter((name) => !held.events.has(name)),
  }
}

/** Tags whose definition names one of these fields. */
const namesOneOf = ({ attributes, events }: Fields) =>
  sql<boolean>`(definition->>'attribute' = any(${[...attributes]}::text[]) or definition->>'event' = any(${[...events]}::text[]))`

/** The fields that no other import names; one of an earlier version may hold any, so then none. */
async function onlyBrought(
  db: Kysely<Database>,
  { id, adv_id }: { id: number; adv_id: number },
  { attributes, events }: Fields,
): Promise<{ attributes: string[]; events: string[] }> {
  const rows = await db
    .selectFrom('import')
    .select('brought')
    .where('adv_id', '=', adv_id)
    .where('id', '!=', id)
    .where('status', 'in', ['done', 'undoing', 'undo_failed'])
    .execute()
  if (rows.some(({ brought }) => brought === null)) return { attributes: [], events: [] }
  const held = {
    attributes: new Set(rows.flatMap(({ brought }) => brought?.attributes.map(({ name }) => name) ?? [])),
    events: new Set(rows.flatMap(({ brought }) => brought?.events.map(({ name }) => name) ?? [])),
  }
  return {
    attributes: attributes.filter((name) => !held.attributes.has(name)),
    events: events.filter((name) => !held.events.has(name)),
  }
}

/** The tags that count these fields, everyone, or those without a value or an event. */
async function tagsOf(db: Kysely<Database>, adv_id: number, fields: Fields): Promise<number[]> {
  const rows = await db
    .selectFrom('tag')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where(
      sql<boolean>`(definition->>'kind' = 'everyone' or ${namesOneOf(fields)}
        or definition->'condition'->>'is' = 'empty' or (definition->>'negated')::boolean)`,
    )
    .execute()
  return rows.map((row) => row.id)
}

/** The rule crowds that use these tags or uploaded crowds, which are matched again, directly or through other crowds. */
async function crowdsUsing(
  db: Kysely<Database>,
  adv_id: number,
  tags: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    with recursive used (id) as (
      select people_id from crowd_use where uses_kind = 'tag' and uses_id = any(${[...tags]}::int[])
      union select u.people_id from crowd_use u join custom_crowd c on u.uses_kind = 'crowd' and u.uses_id = c.id
        where c.adv_id = ${adv_id} and c.deleted_at is null and c.version > 0
      union select u.people_id from crowd_use u join used on u.uses_kind = 'crowd' and u.uses_id = used.id
    )
    select people.id, people.name from people join used on used.id = people.id
    where people.deleted_at is null order by people.id`.execute(db)
  return rows
}

/** The accounts with audiences that follow these crowds. */
const accountsOf = (db: Kysely<Database>, crowds: readonly number[]) =>
  db
    .selectFrom('audience')
    .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
    .select(['platform_account.id', 'platform_account.name'])
    .distinct()
    .where('audience.people_id', 'in', [0, ...crowds])
    .where('audience.keeps_step', '=', true)
    .where('audience.deleted_at', 'is', null)
    .orderBy('platform_account.id')
    .execute()
