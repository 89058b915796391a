import { mkdirSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROW_ID } from '#contract/import.ts'
import type { Warehouse } from '../clickhouse/open.ts'
import { slotColumn } from '../clickhouse/person-sql.ts'
import { AppError } from '../errors.ts'
import { collectValues, type FileValues, typedValues, withoutLongValues } from './attribute-values.ts'
import { sliceSql } from './chunk-sql.ts'
import { type ChunkRange, dedupe } from './dedupe.ts'
import { EVENT_COLUMNS, eventChunkSql, storeDaysSql, storeEventsSql } from './events.ts'
import { kindOf } from './file-format.ts'
import type { Loaded, LoadJob, LoadRun } from './loaded.ts'
import { type NewcomersLook, openNumbering } from './numbering.ts'
import { prepareParquet } from './parquet.ts'
import { messageKey, type Plan, planOf, rowKey } from './plan.ts'
import type { Slice, SliceSource } from './slice.ts'
import { openSource } from './source.ts'
import { stageOf, stages } from './stage.ts'
import {
  identifierCells,
  personColumns,
  storeIdentifiersSql,
  storeUsersSql,
  userChunkSql,
  userColumns,
} from './users.ts'

interface Needs {
  warehouse: Pick<Warehouse, 'load'>
  timezone: string
  dataDir: string
  /** What people's phones and device ids are encrypted with. */
  personKey: Buffer
  /** For tests: smaller slices. */
  sliceBytes?: number
  sliceRows?: number
  peopleInMemory?: number
}

/** From here on there are too many parts to leave them as they are. */
const CHUNKS_UNMERGED = 100
const ATTRIBUTES_MAX = 1000
const EVENT_NAMES_MAX = 10_000
const LOADED_SHARE = 0.92

export const workDirectory = (dataDir: string, import_id: number) => join(dataDir, 'import', String(import_id))
export const refusedPath = (dataDir: string, import_id: number) => join(dataDir, 'import', `refused-${import_id}.csv`)

