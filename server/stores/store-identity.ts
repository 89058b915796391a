import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Handles } from '../clickhouse/handles.ts'
import type { Settings } from '../config/settings.ts'
import type { Postgres } from '../postgres/open.ts'
import { StartError } from '../start-error.ts'
import { ofFirstStart } from './first-start.ts'
import { startOver } from './start-over.ts'

type Db = Postgres['db']
type Where = Pick<Settings, 'dataDir' | 'databaseUrl' | 'clickhouseUrl' | 'adoptWarehouse'>

/** Names of rows in `setting`: the id of these records, and the id of the warehouse they belong to. */
const RECORDS = 'records_id'
const WAREHOUSE = 'warehouse_id'

/** The mark stored in a warehouse: its id, and the id of the records it belongs to. */
interface Mark {
  id: string
  records: string
}

/**
 * Refuses a warehouse other than the one that these records were used with: with a new one, advertisers would seem to
 * have no people, and two warehouses with the same records would each hold half of the people.
 *
 * A pair without marks (a first start, or a pair from an earlier version) is marked here. Records whose warehouse is lost
 * may adopt an empty one when a setting says so. One with people of other records is never adopted, since the ids of
 * both would mix.
 */
export async function mustBelongTogether(db: Db, load: Handles, where: Where): Promise<void> {
  const records = await ofFirstStart(db, RECORDS, randomUUID())
  const marks = await marksOf(load)
  const known = await warehouseOf(db)
  if (known !== undefined && marks.some(({ id }) => id === known)) return

  const holds = await holdsPeople(load)
  if (known === undefined) {
    // If an earlier start was killed between the two marks, the warehouse already has its own.
    const mine = marks.find((one) => one.records === records)
    const isPair = mine || (holds ? marks.length === 0 && (await hasAdvertisers(db)) : !(await haveCounts(db)))
    if (isPair) return pairUp(db, load, where, { records, id: mine?.id ?? (await mark(load, records)) })
  }
  if (holds) throw foreign(where)
  const code = codeOf(records, known, marks)
  if (where.adoptWarehouse !== code) throw empty(where, code)
  await refuseWhileShared(db, where)
  await startOver(db, load.everyShard, { setting: WAREHOUSE, value: await mark(load, records) })
  console.log('已按 ADOPT_WAREHOUSE 使用空的数据仓库：请重新导入数据、重新上传人群；现在可以去掉 ADOPT_WAREHOUSE')
}

/** If two processes start at once on the same records, the warehouse of the first is recorded. */
async function pairUp(db: Db, load: Handles, where: Where, { records, id }: Mark): Promise<void> {
  const first = await ofFirstStart(db, WAREHOUSE, id)
  if (first === id) return
  // If the other process uses the same warehouse, that has its mark now.
  const marks = await marksOf(load)
  if (marks.some((one) => one.id === first)) return
  throw (await holdsPeople(load)) ? foreign(where) : empty(where, codeOf(records, first, marks))
}

const marksOf = (load: Handles) => load.oneNode.query<Mark>('SELECT id, records FROM warehouse_identity')

async function mark(load: Handles, records: string): Promise<string> {
  const id = randomUUID()
  await load.oneNode.insert('warehouse_identity', [{ id, records }])
  return id
}

async function warehouseOf(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', WAREHOUSE).executeTakeFirst()
  return row?.value
}

/** Whether the records have numbers that were counted in a warehouse. */
async function haveCounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select 1 from tag where count > 0) or exists (select 1 from custom_crowd where size > 0) as known`.execute(
    db,
  )
  return rows[0]?.known ?? false
}

async function hasAdvertisers(db: Db): Promise<boolean> {
  return (await db.selectFrom('advertiser').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function holdsPeople(load: Handles): Promise<boolean> {
  const rows = await load.acrossShards.query(
    'SELECT 1 FROM person_key LIMIT 1 UNION ALL SELECT 1 FROM crowd_identifier LIMIT 1',
  )
  return rows.length > 0
}

/** Throws if another process uses the records; each process has its own application name on its connections. */
async function refuseWhileShared(db: Db, { databaseUrl }: Where): Promise<void> {
  if (databaseUrl === undefined) return
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'renqun %'
      and application_name <> current_setting('application_name') limit 1`.execute(db)
  if (rows.length > 0) {
    throw new StartError('DATABASE_URL 的数据库正被另一个人群服务使用：它有自己的数据仓库，请改用它的，或先停止它')
  }
}

/** Identifies this pair, so that a setting that stays in place adopts no other warehouse. */
const codeOf = (records: string, known: string | undefined, marks: readonly Mark[]) =>
  createHash('sha256')
    .update([records, known ?? '', ...marks.map(({ id }) => id).sort()].join('/'))
    .digest('hex')
    .slice(0, 8)

const recordsIn = ({ databaseUrl, dataDir }: Where) => (databaseUrl ? 'DATABASE_URL' : dataDir)
const warehouseIn = ({ clickhouseUrl, dataDir }: Where) =>
  clickhouseUrl ? 'CLICKHOUSE_URL' : join(dataDir, 'warehouse')
const settingsOf = ({ databaseUrl, clickhouseUrl }: Where) =>
  [...new Set([databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', clickhouseUrl ? 'CLICKHOUSE_URL' : 'DATA_DIR'])].join('、')

const empty = (where: Where, code: string) =>
  new StartError(
    `${warehouseIn(where)} 的数据仓库是空的，不是 ${recordsIn(where)} 的记录原来所用的：请改回原来的 ${settingsOf(where)}，或恢复它的备份；` +
      `原来的数据仓库确已丢失的，用 ADOPT_WAREHOUSE=${code} 启动一次，再重新导入数据、重新上传人群`,
  )
const foreign = (where: Where) =>
  new StartError(
    `${warehouseIn(where)} 的数据仓库与 ${recordsIn(where)} 的记录不是一对：请改回原来的 ${settingsOf(where)}；` +
      '记录原来所用的数据仓库确已丢失的，请移走这一个，换一个空的再启动',
  )
