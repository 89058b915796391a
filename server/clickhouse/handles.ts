import type { SqlParams } from './bind.ts'
import type { Engine, QueryOptions } from './engine.ts'

/**
 * For statements that each shard runs over its own part of the people's tables (person_row, person_key, identifier,
 * event, event_day, tag_member, crowd_member). Their rows are placed together by advertiser and bucket. Each shard
 * answers for itself, and the caller adds up the answers.
 */
export type EveryShard = {
  query<T>(sql: string, params?: SqlParams, options?: QueryOptions): Promise<T[][]>
  bytes(sql: string, params?: SqlParams): Promise<Uint8Array[]>
  command(sql: string, params?: SqlParams, options?: QueryOptions): Promise<void>
}

/**
 * For statements over the rows of all shards at once: those that group by value across people, number people, or find
 * duplicates. They run on one node and also see the tables that exist only there.
 */
export type AcrossShards = Engine & { readonly runs: 'across shards' }

/** For statements over tables that exist on one node only: marks, counters, and a job's working tables. */
export type OneNode = Engine & { readonly runs: 'one node' }

/** For statements that read or write this machine's files with `file()`: the embedded engine, never a server. */
export type ThisMachine = Engine & { readonly runs: 'this machine' }
export const thisMachine = (engine: Engine): ThisMachine => ({ ...engine, runs: 'this machine' })

/** A statement's handle says where it runs. */
export type Handles = { everyShard: EveryShard; acrossShards: AcrossShards; oneNode: OneNode }

/** Sends each statement to all shards at once. */
export const everyShard = (shards: readonly Engine[]): EveryShard => ({
  query: <T>(sql: string, params?: SqlParams, options?: QueryOptions) =>
    Promise.all(shards.map((shard) => shard.query<T>(sql, params, options))),
  bytes: (sql, params) => Promise.all(shards.map((shard) => shard.bytes(sql, params))),
  async command(sql, params, options) {
    await Promise.all(shards.map((shard) => shard.command(sql, params, options)))
  },
})

/** The handles of a warehouse on one server: the only shard is also the one node. */
export const handlesOf = (engine: Engine): Handles => ({
  everyShard: everyShard([engine]),
  acrossShards: { ...engine, runs: 'across shards' },
  oneNode: { ...engine, runs: 'one node' },
})

/** Adds up a number that each shard answers in its only row. */
export const sumOf = <K extends string>(answers: readonly Record<K, number>[][], key: K): number =>
  answers.flat().reduce((sum, row) => sum + row[key], 0)
