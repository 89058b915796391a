import type { Handles } from '../../clickhouse/handles.ts'
import { type HashKey, hash128 } from '../reading/plan.ts'
import { stageOf } from '../stage.ts'

export interface DedupePlan {
  load: Handles
  import_id: number
  adv_id: number
  /** Where rows with ids are: the table and this import's stage of it. */
  table: string
  stage: string
  key: HashKey
  signal?: AbortSignal | undefined
}

/** Conditions on a table and on the chunk for the rows that may repeat one another. */
export interface Overlap {
  there: string
  here: string
}
export interface ChunkRange {
  /** null: no row there can repeat a row of the chunk. */
  table: Overlap | null
  stage: Overlap | null
}

/**
 * Assigns ids to the rows of a chunk: the hash of a row's cells, with a count where the file repeats it. Only suspects
 * are checked, that is rows repeated in the chunk or found in the store; all others keep their hash. `seen` holds how
 * often a suspect's cells were in the file so far.
 */
export function dedupe({ load, import_id, adv_id, table, stage, key, signal }: DedupePlan) {
  const seen = stageOf(import_id, 'seen')
  const suspect = stageOf(import_id, 'suspect')
  const numbered = stageOf(import_id, 'numbered')
  const here = (sql: string) => load.oneNode.command(sql, {}, { signal })
  const across = (sql: string) => load.acrossShards.command(sql, {}, { signal })

  async function hasRepeats(chunk: string): Promise<boolean> {
    // If all half hashes differ, nothing is repeated; comparing halves costs a third of comparing whole hashes.
    const [row] = await load.oneNode.query<{ repeated: number }>(
      `SELECT count() > uniqExact(toUInt64(h)) AS repeated FROM ${chunk} WHERE reason = 0`,
      {},
      { signal },
    )
    return row?.repeated === 1
  }

  return {
    async create() {
      await Promise.all([
        here(`CREATE TABLE ${seen} (h UInt128, n UInt64) ENGINE = MergeTree ORDER BY h`),
        here(`CREATE TABLE ${suspect} (h UInt128, n UInt64, in_table UInt8, before UInt64) ENGINE = Memory`),
        here(`CREATE TABLE ${numbered} (r UInt32, row_id UInt128, dup UInt8) ENGINE = Memory`),
      ])
    },

    /**
     * The chunk's rows that count, with `row_id`, as a subquery, and how many are duplicates. `repeats`: those duplicates
     * that repeat a row of an earlier import, with its `row_id`.
     */
    async rows(
      chunk: string,
      range: ChunkRange,
    ): Promise<{ rows: string; duplicates: number; repeats: string | null }> {
      const plain = { rows: `(SELECT *, h AS row_id FROM ${chunk} WHERE reason = 0)`, duplicates: 0, repeats: null }
      const repeats = await hasRepeats(chunk)
      if (!repeats && !range.table && !range.stage) return plain
      await here(`TRUNCATE TABLE ${suspect}`)
      await here(`TRUNCATE TABLE ${numbered}`)
      const found = (from: string, { there, here }: Overlap, mark: string) =>
        `SELECT row_id AS h, 0 AS n, ${mark} FROM ${from}
         WHERE adv_id = ${adv_id} AND ${there} AND row_id IN (SELECT h FROM ${chunk} WHERE reason = 0 AND ${here})`
      const parts = [
        ...(repeats
          ? [
              `SELECT h, count() AS n, 0 AS in_table, 0 AS in_stage FROM ${chunk} WHERE reason = 0
               GROUP BY h HAVING n > 1`,
            ]
          : []),
        ...(range.table ? [found(table, range.table, '1 AS in_table, 0 AS in_stage')] : []),
        ...(range.stage ? [found(stage, range.stage, '0 AS in_table, 1 AS in_stage')] : []),
      ]
      await across(
        `INSERT INTO ${suspect}
         SELECT h, n, in_table, if(s.n > 0, s.n, toUInt64(in_stage)) AS before
         FROM (SELECT h, sum(n) AS n, max(in_table) AS in_table, max(in_stage) AS in_stage
               FROM (${parts.join(' UNION ALL ')}) GROUP BY h) AS found
         LEFT ANY JOIN (SELECT h, max(n) AS n FROM ${seen} GROUP BY h) AS s USING (h)`,
      )
      const [any] = await load.oneNode.query<{ n: number }>(`SELECT count() AS n FROM ${suspect}`)
      if (!any?.n) return plain
      const numberedId = `if(k = 0, h, ${hash128(key, `concat(toString(h), '#', toString(k))`)})`
      // A message id counts once; of rows with equal cells, the k-th is a duplicate when the store has a k-th.
      const number = (rows: string) =>
        `INSERT INTO ${numbered}
         SELECT r, ${numberedId} AS row_id, if(fixed, k > 0 OR in_table, k = 0 AND in_table) AS dup FROM (${rows})`
      await here(
        number(
          `SELECT r, h, fixed, in_table, before AS k FROM ${chunk} AS c
           INNER JOIN (SELECT * FROM ${suspect} WHERE n = 0) AS s USING (h) WHERE reason = 0`,
        ),
      )
      if (repeats) {
        await here(
          number(
            `SELECT r, h, fixed, in_table, before + row_number() OVER (PARTITION BY h ORDER BY r) - 1 AS k
             FROM ${chunk} AS c INNER JOIN (SELECT * FROM ${suspect} WHERE n > 0) AS s USING (h) WHERE reason = 0`,
          ),
        )
      }
      await here(`INSERT INTO ${seen} SELECT h, before + greatest(n, 1) FROM ${suspect}`)
      const again = await repeatsInTable(range)
      const dup = again ? `(d.dup OR d.row_id IN (SELECT row_id FROM ${again}))` : 'd.dup'
      const [count] = await load.oneNode.query<{ n: number }>(
        `SELECT count() AS n FROM ${numbered} AS d WHERE ${dup}`,
        {},
        { signal },
      )
      return {
        rows: `(SELECT c.*, if(d.row_id = 0, c.h, d.row_id) AS row_id FROM ${chunk} AS c
                LEFT ANY JOIN ${numbered} AS d USING (r) WHERE c.reason = 0 AND NOT ${dup})`,
        duplicates: count?.n ?? 0,
        // Of rows with one message id in the file only the first can repeat a stored one.
        repeats:
          count?.n && range.table
            ? `(SELECT c.*, d.row_id AS row_id FROM ${chunk} AS c
                INNER ANY JOIN (SELECT r, row_id FROM ${numbered} AS d WHERE ${dup}) AS d USING (r)
                WHERE c.reason = 0 AND (NOT c.fixed OR d.row_id = c.h))`
            : null,
      }
    },
  }

  /** The table of ids of second and later equal rows in the store; null when there are none. */
  async function repeatsInTable(range: ChunkRange): Promise<string | null> {
    if (!range.table) return null
    const known = stageOf(import_id, 'known')
    await here(`CREATE TABLE IF NOT EXISTS ${known} (row_id UInt128) ENGINE = Memory`)
    await here(`TRUNCATE TABLE ${known}`)
    await across(
      `INSERT INTO ${known} SELECT row_id FROM ${table} WHERE adv_id = ${adv_id} AND ${range.table.there}
       AND row_id IN (SELECT row_id FROM ${numbered} WHERE dup = 0)`,
    )
    const [row] = await load.oneNode.query<{ n: number }>(`SELECT count() AS n FROM ${known}`)
    return row?.n ? known : null
  }
}
