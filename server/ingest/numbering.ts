import type { Handles } from '../clickhouse/handles.ts'
import { memory } from '../config/memory.ts'
import type { Slice } from '../files/slice.ts'
import { stageOf } from './stage.ts'

/** Approximate bytes of an id in a table in memory. */
const ID_BYTES = 128
/** If more people than fit into a tenth of the memory exist, each chunk looks up its own ids instead of keeping all. */
const PEOPLE_IN_MEMORY = Math.max(8_000_000, Math.floor((memory * 0.1) / ID_BYTES))
/** A hash takes a quarter of an id. */
const HASHES_FOR_ID = 4

/** What numbering needs to know of a chunk. */
export interface AcceptedRows {
  /** Rows that are not refused, and the last row's number. */
  good: number
  last: number
}

interface NumberingPlan {
  load: Handles
  import_id: number
  adv_id: number
  kind: 'users' | 'events'
  /** The stage of person_key. */
  keys: string
  fileBytes: number
  /** The greatest number that was ever assigned: people whose imports were undone had numbers that are not given again. */
  lastUid: number
  /** For tests. */
  peopleInMemory?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Assigns numbers to the people of an import, one after the other, each once.
 *
 * The first users of an advertiser are numbered by their rows as long as no id repeats. Hashes of 64 bits show that no
 * two ids are equal; once two hashes are equal, ids are compared from there on.
 */
export async function openNumbering(plan: NumberingPlan) {
  const { load, import_id, adv_id, kind, keys, fileBytes, signal } = plan
  const peopleInMemory = plan.peopleInMemory ?? PEOPLE_IN_MEMORY
  const ids = stageOf(import_id, 'uid')
  const hashes = stageOf(import_id, 'hash')
  const rank = stageOf(import_id, 'rank')
  const here = (sql: string) => load.oneNode.command(sql, {}, { signal })
  const across = (sql: string) => load.acrossShards.command(sql, {}, { signal })

  await here(`CREATE TABLE ${ids} (one_id String, u1 UInt32) ENGINE = Join(ANY, LEFT, one_id) SETTINGS persistent = 0`)
  await here(`CREATE TABLE ${hashes} (h UInt64) ENGINE = Set SETTINGS persistent = 0`)
  const [people] = await load.acrossShards.query<{ n: number; base: number }>(
    'SELECT count() AS n, max(uid) + 1 AS base FROM person_key WHERE adv_id = {adv_id:UInt32}',
    { adv_id },
  )
  const hadPeople = people?.n ?? 0
  const base = Math.max(hadPeople > 0 ? (people?.base ?? 1) : 1, plan.lastUid + 1)
  let newPeople = 0
  let areAllKnown: boolean | undefined
  let areAllNew = kind === 'users' && hadPeople === 0
  /** People are no longer numbered by rows, and the ids numbered so far are not in memory yet. */
  let areIdsDue = false

  /** Whether no id of the chunk appeared before: the set of hashes must have grown to exactly this size. */
  async function areNew(chunk: string, people: number): Promise<boolean> {
    await here(`INSERT INTO ${hashes} SELECT cityHash64(one_id) FROM ${chunk} WHERE reason = 0`)
    const [set] = await load.oneNode.query<{ size: number }>(
      'SELECT total_rows AS size FROM system.tables WHERE database = currentDatabase() AND name = {hashes:String}',
      { hashes },
    )
    return set?.size === people
  }

  return {
    newPeople: () => newPeople,
    /** The greatest assigned number. */
    last: () => base + newPeople - 1,

    /**
     * Called before a chunk is read. Answers true if all ids stay in memory, with few people or many rows for them;
     * otherwise each chunk looks up its own.
     */
    async keepIds(slice: Pick<Slice, 'rows' | 'bytesRead'>): Promise<boolean> {
      // The number of rows, estimated from the first slice.
      const rowsAhead = (slice.rows * fileBytes) / Math.max(1, slice.bytesRead)
      if (areAllKnown === undefined) {
        areAllKnown = hadPeople <= peopleInMemory && hadPeople <= rowsAhead * 4
        if (areAllKnown && hadPeople > 0) {
          await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM person_key WHERE adv_id = ${adv_id}`)
        }
      }
      if (hadPeople + newPeople > peopleInMemory) areAllKnown = false
      return areAllKnown
    },

    /** A known id's number plus one, 0 for an unknown id; only while all ids are kept. */
    numberOf: (id: string) => `joinGet('${ids}', 'u1', ${id})`,

    /**
     * Numbers all good rows of a chunk by their position if none of their ids appeared before, and answers the first
     * number. Otherwise it takes no numbers and answers null, for all later chunks too: ids must then be compared.
     * Chunks come in order; earlier ones need not be stored yet.
     */
    async takeAll(chunk: string, { good }: AcceptedRows): Promise<number | null> {
      if (!areAllNew) return null
      if (newPeople + good > peopleInMemory * HASHES_FOR_ID || !(await areNew(chunk, newPeople + good))) {
        areAllNew = false
        areIdsDue = true
        return null
      }
      const first = base + newPeople
      newPeople += good
      return first
    },

    /** SQL over the chunk for its numbers from `first` on. One chunk at a time. */
    async byRow(first: number, chunk: string, { good, last }: AcceptedRows): Promise<string> {
      if (good === last + 1) return `toUInt32(${first} + r)`
      await here(`DROP TABLE IF EXISTS ${rank} SYNC`)
      await here(`CREATE TABLE ${rank} (r UInt32, n UInt32) ENGINE = Join(ANY, LEFT, r) SETTINGS persistent = 0`)
      await here(
        `INSERT INTO ${rank} SELECT r, n FROM (SELECT arraySort(groupArrayIf(r, reason = 0)) AS rows FROM ${chunk})
         ARRAY JOIN rows AS r, arrayEnumerate(rows) AS n`,
      )
      return `toUInt32(${first - 1} + joinGet('${rank}', 'n', r))`
    },

    /** Called before ids of a chunk are compared, when all earlier chunks are stored. */
    async compareIds(isKnown: boolean): Promise<void> {
      if (areIdsDue && isKnown && newPeople > 0) {
        await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM ${keys}`)
      }
      areIdsDue = false
    },

    /** Numbers the new ids among these rows of a chunk. */
    async addNew(rows: string, chunk: string, isKnown: boolean): Promise<void> {
      if (!isKnown) {
        const wanted = `adv_id = ${adv_id} AND one_id IN (SELECT DISTINCT one_id FROM ${chunk} WHERE reason = 0)`
        await here(`TRUNCATE TABLE ${ids}`)
        await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM person_key WHERE ${wanted}`)
        await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM ${keys} WHERE ${wanted}`)
      }
      const next = base + newPeople
      const isNew = `${kind === 'events' ? 'u1 = 0 AND ' : ''}joinGet('${ids}', 'u1', one_id) = 0`
      await across(
        `INSERT INTO ${keys} (adv_id, one_id, uid, import_id)
         SELECT ${adv_id}, one_id, toUInt32(${next} + rowNumberInAllBlocks()), ${import_id}
         FROM (SELECT DISTINCT one_id FROM ${rows} WHERE ${isNew})`,
      )
      const [made] = await load.acrossShards.query<{ n: number; last: number }>(
        `SELECT count() AS n, max(uid) AS last FROM ${keys} WHERE uid >= ${next}`,
      )
      if (!made?.n) return
      if (made.last !== next + made.n - 1)
        throw new Error(`numbers ${next} to ${made.last} were given to ${made.n} people`)
      await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM ${keys} WHERE uid >= ${next}`)
      newPeople += made.n
    },
  }
}
export type Numbering = Awaited<ReturnType<typeof openNumbering>>
