import { Button } from 'antd'
import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { lastDaysOf } from './shown-span.ts'

interface Props {
  span: [number, number]
  onSpan: (span: [number, number]) => void
}

/** Stands where a report of more days than one may have would stand, and offers a range that it can have. */
export const TooManyDays = ({ span, onSpan }: Props) => (
  <EmptyState
    title={sentenceOf(outcome('report_days_many', { max: REPORT_DAYS_MAX }))}
    hint={`所选的范围更长，可以只看其中最后的 ${REPORT_DAYS_MAX} 天，或在上面另选日期。`}
    action={
      <Button type="primary" onClick={() => onSpan(lastDaysOf(span))}>
        改为最后 {REPORT_DAYS_MAX} 天
      </Button>
    }
  />
)
