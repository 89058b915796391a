import { Badge, Flex } from 'antd'
import { CUSTOM_STATUS } from '#contract/audience.ts'
import type { CustomCrowd } from '#contract/custom-crowd.ts'
import type { Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { CUSTOM_TONES, Dot, percent, Reason, Stage } from '../audience/status-parts.tsx'
import styles from './custom-crowd.module.css'
import { platformStates } from './rows.ts'

const BADGES: Record<Tone, 'success' | 'warning' | 'processing' | 'error' | 'default'> = {
  done: 'success',
  waiting: 'warning',
  running: 'processing',
  failed: 'error',
  idle: 'default',
}

/** The state of a crowd's files, and what can be done about a failed check. */
export function CrowdStatus({ crowd, onRetry }: { crowd: CustomCrowd; onRetry: (task_id: number) => unknown }) {
  const { retry_task_id } = crowd
  const words = `${CUSTOM_STATUS[crowd.status]}${percent(crowd.progress)}`
  return (
    <div>
      <Dot tone={CUSTOM_TONES[crowd.status]} words={words} reason={crowd.reason} />
      {crowd.stage && <Stage words={crowd.stage} />}
      {crowd.status === 'failed' && <Reason words={crowd.reason} reason={crowd.reason} />}
      {crowd.status === 'available' && crowd.reason && (
        <div className={`${text.problem} ${text.cut}`} title={crowd.reason}>
          上次更新失败
        </div>
      )}
      {crowd.status === 'available' && !crowd.reason && crowd.unread_files > 0 && (
        <div
          className={`${text.problem} ${text.cut}`}
          title={`最近上传的文件中有 ${crowd.unread_files} 个读取失败，其中的标识没有计入人群`}
        >
          {crowd.unread_files} 个文件失败
        </div>
      )}
      <OutcomeActions
        outcomes={[crowd.reason_outcome]}
        on={{ retry: retry_task_id === null ? undefined : () => onRetry(retry_task_id) }}
      />
    </div>
  )
}

/** One small chip per platform that the crowd was pushed to. */
export function PlatformChips({ crowd }: { crowd: CustomCrowd }) {
  const states = platformStates(crowd)
  if (states.length === 0) return null
  return (
    <Flex gap={8} className={styles.chips}>
      {states.map(({ platform, accounts, status, isPaused }) => {
        const words = `${isPaused ? '推送已暂停' : CUSTOM_STATUS[status]}，${accounts} 个账户`
        return (
          <span key={platform} className={styles.chip}>
            <PlatformMark platform={platform} />
            <Badge status={BADGES[isPaused ? 'waiting' : CUSTOM_TONES[status]]} title={words} />
            <span className="visually-hidden">{words}</span>
            {accounts > 1 && <span className={text.small}>{accounts}</span>}
          </span>
        )
      })}
    </Flex>
  )
}
