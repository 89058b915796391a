import { isWarehouseAway } from '../clickhouse/engine-error.ts'
import { keepDistinct } from './check-distinct.ts'
import { readLines } from './check-lines.ts'
import { reportFiles } from './check-report.ts'
import { type CheckDeps, closeCheck, openCheck } from './check-tables.ts'
import type { CheckRequest, CheckRun, CheckTotals } from './types.ts'

/**
 * Checks the lines of a version's files and leaves its distinct values in the stage `values`. May be repeated: it starts
 * over.
 */
export async function checkFiles(deps: CheckDeps, request: CheckRequest, run: CheckRun): Promise<CheckTotals> {
  const check = await openCheck(deps, request, run)
  try {
    await readLines(check)
    await keepDistinct(check)
    const totals = await reportFiles(check)
    await closeCheck(check, { keepsValues: true })
    return totals
  } catch (error) {
    // When this attempt was stopped, another one may already be filling `values`.
    await closeCheck(check, { keepsValues: run.signal?.aborted ?? false }).catch((left: unknown) => {
      if (!isWarehouseAway(left)) console.error('校验的临时数据没有清除，将由定时清理删除', left)
    })
    throw error
  }
}
