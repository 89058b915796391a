import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Engine } from './clickhouse/open.ts'
import { ofFirstStart } from './postgres/first-start.ts'
import type { Postgres } from './postgres/open.ts'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'

type Db = Postgres['db']
type Where = Pick<Settings, 'dataDir' | 'databaseUrl' | 'clickhouseUrl' | 'adoptWarehouse'>

/** Names of rows in `setting`: the records' own id, and the id of the warehouse they belong to. */
const RECORDS = 'records_id'
const WAREHOUSE = 'warehouse_id'

/** What a warehouse says it is: an id of its own, and the records that wrote it there. */
interface Mark {
  id: string
  records: string
}

/**
 * Refuses a warehouse that is not the one these records were used with: a fresh one beside old records would show an
 * advertiser without people, and two warehouses beside the same records would each hold half of them.
 *
 * A pair without marks (a first start, or one made by an earlier version) is marked here. Two processes that start at
 * once on the same records with a warehouse each are told apart by the one row that the first of them writes.
 */
export async function mustBelongTogether(db: Db, load: Engine, where: Where): Promise<void> {
  const records = await ofFirstStart(db, RECORDS, randomUUID())
  const marks = await load.query<Mark>('SELECT id, records FROM warehouse_identity')
  const known = await warehouseOf(db)
  if (known !== undefined && marks.some(({ id }) => id === known)) return

  const code = codeOf([records, known ?? '', ...marks.map(({ id }) => id).sort()])
  if (where.adoptWarehouse === code) return adopt(db, load, records)
  if (known !== undefined) throw marks.length === 0 ? empty(where, code) : foreign(where, code)

  // Killed between the two marks, the warehouse has its own already.
  const mine = marks.find((mark) => mark.records === records)
  if (!mine) {
    if (marks.length > 0) throw foreign(where, code)
    const [recordsKnowPeople, warehouseHoldsPeople] = await Promise.all([knowPeople(db), holdsPeople(load)])
    if (recordsKnowPeople && !warehouseHoldsPeople) throw empty(where, code)
    if (warehouseHoldsPeople && !(await hasAdvertisers(db))) throw foreign(where, code)
  }
  const id = mine?.id ?? (await mark(load, records))
  const first = await ofFirstStart(db, WAREHOUSE, id)
  if (first === id) return
  // Another process was first: with this warehouse, which then has its mark too, or with one of its own.
  const now = await load.query<Mark>('SELECT id, records FROM warehouse_identity')
  if (!now.some((one) => one.id === first))
    throw foreign(where, codeOf([records, first, ...now.map((one) => one.id).sort()]))
}

/** Takes the warehouse for that of these records from now on; what tags held was counted in another one. */
async function adopt(db: Db, load: Engine, records: string): Promise<void> {
  const id = await mark(load, records)
  await db
    .insertInto('setting')
    .values({ name: WAREHOUSE, value: id })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: id }))
    .execute()
  await db
    .updateTable('tag')
    .set((of) => ({ is_dirty: true, generation: of('generation', '+', 1) }))
    .execute()
  console.log('已按 ADOPT_WAREHOUSE 把数据仓库与记录配成一对，标签正在重新计算；可以去掉 ADOPT_WAREHOUSE 了')
}

async function mark(load: Engine, records: string): Promise<string> {
  const id = randomUUID()
  await load.insert('warehouse_identity', [{ id, records }])
  return id
}

async function warehouseOf(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', WAREHOUSE).executeTakeFirst()
  return row?.value
}

/** Numbers that were counted from a warehouse. */
async function knowPeople(db: Db): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select 1 from tag where count > 0) or exists (select 1 from custom_crowd where size > 0) as known`.execute(
    db,
  )
  return rows[0]?.known ?? false
}

async function hasAdvertisers(db: Db): Promise<boolean> {
  return (await db.selectFrom('advertiser').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function holdsPeople(load: Engine): Promise<boolean> {
  const rows = await load.query('SELECT 1 FROM person_key LIMIT 1 UNION ALL SELECT 1 FROM crowd_identifier LIMIT 1')
  return rows.length > 0
}

/** Names this very pair, so that a setting that was left behind adopts nothing else. */
const codeOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 8)

const recordsIn = ({ databaseUrl, dataDir }: Where) => (databaseUrl ? 'DATABASE_URL' : dataDir)
const warehouseIn = ({ clickhouseUrl, dataDir }: Where) =>
  clickhouseUrl ? 'CLICKHOUSE_URL' : join(dataDir, 'warehouse')
const settingsOf = ({ databaseUrl, clickhouseUrl }: Where) =>
  [...new Set([databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', clickhouseUrl ? 'CLICKHOUSE_URL' : 'DATA_DIR'])].join('、')

const empty = (where: Where, code: string) =>
  new StartError(
    `${warehouseIn(where)} 的数据仓库中没有 ${recordsIn(where)} 的记录所指的人：请改回原来的 ${settingsOf(where)}，或恢复它的备份；` +
      `数据仓库确已丢失的，用 ADOPT_WAREHOUSE=${code} 启动一次，再重新导入数据`,
  )
const foreign = (where: Where, code: string) =>
  new StartError(
    `${warehouseIn(where)} 的数据仓库与 ${recordsIn(where)} 的记录不是一对：请改回原来的 ${settingsOf(where)}；` +
      `确实要把它们配成一对的，用 ADOPT_WAREHOUSE=${code} 启动一次`,
  )