/** Reads files into the stages of an import, chunk by chunk: bounded memory whatever their size. */
export function loader(needs: Needs) {
  const { warehouse, timezone, dataDir, personKey, sliceBytes, sliceRows } = needs
  const { load } = warehouse

  /** Fills the import's stages from its file, from the beginning; what an earlier run left there is dropped. */
  async function loadFile(job: LoadJob, run: LoadRun = {}): Promise<Loaded> {
    const directory = workDirectory(dataDir, job.import_id)
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    try {
      const kind = await kindOf(job.path, job.file_name)
      run.progress?.(0, '读取文件')
      const source: SliceSource =
        kind.format === 'parquet'
          ? await prepareParquet(load, job.path, kind.isGzip, directory)
          : { path: job.path, format: kind.format, isGzip: kind.isGzip, directory, areAllCells: !load.readsFiles }
      // At once: its thread begins while the tables are made.
      const cutter = openSource({
        source: { ...source, ...(sliceBytes ? { sliceBytes } : {}), ...(sliceRows ? { sliceRows } : {}) },
        refusedPath: refusedPath(dataDir, job.import_id),
      })
      try {
        return await loadSlices(job, { cutter, size: Math.max(1, (await stat(source.path)).size) }, run)
      } finally {
        await cutter.close()
      }
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  async function loadSlices(
    job: LoadJob,
    { cutter, size }: { cutter: ReturnType<typeof openSource>; size: number },
    { signal, progress }: LoadRun,
  ): Promise<Loaded> {
    const { import_id, adv_id, mapping } = job
    cutter.ask()
    cutter.ask()
    const stage = stages(load, mapping.kind, import_id)
    await stage.create()
    // What is merged now is merged again beside the rows of other imports.
    await stage.merge(false)
    const table = mapping.kind === 'users' ? 'person_row' : 'event'
    const key = rowKey(adv_id, mapping)
    const own = stage.stage(table)
    const deduper = dedupe({ load, import_id, adv_id, table, stage: own, key, signal })
    const keys = stage.stage('person_key')
    const numbered = openNumbering({
      load,
      import_id,
      adv_id,
      kind: mapping.kind,
      keys,
      fileBytes: size,
      peopleInMemory: needs.peopleInMemory,
      signal,
    })
    const [numbering] = await Promise.all([numbered, deduper.create()])
    const hadRows = await exists(`SELECT 1 FROM ${table} WHERE adv_id = ${adv_id} LIMIT 1`)
    const slots = new Map(job.attributes.map(({ name, slot }) => [name, slot]))
    const total = { rows: 0, refused: 0, duplicate: 0, chunks: 0 }
    const reasons = new Map<string, number>()
    const warnings = new Map<string, number>()
    const ranges: [number, number][] = []
    const command = (sql: string) => load.command(sql, {}, { signal })
    const values = collectValues(load)
    let plan: Plan | undefined
    let isFirst = true

    async function exists(sql: string): Promise<boolean> {
      return (await load.query(sql)).length > 0
    }

    /** Reads a slice into a table in memory, and looks it through; runs while the chunk before is stored. */
    async function readSlice(slice: Slice) {
      const chunk = stageOf(import_id, `chunk${slice.number % 2}`)
      const isNumbered = mapping.kind === 'users' && mapping.id === ROW_ID
      const sentTo = load.readsFiles ? null : stageOf(import_id, 'lines')
      const sliced = sliceSql(slice, key, { isNumbered, sentTo })
      const isKnown = await numbering.keepIds(slice)
      // Users are looked up when they are stored: their chunk before may have made them known.
      const known = (id: string) => (isKnown && mapping.kind === 'events' ? numbering.numberOf(id) : 'toUInt32(0)')
      plan = planOf(mapping, slice.columns)
      if (plan.kind === 'users') await giveSlots(plan)
      const columns = plan.kind === 'users' ? userColumns(plan, slots) : EVENT_COLUMNS
      await command(`DROP TABLE IF EXISTS ${chunk} SYNC`)
      await command(
        `CREATE TABLE ${chunk} (r UInt32, row UInt64, one_id String, u1 UInt32, h UInt128, fixed UInt8, reason UInt8, ${columns})
         ENGINE = Memory`,
      )
      const select =
        plan.kind === 'users'
          ? userChunkSql(sliced, plan, slots, { known })
          : eventChunkSql(sliced, plan, { timezone, nowMs: job.nowMs, messages: messageKey(adv_id), known })
      const names = columnNames(plan)
      const insert = `INSERT INTO ${chunk} (${names.join(', ')}) SELECT ${names.join(', ')} FROM (${select})`
      if (sentTo) {
        await command(`CREATE TABLE IF NOT EXISTS ${sentTo} (line String) ENGINE = Memory`)
        await command(`TRUNCATE TABLE ${sentTo}`)
        await load.insertLines(sentTo, slice.path)
      }
      await command(insert)
      // Whatever a duplicate says was stored with the row that it repeats.
      const [numbered] = await Promise.all([
        numberRows(chunk, plan),
        plan.kind === 'users' ? values.add(chunk, attributeColumns(plan), 'reason = 0', signal) : undefined,
      ])
      return { slice, name: chunk, plan, isKnown, ...numbered }
    }

    async function numberRows(chunk: string, of: Plan) {
      const look = await lookAt(chunk, of)
      return { look, firstNumber: look.good > 0 ? await numbering.takeAll(chunk, look) : null }
    }

    type Chunk = Awaited<ReturnType<typeof readSlice>>

    const columnNames = (of: Plan): string[] => {
      const own =
        of.kind === 'users'
          ? [...personColumns(of), ...attributeColumns(of), ...of.identifiers.map((_, index) => `i${index}`)]
          : ['ts', 'name', 'title', 'properties']
      return ['r', 'row', 'one_id', 'u1', 'h', 'fixed', 'reason', ...own]
    }
    const attributeColumns = (of: Plan) => of.rest.map(({ name }) => slotColumn(slots.get(name) as number))

    /** New attributes get the next free columns of person_row. */
    async function giveSlots(of: Plan) {
      const taken = new Set(slots.values())
      const fresh = of.rest.filter(({ name }) => !slots.has(name))
      if (slots.size + fresh.length > ATTRIBUTES_MAX) {
        throw new AppError('importMapping', { reason: `属性超过 ${ATTRIBUTES_MAX} 个，请用 --skip 去掉不需要的列` })
      }
      for (const { name } of fresh) {
        let slot = 0
        while (taken.has(slot)) slot++
        taken.add(slot)
        slots.set(name, slot)
      }
      const columns = attributeColumns(of)
      const isReady = fresh.length === 0 && !isFirst
      isFirst = false
      if (columns.length === 0 || isReady) return
      const add = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column} String`).join(', ')
      await Promise.all(['person_row', own].map((to) => load.command(`ALTER TABLE ${to} ${add}`)))
    }

    /** Stores a chunk in the stages; answers the engine's refusals as bytes. */
    async function storeChunk(chunk: Chunk) {
      const { slice, plan, look, firstNumber } = chunk
      const { good } = look
      let duplicates = 0
      if (firstNumber !== null) await storeNewcomers(chunk, await numbering.byRow(firstNumber, chunk.name, look))
      else if (good > 0) {
        await numbering.compareIds(chunk.isKnown)
        const told = await deduper.rows(chunk.name, await rangeOf(plan, look))
        duplicates = told.duplicates
        if (good > duplicates) {
          const isLookedUp = plan.kind === 'events' && chunk.isKnown && look.strangers === 0
          // Strangers when the chunk was read; the chunk before may have made them known since.
          if (look.strangers > 0) await numbering.addNew(told.rows, chunk.name, chunk.isKnown)
          await storeRows(chunk, told.rows, `toUInt32(${isLookedUp ? 'u1' : numbering.numberOf('one_id')} - 1)`)
        }
      }
      const refused =
        good === slice.rows
          ? new Uint8Array()
          : await load.bytes(`SELECT r, reason FROM ${chunk.name} WHERE reason != 0 FORMAT RowBinary`)
      await command(`TRUNCATE TABLE ${chunk.name}`)
      total.rows += slice.seen
      total.refused += slice.seen - good
      total.duplicate += duplicates
      total.chunks++
      if (total.chunks === CHUNKS_UNMERGED) await stage.merge(true)
      return refused
    }

    /** What decides how the chunk is stored, in one pass. */
    async function lookAt(chunk: string, of: Plan) {
      const moments =
        of.kind === 'events'
          ? 'countIf(u1 = 0 AND reason = 0) AS strangers, countIf(fixed AND reason = 0) AS messages, toString(minIf(ts, reason = 0)) AS lo, toString(maxIf(ts, reason = 0)) AS hi'
          : `good AS strangers, 0 AS messages, '0' AS lo, '0' AS hi`
      const [look] = await load.query<Look>(
        `SELECT countIf(reason = 0) AS good, max(r) AS last, ${moments} FROM ${chunk}`,
        {},
        { signal },
      )
      if (!look) throw new Error('a count answers one row')
      return look
    }

    /** Rows of people who are all new: none can repeat another. */
    async function storeNewcomers(chunk: Chunk, uid: string): Promise<void> {
      await Promise.all([
        storeRows(chunk, `(SELECT *, h AS row_id FROM ${chunk.name} WHERE reason = 0)`, uid),
        command(
          `INSERT INTO ${keys} (adv_id, one_id, uid, import_id)
           SELECT ${adv_id}, one_id, ${uid}, ${import_id} FROM ${chunk.name} WHERE reason = 0`,
        ),
      ])
    }

    async function storeRows({ plan }: Chunk, rows: string, uid: string) {
      if (plan.kind === 'events') {
        const sql = storeEventsSql(own, rows, adv_id, import_id, uid)
        return load.command(sql, {}, { signal, settings: { max_insert_threads: 2 } })
      }
      const at = { adv_id, import_id, uid, nowMs: job.nowMs, key: personKey }
      await Promise.all([command(storeUsersSql(own, rows, plan, slots, at)), storeIdentifiers(rows, at)])
    }

    async function storeIdentifiers(rows: string, at: { adv_id: number; import_id: number; uid: string }) {
      if (plan?.kind !== 'users') return
      for (const cells of identifierCells(plan, personKey)) {
        await command(storeIdentifiersSql(stage.stage('identifier'), rows, cells, at))
        const [bad] = await load.query<{ n: number }>(
          `SELECT count() AS n FROM ${rows} WHERE ${cells.column} != '' AND NOT (${cells.isValid})`,
          {},
          { signal },
        )
        if (bad?.n) {
          const reason = `${cells.label}格式不正确，未作为标识保存`
          warnings.set(reason, (warnings.get(reason) ?? 0) + bad.n)
        }
      }
    }

    /** Where rows that repeat one of the chunk may be: events of the same moments, users anywhere. */
    async function rangeOf(of: Plan, { lo, hi, messages }: Look): Promise<ChunkRange> {
      const anywhere: ChunkRange = {
        table: hadRows ? { there: '1', here: '1' } : null,
        stage: total.chunks > 0 ? { there: '1', here: '1' } : null,
      }
      if (of.kind === 'users' || messages > 0) return anywhere
      const moment = (ms: number) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
      const between = (first: number, last: number) => ({
        there: `ts >= ${moment(first)} AND ts <= ${moment(last)}`,
        here: `ts >= ${first} AND ts <= ${last}`,
      })
      const [from, to] = [Number(lo), Number(hi)]
      const within = between(from, to)
      const isMet =
        hadRows && (await exists(`SELECT 1 FROM event WHERE adv_id = ${adv_id} AND ${within.there} LIMIT 1`))
      // Files in order of time share no more than a moment from one chunk to the next.
      const shared = ranges
        .map((range) => [Math.max(range[0], from), Math.min(range[1], to)] as const)
        .filter(([first, last]) => first <= last)
      ranges.push([from, to])
      return {
        table: isMet ? within : null,
        stage:
          shared.length === 0
            ? null
            : between(Math.min(...shared.map(([first]) => first)), Math.max(...shared.map(([, last]) => last))),
      }
    }

    let storing = Promise.resolve()
    for (;;) {
      const cut = await Promise.race([cutter.next(), storing.then(() => never)])
      if (!cut) break
      signal?.throwIfAborted()
      const read = readSlice(cut.slice)
      // It is awaited below; meanwhile the chunk before may fail first.
      read.catch(() => {})
      await storing
      const chunk = await read
      storing = storeChunk(chunk).then(async (refused) => {
        // Settled before the next slice is cut, which takes the thread longer than anything is to wait for.
        const settled = cutter.settle(cut.slice.number, refused)
        cutter.ask()
        for (const [reason, rows] of await settled) {
          reasons.set(reason, (reasons.get(reason) ?? 0) + rows)
        }
        progress?.(
          LOADED_SHARE * Math.min(1, cut.slice.bytesRead / size),
          `已读取 ${total.rows.toLocaleString('en')} 行`,
        )
      })
      // Heard at the next slice, or after the last.
      storing.catch(() => {})
    }
    await storing
    await cutter.end()
    progress?.(LOADED_SHARE, '汇总')
    return summary()

    async function summary(): Promise<Loaded> {
      const [kept] = await load.query<{ n: number; last: number }>(`SELECT count() AS n, max(uid) AS last FROM ${own}`)
      const stored = kept?.n ?? 0
      if (stored > 0 && (kept?.last ?? 0) > numbering.last()) {
        throw new Error(`rows of person ${kept?.last}, where ${numbering.last()} is the last`)
      }
      if (stored + total.duplicate + total.refused !== total.rows) {
        throw new Error(`the report does not close: ${JSON.stringify({ ...total, stored })}`)
      }
      let events: Loaded['events'] = []
      let days: string[] = []
      if (mapping.kind === 'events' && stored > 0) {
        const day = stage.stage('event_day')
        await load.command(storeDaysSql(day, own, timezone), {}, { signal, settings: { optimize_on_insert: 0 } })
        const found = await load.query<{ name: string; days: string[] }>(
          `SELECT name, arrayMap(day -> toString(day), groupUniqArray(day)) AS days FROM ${day} GROUP BY name ORDER BY name`,
        )
        if (found.length > EVENT_NAMES_MAX) {
          throw new AppError('importMapping', { reason: `事件名超过 ${EVENT_NAMES_MAX} 种，请检查事件列` })
        }
        const properties = plan?.rest.map(({ name }) => name) ?? []
        events = found.map(({ name }) => ({ name, properties }))
        days = [...new Set(found.flatMap((one) => one.days))].sort()
      }
      const found = await typedValues(load, own, stored > 0 ? values.lists() : new Map(), signal)
      const ofFile = plan?.kind === 'users' && stored > 0 ? plan.rest : []
      const attributes = ofFile.map(({ name }) => {
        const slot = slots.get(name) as number
        return { name, slot, ...withoutLongValues(found.get(slotColumn(slot)) as FileValues) }
      })
      const parts = ['chunk0', 'chunk1', 'lines', 'uid', 'hash', 'rank', 'seen', 'suspect', 'numbered', 'known']
      await Promise.all(parts.map((part) => load.command(`DROP TABLE IF EXISTS ${stageOf(import_id, part)} SYNC`)))
      const counted = (of: Map<string, number>) =>
        [...of].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows - a.rows)
      return {
        rows: total.rows,
        stored,
        duplicate: total.duplicate,
        refused: total.refused,
        new_people: numbering.newPeople(),
        reasons: counted(reasons),
        warnings: counted(warnings),
        attributes,
        events,
        days,
      }
    }
  }

  return { loadFile }
}
export type Loader = ReturnType<typeof loader>

interface Look extends NewcomersLook {
  /** Rows whose ids were not known when the chunk was read. */
  strangers: number
  messages: number
  lo: string
  hi: string
}

/** A failure of the chunk before is heard while the next slice is waited for. */
const never = new Promise<never>(() => {})
