import { WARNING_LINES } from '#contract/import-warning.ts'
import { outcome } from '#contract/outcome.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { AttributeSlots } from '../attribute-slots.ts'
import { rowCounter } from '../counted-rows.ts'
import { partSql } from '../file-parts.ts'
import type { LoadJob } from '../load-types.ts'
import type { Numbering } from '../numbering.ts'
import type { Chunk } from '../reading/chunk-reader.ts'
import type { Plan, UsersPlan } from '../reading/plan.ts'
import type { stages } from '../stage.ts'
import { type DedupePlan, dedupe } from './dedupe.ts'
import { storeEventRepeatsSql, storeEventsSql } from './events.ts'
import { openRepeats } from './repeats.ts'
import { identifierCells, storeIdentifiersSql, storeUserRepeatsSql, storeUsersSql } from './users.ts'

interface StoreDeps {
  load: Handles
  job: Pick<LoadJob, 'import_id' | 'adv_id' | 'nowMs' | 'at' | 'parts'> & { mapping: Pick<LoadJob['mapping'], 'kind'> }
  stage: ReturnType<typeof stages>
  key: DedupePlan['key']
  numbering: Numbering
  slots: Pick<AttributeSlots, 'columns'>
  /** The key that encrypts people's phones and device ids. */
  personKey: Buffer
  signal?: AbortSignal | undefined
}

/** A chunk as it is stored; `rows` are those that were read, refused ones too. */
type StoredChunk = Omit<Chunk, 'slice'> & { slice: { rows: number } }

/** Stores chunks in the import's stages, one at a time and in order. */
export async function chunkStore({ load, job, stage, key, numbering, slots, personKey, signal }: StoreDeps) {
  const { import_id, adv_id, mapping } = job
  const table = mapping.kind === 'users' ? 'person_row' : 'event'
  const own = stage.stage(table)
  const across = (sql: string) => load.acrossShards.command(sql, {}, { signal })
  const exists = async (sql: string) => (await load.acrossShards.query(sql)).length > 0
  const deduper = dedupe({ load, import_id, adv_id, table, stage: own, key, signal })
  const [hadRows] = await Promise.all([
    exists(`SELECT 1 FROM ${table} WHERE adv_id = ${adv_id} LIMIT 1`),
    deduper.create(),
  ])
  const rangeOf = openRepeats({
    kind: mapping.kind,
    hadRows,
    hasEvents: (where) => exists(`SELECT 1 FROM event WHERE adv_id = ${adv_id} AND ${where} LIMIT 1`),
  })
  const warnings = rowCounter()
  let isFirst = true

  /** Stores rows whose people are all new, so no row can repeat another. */
  async function storeNewcomers(chunk: StoredChunk, uid: string): Promise<void> {
    await Promise.all([
      storeRows(chunk, `(SELECT *, h AS row_id FROM ${chunk.name} WHERE reason = 0)`, uid),
      across(
        `INSERT INTO ${stage.stage('person_key')} (adv_id, one_id, uid, import_id)
         SELECT ${adv_id}, one_id, ${uid}, ${import_id} FROM ${chunk.name} WHERE reason = 0`,
      ),
    ])
  }

  /** Stores rows that may repeat others; answers how many were duplicates and left out. */
  async function storeOthers(chunk: StoredChunk): Promise<number> {
    const { plan, facts, isKnown } = chunk
    await numbering.compareIds(isKnown)
    const { rows, duplicates, repeats } = await deduper.rows(chunk.name, await rangeOf(facts, isFirst))
    const isNothingNew = facts.good === duplicates
    const hasIdentifiers = plan.kind === 'users' && identifierCells(plan, personKey).length > 0
    if (isNothingNew && !(repeats && hasIdentifiers)) {
      if (repeats) await storeRepeats(plan, repeats)
      return duplicates
    }
    const isLookedUp = plan.kind === 'events' && isKnown && facts.unknownIds === 0
    // Ids unknown when the chunk was read; the previous chunk may have added them since.
    if (facts.unknownIds > 0) await numbering.addNew(rows, chunk.name, isKnown)
    if (repeats) await storeRepeats(plan, repeats)
    if (isNothingNew) return duplicates
    await storeRows(chunk, rows, `toUInt32(${isLookedUp ? 'u1' : numbering.numberOf('one_id')} - 1)`)
    return duplicates
  }

  async function storeRows({ plan }: StoredChunk, rows: string, uid: string): Promise<void> {
    if (plan.kind === 'events') {
      const sql = storeEventsSql(own, rows, adv_id, import_id, uid)
      // Events lie in parts by month, and a sender chooses the times: any number of months must be stored.
      const settings = { max_insert_threads: 2, max_partitions_per_insert_block: 0 }
      return load.acrossShards.command(sql, {}, { signal, settings })
    }
    const at = { adv_id, import_id, uid, nowMs: job.nowMs, isTimed: job.at !== undefined, key: personKey }
    await Promise.all([
      across(storeUsersSql(own, rows, plan, slots.columns(plan.rest), at)),
      storeIdentifiers(plan, rows, at),
    ])
  }

  /** Keeps the rows that repeat those of earlier imports, for the case that such an import is undone. */
  async function storeRepeats(plan: Plan, repeats: string): Promise<void> {
    const at = { adv_id, import_id, nowMs: job.nowMs }
    if (plan.kind === 'events') return across(storeEventRepeatsSql(stage.stage('event_repeat'), repeats, at))
    await across(storeUserRepeatsSql(stage.stage('person_row_repeat'), repeats, at))
    const uid = `toUInt32(${numbering.numberOf('one_id')} - 1)`
    for (const cells of identifierCells(plan, personKey)) {
      await across(storeIdentifiersSql(stage.stage('identifier_repeat'), repeats, cells, { adv_id, import_id, uid }))
    }
  }

  async function storeIdentifiers(
    plan: UsersPlan,
    rows: string,
    at: { adv_id: number; import_id: number; uid: string },
  ): Promise<void> {
    for (const cells of identifierCells(plan, personKey)) {
      await across(storeIdentifiersSql(stage.stage('identifier'), rows, cells, at))
      const bad = await load.oneNode.query<{ part: number; n: number; first: number[] }>(
        `SELECT ${partSql(job.parts ?? [], 'row')} AS part, count() AS n, groupArraySorted(${WARNING_LINES})(row) AS first
         FROM ${rows} WHERE ${cells.column} != '' AND NOT (${cells.isValid}) GROUP BY part`,
        {},
        { signal },
      )
      for (const { part, n, first } of bad)
        warnings.add(outcome('identifier_not_stored', { type: cells.type }), n, { first, part })
    }
  }

  return {
    /** Rows with values that were not stored as identifiers. */
    warnings: () => warnings.counts(),

    /** Stores a chunk and empties its table. `refused`: refused rows and their reasons, as bytes. */
    async store(chunk: StoredChunk): Promise<{ refused: Uint8Array; duplicates: number }> {
      const { name, slice, facts, firstNumber } = chunk
      let duplicates = 0
      if (firstNumber !== null) await storeNewcomers(chunk, await numbering.byRow(firstNumber, name, facts))
      else if (facts.good > 0) duplicates = await storeOthers(chunk)
      isFirst = false
      const refused =
        facts.good === slice.rows
          ? new Uint8Array()
          : await load.oneNode.bytes(`SELECT r, reason FROM ${name} WHERE reason != 0 FORMAT RowBinary`)
      await load.oneNode.command(`TRUNCATE TABLE ${name}`)
      return { refused, duplicates }
    },
  }
}
