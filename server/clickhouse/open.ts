import { mkdirSync } from 'node:fs'
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
import { StartError } from '../process/start-error.ts'
import { quote } from './bind.ts'
import { type Engine, openPool } from './engine.ts'
import { migrate } from './migrate.ts'
import { outageLog } from './outage-log.ts'
import { mustBeClickHouse, refusalOf } from './server.ts'

export type { Engine } from './engine.ts'

/** Pools of their own, since a statement waits for those before it on its connection: a count never stands behind an import. */
export type Warehouse = {
  live: Engine
  load: Engine
  close(): Promise<void>
}

export type WarehouseSettings = {
  clickhouseUrl?: string | undefined
  clickhouseCluster?: string | undefined
  dataDir: string
}

type PoolPlan = { size: number; memoryShare: number }
const POOLS = {
  live: { size: 4, memoryShare: 0.3 },
  load: { size: 3, memoryShare: 0.4 },
} satisfies Record<string, PoolPlan>

const share = (part: number) => Math.floor(memory * part)

/** What every statement runs under. Long lists of values travel inside the statement, so it may be long. */
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

type Store = { clients(plan: PoolPlan): Promise<ClickHouseClient[]>; close(): Promise<void> }

function openServer(url: string): Store {
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
            // Else an error after the first rows of an answer only breaks the connection.
            wait_end_of_query: 1,
          },
        }),
      ),
    ],
    close: async () => {},
  }
}

function openEmbedded(dataDir: string): Store {
  const path = join(dataDir, 'warehouse')
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
          // The same interface, declared by two packages that name it apart.
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
    async close() {
      await drainPending()
      opener.close()
      await drainPending()
    },
  }
}

/** Opens the store and brings its tables up to date; a store that does not answer is a StartError. */
export async function openClickHouse(settings: WarehouseSettings): Promise<Warehouse> {
  const { clickhouseUrl, dataDir } = settings
  const store = openStore(settings)
  if (clickhouseUrl) await mustBeClickHouse(clickhouseUrl)
  const [control] = await store.clients({ size: 1, memoryShare: 0.05 })
  if (!control) throw new Error('the control connection is missing')
  const ping = await control.ping({ select: true })
  if (!ping.success) {
    await control.close()
    await store.close()
    throw new StartError(
      `${clickhouseUrl ? 'CLICKHOUSE_URL 指定的' : `${dataDir} 中的`}数据仓库无法打开：${ping.error.message}`,
    )
  }
  const outages = clickhouseUrl === undefined ? undefined : outageLog()
  const controls = openPool([control], () => Promise.resolve(), outages)
  const kill = (comment: string) =>
    controls.command(`KILL QUERY WHERE Settings['log_comment'] = {comment:String} ASYNC`, { comment })
  const pools = {
    live: openPool(await store.clients(POOLS.live), kill, outages),
    load: openPool(await store.clients(POOLS.load), kill, outages),
  }
  const close = async () => {
    await Promise.all([pools.live, pools.load, controls].map((pool) => pool.close()))
    await store.close()
  }
  try {
    await migrate(pools.load)
  } catch (error) {
    await close()
    throw (clickhouseUrl && refusalOf(error)) || error
  }
  return { ...pools, close }
}

function openStore({ clickhouseUrl, clickhouseCluster, dataDir }: WarehouseSettings): Store {
  if (clickhouseCluster) throw new StartError('CLICKHOUSE_CLUSTER 尚不支持：请去掉它，只设置 CLICKHOUSE_URL')
  if (clickhouseUrl) return openServer(clickhouseUrl)
  try {
    return openEmbedded(dataDir)
  } catch (error) {
    throw new StartError(`${dataDir} 中的数据仓库无法打开：${error instanceof Error ? error.message : error}`)
  }
}
