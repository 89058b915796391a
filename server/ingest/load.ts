import { mkdirSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportMapping, ReportsMapping } from '#contract/import.ts'
import type { Warehouse } from '../clickhouse/open.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { kindOf } from '../files/file-format.ts'
import { prepareParquet } from '../files/parquet-lines.ts'
import type { SliceSource } from '../files/slice.ts'
import { unpackedLimit } from '../files/unpacked.ts'
import { forgottenOf, type TombstoneTokens } from '../identifiers/tombstones.ts'
import { attributeSlots } from './attribute-slots.ts'
import { collectValues } from './attribute-values.ts'
import { rowCounter } from './counted-rows.ts'
import { partSql } from './file-parts.ts'
import { loadReports } from './load-reports.ts'
import type { Brought, LoadedData, LoadJob, LoadRun } from './load-types.ts'
import { openNumbering } from './numbering.ts'
import { type Chunk, chunkReader } from './reading/chunk-reader.ts'
import { metricColumns, type Plan, planOf, rowKey } from './reading/plan.ts'
import { openSource } from './reading/source.ts'
import { dropParts, stages } from './stage.ts'
import { chunkStore } from './storing/chunk-store.ts'
import { attributesOf, eventsOf, repeatedEvents, storedRows } from './storing/load-report.ts'
import { noteMoves } from './tracking/merge-people.ts'
import { propertyCell, typesOf, typeWarnings } from './type-warnings.ts'

interface Deps {
  warehouse: Pick<Warehouse, 'load' | 'fileEngine'>
  timezone: string
  dataDir: string
  /** The key that encrypts people's phones and device ids. */
  personKey: Buffer
  /** Makes the tokens by which rows of forgotten people are refused; left out, nobody was forgotten. */
  tombstones?: TombstoneTokens
  /** Tests use smaller slices. */
  sliceBytes?: number
  sliceRows?: number
  peopleInMemory?: number
}

/** With more chunks than this, the stages' parts must be merged. */
const CHUNKS_UNMERGED = 100
const LOADED_SHARE = 0.92

export const workDirectory = (dataDir: string, import_id: number) => join(dataDir, 'import', String(import_id))
export const refusedPath = (dataDir: string, import_id: number) => join(dataDir, 'import', `refused-${import_id}.csv`)

