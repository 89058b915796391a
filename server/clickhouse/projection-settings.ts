import type { Engine } from './engine.ts'
import { isEngineError } from './engine-error.ts'

/** Whether the server understands settings of a projection; the statement is read and not run. */
export async function knowsProjectionSettings(engine: Pick<Engine, 'command'>): Promise<boolean> {
  try {
    await engine.command(
      `EXPLAIN AST CREATE TABLE t (a UInt8, PROJECTION p (SELECT a ORDER BY a) WITH SETTINGS (index_granularity = 8))
       ENGINE = MergeTree ORDER BY a`,
    )
    return true
  } catch (error) {
    if (!isEngineError(error, 'other')) throw error
    return false
  }
}
