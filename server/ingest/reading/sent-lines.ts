import type { OneNode } from '../../clickhouse/handles.ts'
import type { Slice } from '../../files/slice.ts'
import { bytesOf } from '../../files/text-lines.ts'
import { stageOf } from '../stage.ts'

/** The table with the lines of a slice, which are sent to an engine that cannot read the slice's file; null where it can. */
export async function sentLines(
  on: OneNode,
  import_id: number,
  slice: Slice,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (on.readsFiles) return null
  const lines = stageOf(import_id, 'lines')
  await on.command(`CREATE TABLE IF NOT EXISTS ${lines} (line String) ENGINE = Memory`, {}, { signal })
  await on.command(`TRUNCATE TABLE ${lines}`, {}, { signal })
  await on.insertLines(lines, bytesOf(slice.path))
  return lines
}
