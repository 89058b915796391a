import type { ImportKind } from '#contract/import.ts'
import { quote, quoteName } from '../clickhouse/bind.ts'
import { createLike } from '../clickhouse/create-like.ts'
import { isEngineError } from '../clickhouse/engine-error.ts'
import { type EveryShard, type OneNode, sumOf } from '../clickhouse/handles.ts'
import { projectionsEver } from '../clickhouse/projections.ts'

/** The tables that an import fills; each has a stage until the whole file is read. */
const PARTS = {
  users: ['person_key', 'person_row', 'identifier', 'person_row_repeat', 'identifier_repeat'],
  events: ['person_key', 'event', 'event_day', 'event_repeat'],
  reports: ['report_day'],
} as const
export type StageTable = (typeof PARTS)[ImportKind][number]

const PREFIX = 'import_'
export const stageOf = (import_id: number, part: string) => `${PREFIX}${import_id}_${part}`

/** The working tables of a load, kept until all chunks are stored. */
const LOAD_PARTS = ['chunk0', 'chunk1', 'lines', 'uid', 'hash', 'rank', 'seen', 'suspect', 'numbered', 'known']

/** The sum that stays the same when the engine merges rows. */
const SIZE: Partial<Record<StageTable, string>> = { event_day: 'sum(n)' }

/** An import's own tables, not read by others until they are joined to the shared tables, partition by partition. */
export function stages(load: EveryShard, kind: ImportKind, import_id: number) {
  const tables: readonly StageTable[] = PARTS[kind]
  const stage = (table: StageTable) => stageOf(import_id, table)

  /** The partitions of all stages, in the order of the tables. */
  async function partitions(): Promise<{ table: StageTable; partition: string }[]> {
    const shards = await load.query<{ of: string; id: string }>(
      `SELECT DISTINCT table AS of, partition_id AS id FROM system.parts
       WHERE database = currentDatabase() AND table IN ({stages:Array(String)}) AND active`,
      { stages: tables.map(stage) },
    )
    return tables.flatMap((table) => {
      const own = shards.flat().flatMap(({ of, id }) => (of === stage(table) ? [id] : []))
      return [...new Set(own)].sort().map((partition) => ({ table, partition }))
    })
  }

  async function sizeOf(from: string, table: StageTable, partition: string): Promise<number> {
    const sizes = await load.query<{ size: number }>(
      `SELECT ${SIZE[table] ?? 'count()'} AS size FROM ${from}
       WHERE import_id = {import_id:UInt32} AND _partition_id = {partition:String}`,
      { import_id, partition },
    )
    return sumOf(sizes, 'size')
  }

  /** Adds columns that another import has added to the table since; their order does not matter. */
  async function addMissingColumns(table: StageTable) {
    const rows = await load.query<{ name: string; type: string; made: string }>(
      `SELECT name, type, trim(concat(default_kind, ' ', default_expression)) AS made FROM system.columns WHERE database = currentDatabase() AND table = {table:String}
       AND name NOT IN (SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {stage:String})`,
      { table, stage: stage(table) },
    )
    for (const { name, type, made } of rows.flat()) {
      await load.command(`ALTER TABLE ${stage(table)} ADD COLUMN IF NOT EXISTS ${quoteName(name)} ${type} ${made}`)
    }
  }

  /** Of a stage that an earlier version made: the table's own are made when its parts are merged. */
  async function dropProjections(table: StageTable) {
    for (const name of projectionsEver(table)) {
      await load.command(`ALTER TABLE ${stage(table)} DROP PROJECTION IF EXISTS ${name} SETTINGS mutations_sync = 2`)
    }
  }

  async function attach(table: StageTable, partition: string) {
    for (let attempt = 1; ; attempt++) {
      try {
        await load.command(`ALTER TABLE ${table} ATTACH PARTITION ID ${quote(partition)} FROM ${stage(table)}`)
        return
      } catch (error) {
        if (attempt === 6 || !isEngineError(error, 'incompatible_columns', 'different_projections')) throw error
        if (error.code === 'different_projections') await dropProjections(table)
        else await addMissingColumns(table)
      }
    }
  }

  return {
    stage,

    async create() {
      await dropStage(load, import_id)
      await createLike(
        load,
        tables.map((table) => ({ stage: stage(table), table })),
      )
    },

    /** Allows or stops merges of the stages' parts. */
    async merge(may: boolean) {
      await Promise.all(tables.map((table) => load.command(`SYSTEM ${may ? 'START' : 'STOP'} MERGES ${stage(table)}`)))
    },

    /** Makes one part of a table's rows, which are then joined all at once or not at all, whatever kills the process. */
    async toOnePart(table: StageTable) {
      const parts = await load.query<{ n: number }>(
        `SELECT count() AS n FROM system.parts
         WHERE database = currentDatabase() AND table = {stage:String} AND active`,
        { stage: stage(table) },
      )
      if (!parts.flat().some(({ n }) => n > 1)) return
      await load.command(`OPTIMIZE TABLE ${stage(table)} FINAL SETTINGS optimize_throw_if_noop = 1`)
    },

    /**
     * Joins the stages to the tables. Run again after a kill, it finds the partitions that were joined completely;
     * those joined in part are removed and joined again.
     */
    async join({ isAgain }: { isAgain: boolean }) {
      for (const { table, partition } of await partitions()) {
        if (isAgain) {
          const had = await sizeOf(table, table, partition)
          if (had === (await sizeOf(stage(table), table, partition))) continue
          if (had > 0) {
            // Other partitions of the table, such as an event's earlier months, may be joined already.
            await load.command(
              `ALTER TABLE ${table} DELETE IN PARTITION ID ${quote(partition)} WHERE import_id = ${import_id} SETTINGS mutations_sync = 2`,
            )
          }
        }
        await attach(table, partition)
      }
    },

    drop: () => dropStage(load, import_id),
  }
}

export async function dropParts(load: OneNode, import_id: number): Promise<void> {
  await load.command(`DROP TABLE IF EXISTS ${LOAD_PARTS.map((part) => stageOf(import_id, part)).join(', ')} SYNC`)
}

export async function dropStage(load: EveryShard, import_id: number): Promise<void> {
  const rows = await load.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix:String})`,
    { prefix: stageOf(import_id, '') },
  )
  const names = [...new Set(rows.flat().map(({ name }) => quoteName(name)))]
  if (names.length > 0) await load.command(`DROP TABLE IF EXISTS ${names.join(', ')} SYNC`)
}

/** Imports that still have stages or working tables. */
export async function stagedImports(load: EveryShard): Promise<number[]> {
  const rows = await load.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, '${PREFIX}')`,
  )
  const ids = rows.flat().map(({ name }) => Number(new RegExp(`^${PREFIX}(\\d+)_`).exec(name)?.[1]))
  return [...new Set(ids)].filter((id) => Number.isSafeInteger(id))
}
