import { StartError } from '../start-error.ts'
import { mustBeWhole, mustNotBeNoted } from './broken-parts.ts'
import { openPool, type Pool } from './engine.ts'
import { type Handles, handlesOf, type ThisMachine, thisMachine } from './handles.ts'
import { migrate } from './migrate.ts'
import { type OutageLog, outageLog } from './outage-log.ts'
import { mustHaveRights } from './rights.ts'
import { mustBeClickHouse, refusalOf } from './server.ts'
import { openEmbedded, openServer, type PoolPlan, type Store } from './store.ts'

/**
 * Three pools, because statements of one connection wait for each other: a count never waits for an import, and tracked
 * messages wait for neither.
 */
export type Warehouse = {
  live: Handles
  intake: Handles
  load: Handles
  fileEngine: FileEngine
  close(): Promise<void>
}

/**
 * The engine whose `file()` reads this machine's files: the embedded warehouse itself, or beside a server an embedded
 * engine of its own, which holds no data and is opened at the first call.
 */
export type FileEngine = () => Promise<ThisMachine>

export type WarehouseSettings = {
  clickhouseUrl?: string | undefined
  clickhouseCluster?: string | undefined
  dataDir: string
}

const POOLS = {
  live: { size: 4, memoryShare: 0.3 },
  load: { size: 3, memoryShare: 0.4 },
  intake: { size: 1, memoryShare: 0.05 },
  control: { size: 1, memoryShare: 0.05 },
} satisfies Record<string, PoolPlan>

/** Opens the store and migrates its tables; throws a StartError if the store does not answer. */
export async function openClickHouse(settings: WarehouseSettings): Promise<Warehouse> {
  const { clickhouseUrl, dataDir } = settings
  const store = openStore(settings)
  if (clickhouseUrl) await mustBeClickHouse(clickhouseUrl)
  const opened = await openPools(store, clickhouseUrl ? outageLog() : undefined)
  const beside = clickhouseUrl ? engineBeside(dataDir) : undefined
  const close = async () => {
    await beside?.close()
    await opened.close()
  }
  const { live, load, intake, control } = opened
  try {
    if (clickhouseUrl) await mustHaveRights(control)
    else await mustBeWhole(handlesOf(control).oneNode, dataDir)
    await migrate(handlesOf(load))
  } catch (error) {
    await close()
    throw (clickhouseUrl && refusalOf(error)) || error
  }
  const own = thisMachine(load)
  return {
    live: handlesOf(live),
    load: handlesOf(load),
    intake: handlesOf(intake),
    fileEngine: beside ? beside.engine : async () => own,
    close,
  }
}

type Pools = Record<keyof typeof POOLS, Pool> & { close(): Promise<void> }

async function openPools(store: Store, outages?: OutageLog): Promise<Pools> {
  const pool = async (plan: PoolPlan, kill: (comment: string) => Promise<void>) =>
    openPool(await store.clients(plan), kill, { outages, mustHaveRoom: store.mustHaveRoom })
  const control = await pool(POOLS.control, () => Promise.resolve())
  const kill = (comment: string) =>
    control.command(`KILL QUERY WHERE Settings['log_comment'] = {comment:String} ASYNC`, { comment })
  const [live, load] = [await pool(POOLS.live, kill), await pool(POOLS.load, kill)]
  const intake = await pool(POOLS.intake, kill)
  return {
    live,
    load,
    intake,
    control,
    async close() {
      await Promise.all([live, load, intake, control].map((pool) => pool.close()))
      await store.close()
    },
  }
}

function engineBeside(dataDir: string): { engine: FileEngine; close(): Promise<void> } {
  let opening: Promise<Pools> | undefined
  return {
    async engine() {
      opening ??= openPools(openEmbedded(dataDir, 'file-engine'))
      return thisMachine((await opening).load)
    },
    close: async () => (await opening)?.close(),
  }
}

function openStore({ clickhouseUrl, clickhouseCluster, dataDir }: WarehouseSettings): Store {
  if (clickhouseCluster) throw new StartError('CLICKHOUSE_CLUSTER 尚不支持：请去掉它，只设置 CLICKHOUSE_URL')
  if (clickhouseUrl) return openServer(clickhouseUrl)
  mustNotBeNoted(dataDir)
  try {
    return openEmbedded(dataDir, 'warehouse')
  } catch (error) {
    throw new StartError(`${dataDir} 中的数据仓库无法打开：${error instanceof Error ? error.message : error}`)
  }
}
