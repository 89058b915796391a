import type { Handles } from '../clickhouse/handles.ts'
import { memory } from '../config/memory.ts'
import type { Slice } from '../files/slice.ts'
import { stageOf } from './stage.ts'

/** Approximate bytes of an id in a table in memory. */
const ID_BYTES = 128
/** With more people than fit into a tenth of the memory, a chunk's own ids are looked up instead of keeping all there. */
const PEOPLE_IN_MEMORY = Math.max(8_000_000, Math.floor((memory * 0.1) / ID_BYTES))
/** A hash takes a quarter of an id. */
const HASHES_FOR_ID = 4

/** What the chunk's look (`lookSql`) found. */
export interface NewcomersLook {
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
  /** For tests. */
  peopleInMemory?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Gives the people of an import their numbers, without gaps and each once.
 *
 * Users of an advertiser who has none yet are numbered by their rows, as long as no id comes twice: hashes of 64 bits
 * tell that no two are equal, and where they do not, ids are compared from there on.
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
  const base = hadPeople > 0 ? (people?.base ?? 1) : 1
  let newPeople = 0
  let areAllKnown: boolean | undefined
  let areAllNew = kind === 'users' && hadPeople === 0
  /** Rows number people no more, and ids numbered so far are not in memory yet. */
  let areIdsDue = false

  /** Whether no id of the chunk came before: with them, the set of hashes is as large as it is then. */
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
    /** The greatest number that was given. */
    last: () => base + newPeople - 1,

    /**
     * Called before a chunk is read. With few people, or many rows for them, all ids stay in memory: answers true; else
     * each chunk looks up its own.
     */
    async keepIds(slice: Slice): Promise<boolean> {
      // As many rows as the file seems to have, going by its first slice.
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

    /** A known id's number plus one, 0 for a stranger; in a chunk of a numbering that keeps ids. */
    numberOf: (id: string) => `joinGet('${ids}', 'u1', ${id})`,

    /**
     * Numbers all good rows of a chunk by their place where none of their ids came before; answers the first number, or
     * null, with nothing taken, when ids must be compared, from here on for good. Chunks come in their order; those
     * before need not be stored yet.
     */
    async takeAll(chunk: string, { good }: NewcomersLook): Promise<number | null> {
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

    /** The numbers from `first` on as SQL over the chunk. One chunk at a time. */
    async byRow(first: number, chunk: string, { good, last }: NewcomersLook): Promise<string> {
      if (good === last + 1) return `toUInt32(${first} + r)`
      await here(`DROP TABLE IF EXISTS ${rank} SYNC`)
      await here(`CREATE TABLE ${rank} (r UInt32, n UInt32) ENGINE = Join(ANY, LEFT, r) SETTINGS persistent = 0`)
      await here(
        `INSERT INTO ${rank} SELECT r, n FROM (SELECT arraySort(groupArrayIf(r, reason = 0)) AS rows FROM ${chunk})
         ARRAY JOIN rows AS r, arrayEnumerate(rows) AS n`,
      )
      return `toUInt32(${first - 1} + joinGet('${rank}', 'n', r))`
    },

    /** Called before ids of a chunk are compared, when all chunks before it are stored. */
    async compareIds(isKnown: boolean): Promise<void> {
      if (areIdsDue && isKnown && newPeople > 0) {
        await across(`INSERT INTO ${ids} SELECT one_id, uid + 1 FROM ${keys}`)
      }
      areIdsDue = false
    },

    /** Numbers the ids of these rows of a chunk that are new. */
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
