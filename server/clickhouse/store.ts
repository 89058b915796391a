import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client'
import { drainPending, Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { memory } from '../config/memory.ts'
import { quote } from './bind.ts'
import { EngineError } from './engine-error.ts'

export type PoolPlan = { size: number; memoryShare: number }
const share = (part: number) => Math.floor(memory * part)

/** Settings of every statement. Statements may be long, since lists of values are part of them. */
const sessionSettings = (plan: PoolPlan) => ({
  max_memory_usage: share(plan.memoryShare),
  max_query_size: 64 * 1024 * 1024,
  // The widest rule has 64 leaves of 200 tags.
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 4_000_000,
  max_threads: availableParallelism(),
  output_format_json_quote_64bit_integers: 0,
  date_time_input_format: 'best_effort',
})

/** More than any answer has; a server's memory limit for the statement holds for it too. */
const ANSWER_BYTES = 2 ** 40

/** One server, or one directory of the embedded engine. */
export type Store = {
  clients(plan: PoolPlan): Promise<ClickHouseClient[]>
  /** Throws when the disk is too full for a change of the tables. */
  mustHaveRoom(): Promise<void>
  close(): Promise<void>
}

export function openServer(url: string): Store {
  return {
    clients: async (plan) => [
      ...Array.from({ length: plan.size }, () =>
        createClient({
          url,
          max_open_connections: 1,
          request_timeout: 600_000,
          log: { level: ClickHouseLogLevel.OFF },
          clickhouse_settings: {
            ...Object.fromEntries(Object.entries(sessionSettings(plan)).map(([name, value]) => [name, String(value)])),
            // Without this, an error after the first rows only breaks the connection.
            wait_end_of_query: 1,
            // The answer waits in memory: a server whose disk is full sends what it could write and reports no error.
            buffer_size: String(ANSWER_BYTES),
          },
        }),
      ),
    ],
    mustHaveRoom: async () => {},
    close: async () => {},
  }
}

/** The files that describe tables take kilobytes; the engine itself asks for 1 MiB before it writes rows. */
const ROOM_BYTES = 2 ** 20

/** The embedded engine, with its data in `folder` of the data directory. */
export function openEmbedded(dataDir: string, folder: string): Store {
  const path = join(dataDir, folder)
  mkdirSync(path, { recursive: true })
  const opener = new Session(path, {
    connectionArgs: [
      `--max_server_memory_usage=${share(0.6)}`,
      `--mark_cache_size=${share(0.02)}`,
      `--backups.allowed_path=${join(dataDir, 'backup')}`,
    ],
  })
  return {
    clients: (plan) =>
      Promise.all(
        Array.from({ length: plan.size }, async () => {
          // The same interface, declared separately by both packages.
          const connection = createChdbConnection({ path }) as unknown as NonNullable<
            ClickHouseClientConfigOptions['connection']
          >
          const client = createClient({ connection, log: { level: ClickHouseLogLevel.OFF } })
          const settings = Object.entries(sessionSettings(plan))
          const written = settings.map(
            ([name, value]) => `${name} = ${typeof value === 'number' ? value : quote(value)}`,
          )
          await client.command({ query: `SET ${written.join(', ')}` })
          return client
        }),
      ),
    async mustHaveRoom() {
      const { bavail, bsize } = await statfs(path)
      if (bavail * bsize < ROOM_BYTES) throw new EngineError('disk_full', `${path} has no room for another table`)
    },
    async close() {
      await drainPending()
      opener.close()
      await drainPending()
    },
  }
}
