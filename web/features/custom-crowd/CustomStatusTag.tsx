import { Badge, Flex, Tooltip, Typography } from 'antd'
import { CUSTOM_STATUS, type CustomChild, type CustomCrowd, type CustomStatus } from '#contract/custom-crowd.ts'
import { paths } from '../../app/paths.ts'
import { PlatformMark } from '../../components/PlatformMark.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import styles from './custom-crowd.module.css'
import { platformStates } from './rows.ts'

const TONES: Record<CustomStatus, Tone> = {
  available: 'done',
  computing: 'waiting',
  failed: 'failed',
  expired: 'idle',
  frozen: 'idle',
}
const BADGES: Record<Tone, 'success' | 'warning' | 'processing' | 'error' | 'default'> = {
  done: 'success',
  waiting: 'warning',
  running: 'processing',
  failed: 'error',
  idle: 'default',
}

const percent = (progress: number | null): string => (progress === null ? '' : ` ${Math.floor(progress * 100)}%`)

/** A state with its reason on hover, reachable by the keyboard where there is one. */
function Dot({ tone, words, reason }: { tone: Tone; words: string; reason: string | null }) {
  return (
    <Tooltip title={reason}>
      <span tabIndex={reason ? 0 : undefined}>
        <StatusDot tone={tone}>{words}</StatusDot>
      </span>
    </Tooltip>
  )
}

/** A crowd's own state. */
export function CrowdStatus({ crowd }: { crowd: CustomCrowd }) {
  const words = `${CUSTOM_STATUS[crowd.status]}${percent(crowd.progress)}`
  return (
    <div>
      <Dot tone={TONES[crowd.status]} words={words} reason={crowd.reason} />
      {crowd.stage && <Stage words={crowd.stage} />}
      {crowd.status === 'failed' && <Why words={crowd.reason} reason={crowd.reason} />}
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
    </div>
  )
}

/** Small, one chip per platform that it was pushed to. */
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
            <Badge status={BADGES[isPaused ? 'waiting' : TONES[status]]} title={words} />
            <span className="visually-hidden">{words}</span>
            {accounts > 1 && <span className={text.small}>{accounts}</span>}
          </span>
        )
      })}
    </Flex>
  )
}

/** A child's state, how far its push is, and why it stands still. */
export function ChildStatus({ child, onRetry }: { child: CustomChild; onRetry: (push_id: number) => unknown }) {
  const { push, reason, status } = child
  if (push?.is_paused)
    return (
      <div>
        <Dot tone="waiting" words="推送已暂停" reason={reason} />
        {/* The reason begins with the account, which stands beside it. */}
        <Why words={push.stage || reason} reason={reason} />
        <Flex gap={8}>
          <RowAction onClick={() => void onRetry(push.id)}>重试</RowAction>
          {reason?.includes('授权') && <RowAction to={paths.advertiserData()}>重新授权</RowAction>}
        </Flex>
      </div>
    )
  const words = push ? `推送中${percent(push.progress)}` : CUSTOM_STATUS[status]
  return (
    <div>
      <Dot tone={push ? 'running' : TONES[status]} words={words} reason={reason} />
      {push ? <Stage words={push.stage} /> : <Why words={reason} reason={reason} />}
    </div>
  )
}

/** What it does now, in one line. */
const Stage = ({ words }: { words: string }) => (
  <WholeOnHover text={words}>
    <div className={`${text.small} ${text.cut}`}>{words}</div>
  </WholeOnHover>
)

/** Why it stands still, in two lines at most, and all of it on hover. */
const Why = ({ words, reason }: { words: string | null; reason: string | null }) =>
  words && (
    <Typography.Paragraph type="secondary" className={styles.reason ?? ''} ellipsis={{ rows: 2, tooltip: reason }}>
      {words}
    </Typography.Paragraph>
  )
