import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Who works on what is there must not make stores where none are: the path may be mistyped. */
export function mustHoldData({ dataDir, databaseUrl }: Settings): void {
  if (existsSync(databaseUrl === undefined ? join(dataDir, 'postgres', 'PG_VERSION') : dataDir)) return
  throw new StartError(`DATA_DIR ${dataDir} 中没有人群的数据：请检查 DATA_DIR，或先用 npm start 启动一次`)
}
