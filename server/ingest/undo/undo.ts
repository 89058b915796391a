import type { Handles } from '../../clickhouse/handles.ts'
import { sumOf } from '../../clickhouse/handles.ts'
import { removeRows } from '../../clickhouse/remove-rows.ts'
import { stageOf } from '../stage.ts'
import { onlyHereSql } from './extent.ts'
import { handOver } from './hand-over.ts'
import { isMine, UNDO_TABLES, type UndoneImport } from './rows.ts'

interface Undo {
  load: Handles
  of: UndoneImport
  /** The imports that take over rows, found before the first row went. */
  heirs: readonly number[]
  timezone: string
  /** The greatest number that a person of the advertiser ever had. */
  lastUid: number
  signal?: AbortSignal | undefined
  progress?(share: number, stage: string): void
}

/**
 * Takes an import out of the warehouse. Rows that later imports left out as its duplicates become theirs first; then the
 * people whom only it brought go, and its rows go last. May be repeated after a kill at any point: until the last row is
 * gone, everything follows from the rows that are still there.
 */
export async function undoRows(undo: Undo): Promise<void> {
  const { load, of, signal, progress } = undo
  progress?.(0.1, '交还重复的行')
  await handOver(undo)
  signal?.throwIfAborted()
  progress?.(0.4, '移除用户')
  await removePeople(undo)
  for (const [done, table] of UNDO_TABLES[of.kind].entries()) {
    signal?.throwIfAborted()
    progress?.(0.5 + done * 0.1, '移除数据')
    await deleteRows(load, table, isMine(of))
  }
}

async function removePeople({ load, of, signal }: Undo): Promise<void> {
  const gone = stageOf(of.id, 'gone')
  await load.oneNode.command(`DROP TABLE IF EXISTS ${gone} SYNC`)
  await load.oneNode.command(`CREATE TABLE ${gone} (uid UInt32) ENGINE = MergeTree ORDER BY uid`)
  await load.acrossShards.command(`INSERT INTO ${gone} ${onlyHereSql(of)}`, {}, { signal })
  await deleteRows(load, 'person_key', `adv_id = ${of.adv_id} AND uid IN (SELECT uid FROM ${gone})`)
  await load.oneNode.command(`DROP TABLE IF EXISTS ${gone} SYNC`)
}

/** A deletion writes parts of a table anew, so it is not sent where there is nothing to delete. */
async function deleteRows({ everyShard }: Handles, table: string, where: string): Promise<void> {
  const found = await everyShard.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE ${where}`)
  if (sumOf(found, 'n') > 0) await removeRows(everyShard, table, where)
}
