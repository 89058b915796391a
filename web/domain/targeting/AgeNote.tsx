import { Alert } from 'antd'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { formatAgo } from '../../lib/format.ts'
import { Sentence } from '../outcome/Sentence.tsx'

/** Says that a dictionary is the last copy, how old it is and why; nothing while it is fresh. */
export function AgeNote({ from }: { from: { read_at: number; fail_outcome: AnyOutcome | null } | undefined }) {
  if (!from?.fail_outcome) return null
  return (
    <Alert
      type="warning"
      showIcon
      banner
      title={
        <>
          以下是{formatAgo(from.read_at)}读取的内容，可以继续使用：
          <Sentence outcome={from.fail_outcome} />
        </>
      }
    />
  )
}
