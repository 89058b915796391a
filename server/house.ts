import { openClickHouse } from './clickhouse/open.ts'
import { openJobs } from './jobs/open.ts'
import { acquireLock } from './lock.ts'
import { migrate } from './postgres/migrate.ts'
import { openPostgres, type Postgres } from './postgres/open.ts'
import { openSecrets } from './secrets.ts'
import { openServices, type Services } from './services.ts'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'
import type { Stores } from './stores.ts'

/** The stores of one process and the services over them: what the HTTP side and the command line both work with. */
export type House = { stores: Stores; services: Services }

type OpenHouse = House & {
  /** Tells other processes where this one serves. */
  setAddress(url: string): void
  /** Finishes the jobs in flight, then closes the stores and gives the data directory up. */
  close(): Promise<void>
}

/** Owns DATA_DIR, opens and migrates the stores, and starts the jobs. Whatever it opened is closed again when a part fails. */
export async function openHouse(given: Settings): Promise<OpenHouse> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part()
  }
  try {
    const lock = await acquireLock(given.dataDir)
    closing.push(lock.release)
    const [postgres, warehouse] = await both(
      openPostgres(given).then(async (opened) => {
        closing.push(opened.close)
        await migrate(opened.db)
        return opened
      }),
      openClickHouse(given).then((opened) => {
        closing.push(opened.close)
        return opened
      }),
    )
    const settings = { ...given, timezone: await fixedTimezone(postgres, given) }
    const secrets = await openSecrets(settings.dataDir, settings.secretKey)
    const jobs = openJobs(postgres)
    const stores = { settings, postgres, warehouse, jobs, secrets }
    const services = openServices(stores)
    closing.push(services.close, () => jobs.stop())
    await jobs.start({ work: settings.role !== 'web' })
    await services.tagKeeping.catchUp()
    return { stores, services, setAddress: lock.setAddress, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** As Promise.all, but waits for both, so that what opened is known and can be closed. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

/** Days are cut in one time zone for ever: tags and daily totals already stored would silently mean other days. */
async function fixedTimezone({ db }: Postgres, { timezone, isTimezoneGiven }: Settings): Promise<string> {
  await db
    .insertInto('setting')
    .values({ name: 'timezone', value: timezone })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const fixed = await db.selectFrom('setting').select('value').where('name', '=', 'timezone').executeTakeFirstOrThrow()
  if (isTimezoneGiven && fixed.value !== timezone) {
    throw new StartError(
      `设置 TIMEZONE=${timezone} 与首次启动时的 ${fixed.value} 不同：时区在首次启动时固定，请去掉或改回它`,
    )
  }
  return fixed.value
}
