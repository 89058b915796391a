import { StartError } from '../start-error.ts'
import { quoteName } from './bind.ts'
import type { Engine } from './engine.ts'
import { isEngineError } from './engine-error.ts'

/** What our statements need on our own tables. */
const ON_DATABASE = 'SELECT, INSERT, ALTER, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE, SYSTEM MERGES'
const TABLE_ENGINES = ['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Memory', 'Join', 'Set']
/** For sizes of staged partitions, and for stopping statements. */
const SYSTEM_TABLES = ['system.parts', 'system.processes']

/** What a user of the server must be granted to run the console in this database. */
export const rightsIn = (database: string): string[] => rightsOn(`${quoteName(database)}.*`)

export const rightsOn = (tables: string): string[] => [
  `${ON_DATABASE} ON ${tables}`,
  ...TABLE_ENGINES.map((engine) => `TABLE ENGINE ON ${engine}`),
  ...SYSTEM_TABLES.map((table) => `SELECT ON ${table}`),
]

/** Throws a StartError with the GRANT statements to run if our user lacks rights. */
export async function mustHaveRights(engine: Engine): Promise<void> {
  const [at] = await engine.query<{ database: string; user: string }>(
    'SELECT currentDatabase() AS database, currentUser() AS user',
  )
  if (!at) throw new Error('the server does not say who we are')
  const missing: string[] = []
  for (const right of rightsIn(at.database)) if (!(await isGranted(engine, right))) missing.push(right)
  if (missing.length === 0) return
  const statements = missing.map((right) => `GRANT ${right} TO ${quoteName(at.user)}`)
  throw new StartError(
    `CLICKHOUSE_URL 指定的 ClickHouse 不能使用：用户 ${at.user} 缺少权限，请由它的管理员执行：\n${statements.join(';\n')};`,
  )
}

async function isGranted(engine: Engine, right: string): Promise<boolean> {
  try {
    // CHECK GRANT answers 0 or 1 and takes no FORMAT.
    return (
      Buffer.from(await engine.bytes(`CHECK GRANT ${right}`))
        .toString()
        .trim() !== '0'
    )
  } catch (error) {
    // Servers before 24.12 do not know CHECK GRANT; there the first statement without its right fails.
    if (isEngineError(error, 'other')) return true
    throw error
  }
}
