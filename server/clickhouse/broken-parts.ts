import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { OneNode } from './handles.ts'

/** A piece of a table's files; it holds the blocks of rows from `first` to `last`. */
interface Part {
  table: string
  partition_id: string
  first: number
  last: number
}
type BrokenPart = Part & { path: string }

const noteOf = (dataDir: string) => join(dataDir, 'warehouse-broken.json')

/**
 * Refuses a warehouse of which files are damaged. The embedded engine sets aside a part that it cannot read and serves the
 * rest: people would be missing from every count, and automatic updates would take them off the platforms. A part whose
 * rows are all in others too, as after a power failure during a merge, is no loss.
 *
 * https://clickhouse.com/docs/operations/system-tables/detached_parts
 */
export async function mustBeWhole(engine: OneNode, dataDir: string): Promise<void> {
  const broken = await engine.query<BrokenPart>(
    `SELECT table, partition_id, toInt64(min_block_number) AS first, toInt64(max_block_number) AS last, path
     FROM system.detached_parts WHERE database = currentDatabase() AND reason = 'broken-on-start' ORDER BY path`,
  )
  if (broken.length === 0) return
  const active = await engine.query<Part>(
    `SELECT table, partition_id, toInt64(min_block_number) AS first, toInt64(max_block_number) AS last
     FROM system.parts WHERE database = currentDatabase() AND active AND table IN {tables:Array(String)}`,
    { tables: [...new Set(broken.map(({ table }) => table))] },
  )
  const lost = lostParts(broken, active)
  if (lost.length === 0) return
  // Once the engine has merged the parts around a lost one, it looks as if they held its rows.
  writeFileSync(noteOf(dataDir), JSON.stringify(lost.map(({ table, path }) => ({ table, path }))))
  throw refusal(lost)
}

/** Refuses as long as a part that an earlier start found broken lies where the engine set it aside. */
export function mustNotBeNoted(dataDir: string): void {
  const note = noteOf(dataDir)
  if (!existsSync(note)) return
  const noted = JSON.parse(readFileSync(note, 'utf8')) as Pick<BrokenPart, 'table' | 'path'>[]
  const left = noted.filter(({ path }) => existsSync(path))
  if (left.length > 0) throw refusal(left)
  rmSync(note)
}

/** The broken parts whose rows other parts do not hold: those that were being merged hold its first and its last block. */
export function lostParts<P extends Part>(broken: readonly P[], active: readonly Part[]): P[] {
  return broken.filter(({ table, partition_id, ...ends }) => {
    const own = active.filter((part) => part.table === table && part.partition_id === partition_id)
    const isHeld = (block: number) => own.some(({ first, last }) => first <= block && block <= last)
    return !isHeld(ends.first) || !isHeld(ends.last)
  })
}

function refusal(lost: readonly Pick<BrokenPart, 'table' | 'path'>[]): StartError {
  const tables = [...new Set(lost.map(({ table }) => table))].join('、')
  return new StartError(
    `数据仓库的 ${lost.length} 份数据文件已损坏（表 ${tables}），例如 ${lost[0]?.path}。` +
      '没有启动，以免按缺少的数据计算人群并推送。请恢复备份；没有备份时，移走这些目录后再启动，并重新导入缺少的数据',
  )
}
