import { ROW_ID } from '#contract/import.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import type { Slice } from '../../files/slice.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import type { AttributeSlots } from '../attribute-slots.ts'
import type { collectValues } from '../attribute-values.ts'
import type { LoadJob } from '../load-types.ts'
import type { AcceptedRows, Numbering } from '../numbering.ts'
import { stageOf } from '../stage.ts'
import { sliceSql } from './chunk-sql.ts'
import { EVENT_COLUMNS, eventChunkSql } from './events.ts'
import { messageKey, type Plan, planOf, planOfKeys, rowKey } from './plan.ts'
import { sentLines } from './sent-lines.ts'
import { userChunkSql, userColumns } from './users.ts'

interface ReaderDeps {
  load: Handles
  job: LoadJob
  isNdjson: boolean
  timezone: string
  numbering: Numbering
  slots: AttributeSlots
  values: ReturnType<typeof collectValues>
  /** Whose rows are refused; null where nobody was forgotten. */
  forgotten: Forgotten | null
  signal?: AbortSignal | undefined
}

/** A slice of the file as a table in memory, its rows hashed and checked. */
export interface Chunk {
  slice: Slice
  /** The table's name. */
  name: string
  plan: Plan
  /** Whether the numbering had all ids in memory when the chunk was read. */
  isKnown: boolean
  facts: ChunkFacts
  /** The first person's number if all people are new; null if ids must be compared. */
  firstNumber: number | null
}

/** The time range of a chunk's rows in ms, and how many rows have a message id. */
export interface ChunkMoments {
  lo: string
  hi: string
  messages: number
}

/** The numbers that decide how a chunk is stored. */
interface ChunkFacts extends AcceptedRows, ChunkMoments {
  /** Rows whose ids were not known when the chunk was read. */
  unknownIds: number
}

/** The common columns of chunks; `r` is the row in the slice, `u1` the person's number plus one, 0 for an unknown id. */
export const COMMON = {
  r: 'UInt32',
  row: 'UInt64',
  one_id: 'String',
  u1: 'UInt32',
  h: 'UInt128',
  fixed: 'UInt8',
  reason: 'UInt8',
}

/** Reads slices into chunks, one at a time, while the previous chunk is stored. */
export function chunkReader({
  load,
  job,
  isNdjson,
  timezone,
  numbering,
  slots,
  values,
  forgotten,
  signal,
}: ReaderDeps) {
  const { import_id, adv_id, mapping } = job
  const command = (sql: string) => load.oneNode.command(sql, {}, { signal })

  function columnsOf(plan: Plan): Record<string, string> {
    if (plan.kind === 'events') return { ...COMMON, ...EVENT_COLUMNS }
    const own = userColumns(plan, slots.columns(plan.rest)).map((column) => [column, 'String'])
    return { ...COMMON, ...Object.fromEntries(own), ...(job.at === undefined ? {} : { at: 'Int64' }) }
  }

  async function factsOf(chunk: string, plan: Plan): Promise<ChunkFacts> {
    const more =
      plan.kind === 'events'
        ? `countIf(u1 = 0 AND reason = 0) AS unknownIds, countIf(fixed AND reason = 0) AS messages,
           toString(minIf(ts, reason = 0)) AS lo, toString(maxIf(ts, reason = 0)) AS hi`
        : `good AS unknownIds, 0 AS messages, '0' AS lo, '0' AS hi`
    const [facts] = await load.oneNode.query<ChunkFacts>(
      `SELECT countIf(reason = 0) AS good, max(r) AS last, ${more} FROM ${chunk}`,
      {},
      { signal },
    )
    if (!facts) throw new Error('a count answers one row')
    return facts
  }

  async function numberRows(chunk: string, plan: Plan) {
    const facts = await factsOf(chunk, plan)
    return { facts, firstNumber: facts.good > 0 ? await numbering.takeAll(chunk, facts) : null }
  }

  return async function read(slice: Slice): Promise<Chunk> {
    const name = stageOf(import_id, `chunk${slice.number % 2}`)
    const isKnown = await numbering.keepIds(slice)
    const plan = (isNdjson ? planOfKeys : planOf)(mapping, slice.columns)
    if (plan.kind === 'users') await slots.give(plan.rest)
    const columns = Object.entries(columnsOf(plan))
    await command(`DROP TABLE IF EXISTS ${name} SYNC`)
    await command(`CREATE TABLE ${name} (${columns.map((column) => column.join(' ')).join(', ')}) ENGINE = Memory`)
    const isNumbered = mapping.kind === 'users' && mapping.id === ROW_ID
    const key = rowKey(adv_id, mapping, isNdjson ? null : slice.columns)
    const sliced = sliceSql(slice, key, { isNumbered, sentTo: await sentLines(load.oneNode, import_id, slice, signal) })
    // Users are looked up when they are stored, since the previous chunk may add them.
    const known = (id: string) => (isKnown && plan.kind === 'events' ? numbering.numberOf(id) : 'toUInt32(0)')
    const select =
      plan.kind === 'users'
        ? userChunkSql(sliced, plan, slots.columns(plan.rest), {
            known,
            forgotten,
            time: job.at === undefined ? null : slice.columns.indexOf(job.at),
          })
        : eventChunkSql(sliced, plan, { timezone, nowMs: job.nowMs, messages: messageKey(adv_id), known, forgotten })
    const names = columns.map(([column]) => column).join(', ')
    await command(`INSERT INTO ${name} (${names}) SELECT ${names} FROM (${select})`)
    const [numbered] = await Promise.all([
      numberRows(name, plan),
      // A duplicate has no value that the first row did not have.
      plan.kind === 'users' ? values.add(name, slots.columns(plan.rest), 'reason = 0', signal) : undefined,
    ])
    return { slice, name, plan, isKnown, ...numbered }
  }
}
