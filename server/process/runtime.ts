import { openClickHouse } from '../clickhouse/open.ts'
import { closeToOthers } from '../config/data-dir.ts'
import { openSecrets, type Secrets, secretPath } from '../config/secrets.ts'
import { type Settings, timezoneName } from '../config/settings.ts'
import { openJobs } from '../jobs/open.ts'
import { migrate } from '../postgres/migrate.ts'
import { openPostgres, type Postgres, refusalOf } from '../postgres/open.ts'
import { openServices, type Services } from '../services.ts'
import { StartError } from '../start-error.ts'
import { isDiskFull } from '../storage/disk-full.ts'
import { openObjectStore } from '../storage/object-store.ts'
import { ofFirstStart } from '../stores/first-start.ts'
import { mustBelongTogether } from '../stores/store-identity.ts'
import type { Stores } from '../stores/stores.ts'
import { registerInstance } from './instance.ts'
import { acquireLock } from './lock.ts'

/** The stores and services of one process, used by HTTP and by the command line. */
export type Runtime = { stores: Stores; services: Services }

type OpenRuntime = Runtime & {
  /** Records this process's address for other processes. */
  setAddress(url: string): void
  /** Finishes running jobs, closes the stores and releases the data directory. */
  close(): Promise<void>
}

/** Locks DATA_DIR, opens and migrates the stores, and starts the jobs. If a part fails, everything opened is closed again. */
export async function openRuntime(given: Settings): Promise<OpenRuntime> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part()
  }
  try {
    const lock = await acquireLock(given.dataDir)
    closing.push(lock.release)
    closeToOthers(given.dataDir)
    if (given.objectStoreUrl !== undefined) await openObjectStore(given.objectStoreUrl).checkAccess()
    const openWarehouse = async () => {
      const opened = await openClickHouse(given)
      closing.push(opened.close)
      return opened
    }
    // A server is tried first, since it answers quickly while creating the embedded database takes seconds.
    const served = given.clickhouseUrl === undefined ? undefined : await openWarehouse()
    const [postgres, warehouse] = await both(
      openPostgres(given).then(async (opened) => {
        closing.push(opened.close)
        await migrate(opened.db)
        return opened
      }),
      served ?? openWarehouse(),
    )
    const settings = { ...given, timezone: await fixedTimezone(postgres, given) }
    const secrets = await openSecrets(settings.dataDir, settings.secretKey)
    await mustBeSameSecret(postgres, secrets, settings)
    await mustBelongTogether(postgres.db, warehouse.load, settings)
    const instance = await registerInstance(postgres, settings.dataDir)
    const jobs = openJobs(postgres, { instance })
    const stores = { settings, postgres, warehouse, jobs, secrets, instance }
    const services = openServices(stores)
    closing.push(services.close, () => jobs.stop())
    await services.uploads.takeOver()
    await services.forgetting.replay()
    await jobs.start({ work: settings.role !== 'web' })
    await services.forgetting.sendReplays()
    await services.importJobs.catchUp()
    await services.tagJobs.catchUp()
    await services.tracking.catchUp()
    return { stores, services, setAddress: lock.setAddress, close }
  } catch (error) {
    await close()
    throw asStartError(error, given)
  }
}

function asStartError(error: unknown, { dataDir, databaseUrl }: Settings): unknown {
  if (error instanceof StartError) return error
  if (databaseUrl === undefined && isDiskFull(error)) {
    return new StartError(`DATA_DIR ${dataDir} 所在的磁盘空间不足：请清理后重新启动，已确认的不会丢`)
  }
  const { code = '', path } = error as NodeJS.ErrnoException
  if (path !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return new StartError(`没有读写 ${path} 的权限：请用它的所有者启动，或改正它的权限`)
  }
  return refusalOf(error, databaseUrl) ?? error
}

/** Like Promise.all, but waits for both, so that whatever opened can be closed. */
async function both<A, B>(a: Promise<A>, b: B | Promise<B>): Promise<[Awaited<A>, Awaited<B>]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

/**
 * The time zone is fixed at the first start. With another one, stored tags and daily totals would silently mean other
 * days.
 */
async function fixedTimezone({ db }: Postgres, { timezone, isTimezoneGiven }: Settings): Promise<string> {
  const kept = await ofFirstStart(db, 'timezone', timezone)
  const fixed = timezoneName(kept) ?? kept
  if (isTimezoneGiven && fixed !== timezone) {
    throw new StartError(`设置 TIMEZONE=${timezone} 与首次启动时的 ${fixed} 不同：时区在首次启动时固定，请去掉或改回它`)
  }
  return fixed
}

/**
 * Checks the secret: with another one, sealed values cannot be read, and the same people would get other sealed keys.
 */
async function mustBeSameSecret({ db }: Postgres, secrets: Secrets, { secretKey, dataDir }: Settings): Promise<void> {
  const proof = secrets.keyFor('proof').toString('hex')
  if ((await ofFirstStart(db, 'secret_proof', proof)) === proof) return
  const unreadable = '已加密的手机号、设备号与授权会读不出来'
  throw new StartError(
    secretKey === undefined
      ? `${secretPath(dataDir)} 与首次启动时的密钥不同，${unreadable}：请放回原来的文件，或用 SECRET_KEY 设置当时的密钥`
      : `设置 SECRET_KEY 与首次启动时的不同，${unreadable}：请改回它；首次启动时没有设置的，请去掉它`,
  )
}
