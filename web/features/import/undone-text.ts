import type { ImportKind, UndoExtent } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'

/** What an undo takes away, in words. */
export function undoneText(kind: ImportKind, { rows, people, taken_over }: UndoExtent): string {
  const kept = taken_over.reduce((sum, one) => sum + one.rows, 0)
  const lost = kind === 'reports' ? '' : `，以及只因这次导入才有的 ${formatCount(people)} 人`
  const gone = `移除 ${formatCount(rows - kept)} 行${lost}`
  return kept > 0 ? `${gone}；另外 ${formatCount(kept)} 行在之后的导入中也有，改计入那些导入` : gone
}
