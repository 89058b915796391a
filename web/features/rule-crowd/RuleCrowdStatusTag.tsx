import { SyncOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { RULE_CROWD_STATUS, type RuleCrowd, type RuleCrowdStatus } from '#contract/rule-crowd.ts'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import styles from './rule-crowd.module.css'
import { problemOf } from './rule-crowd-actions.ts'

const TONES: Record<RuleCrowdStatus, Tone> = {
  computing: 'waiting',
  completed: 'done',
  in_use: 'running',
  failed: 'failed',
  invalid: 'idle',
}

const percent = (progress: number | null): string => (progress === null ? '' : ` ${Math.floor(progress * 100)}%`)

/** A crowd's status, its progress, the reason if it failed, and an icon while it is computed again. */
export function RuleCrowdStatusTag({ ruleCrowd }: { ruleCrowd: RuleCrowd }) {
  const { status, progress, refreshing } = ruleCrowd
  const words =
    status === 'computing' ? `${RULE_CROWD_STATUS.computing}${percent(progress)}` : RULE_CROWD_STATUS[status]
  const problem = problemOf(ruleCrowd)
  return (
    <span className={text.nowrap}>
      <Tooltip title={problem}>
        <span tabIndex={problem ? 0 : undefined} className={styles.status}>
          <StatusDot tone={TONES[status]}>{words}</StatusDot>
        </span>
      </Tooltip>
      {refreshing && status !== 'computing' && (
        <Tooltip title={`正在重新计算${percent(progress)}，此前的结果仍在使用`}>
          <SyncOutlined spin aria-label="正在重新计算" className={text.busy} />
        </Tooltip>
      )}
    </span>
  )
}
