import type { ActivityStatus } from '#contract/activity/status.ts'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'

const TONES: Readonly<Record<ActivityStatus, Tone>> = { 0: 'idle', 1: 'done', 2: 'waiting', 3: 'idle' }

/** The status of an activity or a plan. */
export const ActivityStatusTag = ({ status, name }: { status: ActivityStatus; name: string }) => (
  <StatusDot tone={TONES[status]}>{name}</StatusDot>
)
