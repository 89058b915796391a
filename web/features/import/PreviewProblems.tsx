import { Alert } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import type { previewImport } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'
import { firstLines } from './first-lines.ts'

type Problems = DataOf<typeof previewImport>['problems']
interface Counted {
  reason: string
  rows: number
  lines?: number[]
}

const worded = ({ reason, rows, lines = [] }: Counted) =>
  [`${reason} ${formatCount(rows)} 行`, firstLines(lines, rows)].filter(Boolean).join('，')

/** What an import would refuse or not use of the first lines, with counts. */
export function PreviewProblems({ problems, lines }: { problems: Problems; lines: number }) {
  const parts = [
    { counted: problems.refused, what: '会被拒绝' },
    { counted: problems.warnings, what: '有类型不符的值' },
  ].flatMap(({ counted, what }: { counted: readonly Counted[]; what: string }) => {
    if (counted.length === 0) return []
    const rows = counted.reduce((sum, one) => sum + one.rows, 0)
    return `${formatCount(rows)} 行${what}（${counted.map(worded).join('；')}）`
  })
  if (parts.length === 0) return null
  return <Alert type="warning" showIcon title={`前 ${formatCount(lines)} 行中，${parts.join('；')}`} />
}