/** Reads files into the stages of an import, chunk by chunk: bounded memory whatever their size. */
export function loader(deps: Deps) {
  const { warehouse, timezone, dataDir, personKey, sliceBytes, sliceRows } = deps
  const { load } = warehouse

  /** Fills the import's stages from the beginning of its file, after dropping what an earlier run left there. */
  async function loadFile(job: LoadJob<ImportMapping>, run: LoadRun = {}): Promise<LoadedData> {
    const directory = workDirectory(dataDir, job.import_id)
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    try {
      const kind = await kindOf(job.path, job.file_name)
      run.progress?.(0, '读取文件')
      const source: SliceSource =
        kind.format === 'parquet'
          ? await prepareParquet(await warehouse.fileEngine(), job.path, kind.isGzip, directory, run.signal)
          : {
              path: job.path,
              format: kind.format,
              isGzip: kind.isGzip,
              encoding: job.mapping.encoding ?? kind.encoding,
              unpackedLimit: unpackedLimit((await stat(job.path)).size, 'gzip'),
              directory,
              areAllCells: !load.oneNode.readsFiles,
            }
      // Opened first, so that its thread starts while the tables are created.
      const cutter = openSource({
        source: { ...source, ...(sliceBytes ? { sliceBytes } : {}), ...(sliceRows ? { sliceRows } : {}) },
        refusedPath: refusedPath(dataDir, job.import_id),
        metrics: metricColumns(job.mapping),
        parts: job.parts ?? [],
      })
      try {
        const size = Math.max(1, (await stat(source.path)).size)
        const file = { cutter, size, isNdjson: kind.format === 'ndjson' }
        return isOfReports(job)
          ? await loadReports({ load, timezone }, job, { ...file, share: LOADED_SHARE }, run)
          : // The only other mappings are of people.
            await loadSlices(job as LoadJob, file, run)
      } finally {
        await cutter.close()
      }
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  async function loadSlices(
    job: LoadJob,
    { cutter, size, isNdjson }: { cutter: ReturnType<typeof openSource>; size: number; isNdjson: boolean },
    { signal, progress }: LoadRun,
  ): Promise<LoadedData> {
    const { import_id, adv_id, mapping } = job
    cutter.ask()
    cutter.ask()
    const stage = stages(load.everyShard, mapping.kind, import_id)
    await stage.create()
    // Merging now would be wasted, since the parts are merged again in the tables.
    await stage.merge(false)
    const key = rowKey(adv_id, mapping)
    const numbering = await openNumbering({
      load,
      import_id,
      adv_id,
      kind: mapping.kind,
      keys: stage.stage('person_key'),
      fileBytes: size,
      lastUid: job.lastUid ?? 0,
      peopleInMemory: deps.peopleInMemory,
      signal,
    })
    const rows = stage.stage(mapping.kind === 'users' ? 'person_row' : 'event')
    const slots = attributeSlots(job.attributes, async (columns) => {
      const add = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column} String`).join(', ')
      await Promise.all(['person_row', rows].map((to) => load.everyShard.command(`ALTER TABLE ${to} ${add}`)))
    })
    const values = collectValues(load.acrossShards)
    const forgotten = deps.tombstones ? await forgottenOf(load.acrossShards, deps.tombstones, adv_id) : null
    const read = chunkReader({ load, job, isNdjson, timezone, numbering, slots, values, forgotten, signal })
    const { store, warnings } = await chunkStore({ load, job, stage, key, numbering, slots, personKey, signal })
    const total = { rows: 0, refused: 0, duplicate: 0 }
    const refusedRows = rowCounter()
    let chunks = 0
    let last: Chunk | undefined

    async function keep(chunk: Chunk): Promise<void> {
      const { slice, facts } = chunk
      const { refused, duplicates } = await store(chunk)
      total.rows += slice.seen
      total.refused += slice.seen - facts.good
      total.duplicate += duplicates
      if (++chunks === CHUNKS_UNMERGED) await stage.merge(true)
      // Sent before the next slice is asked for: cutting one occupies the thread for long.
      const settled = cutter.settle(slice.number, refused)
      cutter.ask()
      for (const { outcome, rows, part } of await settled) refusedRows.add(outcome, rows, { part })
      const share = LOADED_SHARE * Math.min(1, slice.bytesRead / size)
      progress?.(share, `已读取 ${total.rows.toLocaleString('en')} 行`)
    }

    // Aborts the wait for the next slice when storing a chunk fails.
    const failed = new AbortController()
    const until = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
    let kept = Promise.resolve()
    for (;;) {
      const cut = await cutter.next(until)
      if (!cut) break
      const reading = read(cut.slice)
      // Awaited below; until then the previous chunk may fail first.
      reading.catch(() => {})
      await kept
      const chunk = await reading
      last = chunk
      kept = keep(chunk)
      kept.catch((error: unknown) => failed.abort(error))
    }
    await kept
    // Refuses the file if a column of the mapping never appeared.
    if (last) planOf(mapping, last.slice.columns)
    await cutter.end()
    progress?.(LOADED_SHARE, '汇总')

    const plan = last?.plan
    const stored = await storedRows(load.acrossShards, rows, { ...total, lastPerson: numbering.last() })
    const of = { rows, areKeys: isNdjson && total.refused > 0 }
    const found =
      plan === undefined || stored === 0
        ? NOTHING
        : plan.kind === 'users'
          ? {
              ...NOTHING,
              attributes: await attributesOf(load.acrossShards, plan, { ...of, slots, values: values.lists() }, signal),
            }
          : {
              ...NOTHING,
              ...(await eventsOf(load.acrossShards, plan, { ...of, days: stage.stage('event_day'), timezone }, signal)),
            }
    const untyped = plan === undefined || stored === 0 ? [] : await unlikeTypes(plan, found.attributes)
    const brought = plan === undefined ? { attributes: [], events: [] } : await broughtOf(plan, found)
    await noteMoves(load, job)
    await dropParts(load.oneNode, import_id)
    return {
      ...total,
      stored,
      new_people: numbering.newPeople(),
      reasons: refusedRows.counts(),
      warnings: [...warnings(), ...untyped],
      ...found,
      brought,
    }

    /** Rows with values that are not of their column's type. */
    function unlikeTypes(plan: Plan, attributes: LoadedData['attributes']) {
      const types = typesOf(mapping, job.types ?? new Map())
      const seen = new Map(attributes.map(({ name, type }) => [name, type]))
      // All values of the others are known to be of their type.
      const open = plan.rest.filter(
        ({ name }) => seen.get(name) === 'text' || seen.get(name) !== (types.of(name) ?? seen.get(name)),
      )
      const columns = (plan.kind === 'users' ? open : plan.rest).map(({ name }) => ({
        name,
        cell: plan.kind === 'users' ? slotColumn(slots.slotOf(name)) : propertyCell(name),
      }))
      // Events are stored without their numbers.
      const number = plan.kind === 'users' ? 'line' : null
      const part = partSql(number === null ? [] : (job.parts ?? []), 'line')
      return typeWarnings(load.acrossShards, { rows, columns, number, part, types, timezone }, signal)
    }

    /** Like what was found, but repeated rows count too: they take effect if the rows they repeat are undone. */
    async function broughtOf(plan: Plan, { attributes, events }: typeof found): Promise<Brought> {
      if (plan.kind === 'events') {
        const repeated = await repeatedEvents(load.acrossShards, plan, stage.stage('event_repeat'))
        const names = new Set(events.map(({ name }) => name))
        return { attributes: [], events: [...events, ...repeated.filter(({ name }) => !names.has(name))] }
      }
      const types = new Map(attributes.map(({ name, type }) => [name, type]))
      const named = stored === 0 ? plan.rest : attributes
      const unknown = total.duplicate > 0 ? {} : { type: null }
      return {
        attributes: named.map(({ name }) => ({ name, ...(types.has(name) ? { type: types.get(name) } : unknown) })),
        events: [],
      }
    }
  }

  return { loadFile }
}
export type Loader = ReturnType<typeof loader>

const isOfReports = (job: LoadJob<ImportMapping>): job is LoadJob<ReportsMapping> => job.mapping.kind === 'reports'

const NOTHING: Pick<LoadedData, 'attributes' | 'events' | 'days'> = { attributes: [], events: [], days: [] }
