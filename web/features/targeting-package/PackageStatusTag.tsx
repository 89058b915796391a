import { Tooltip } from 'antd'
import { TARGETING_STATUS, type TargetingPackage, type TargetingStatus } from '#contract/targeting-package.ts'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { lateSentence } from '../../domain/outcome/late-sentence.tsx'
import { formatDay } from '../../lib/format.ts'

const TONES: Record<TargetingStatus, Tone> = {
  1: 'done',
  2: 'running',
  3: 'waiting',
  4: 'failed',
  5: 'idle',
  [-1]: 'failed',
}

const HINTS: Partial<Record<TargetingStatus, string>> = {
  5: '已过失效时间，延长后可继续使用',
  [-1]: '定向或排除的人群已过期、冻结、删除或撤回，请重新选择',
}

/** A package without an expiry day ends in the year 9999. */
const isEndless = (seconds: number) => formatDay(seconds).startsWith('9999')

/** A package's status with what to do about it, and below it the last day. */
export function PackageStatusTag({
  row,
  statuses = TARGETING_STATUS,
}: {
  row: TargetingPackage
  /** What each status is called, as the server's list says. */
  statuses?: Readonly<Record<string, string>>
}) {
  const { status, in_use, invalidTime, fail_outcome } = row
  const hint = lateSentence(fail_outcome) ?? HINTS[status] ?? null
  const until = isEndless(invalidTime) ? '长期有效' : `${formatDay(invalidTime)} 失效`
  return (
    <>
      <Tooltip title={hint}>
        <span tabIndex={hint === null ? undefined : 0}>
          <StatusDot tone={TONES[status]}>{statuses[status]}</StatusDot>
        </span>
      </Tooltip>
      {in_use && status !== 2 && <div className={`${text.small} ${text.nowrap}`}>计划{TARGETING_STATUS[2]}</div>}
      <div className={`${text.small} ${text.nowrap}`}>{until}</div>
    </>
  )
}
