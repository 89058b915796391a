import { Flex, InputNumber, Segmented } from 'antd'
import { keysOf } from '#contract/common.ts'
import { WINDOW_DAYS_MAX } from '#contract/tag-condition.ts'
import { PERIODS, type PeriodKey } from '#contract/tag-event.ts'
import text from '../../components/text.module.css'
import { DaySpan } from './DaySpan.tsx'
import type { PeriodDraft } from './definition-draft.ts'
import { relativeDaysHint } from './relative-days-hint.ts'
import styles from './tag.module.css'

const OPTIONS = keysOf(PERIODS).map((value) => ({ value, label: PERIODS[value] }))

/** When events happened: all time, days counted back from yesterday, or fixed dates. */
export function PeriodFields(props: {
  value: PeriodDraft
  onChange: (change: Partial<PeriodDraft>) => void
  hasProblem: boolean
}) {
  const { value, onChange, hasProblem } = props
  const status = hasProblem ? 'error' : ''
  return (
    <Flex vertical gap={8} align="flex-start">
      <Segmented<PeriodKey>
        aria-label="时间"
        value={value.key}
        onChange={(key) => onChange({ key })}
        options={OPTIONS}
      />
      {(value.key === 'past' || value.key === 'before') && (
        <Flex gap={8} align="center" wrap>
          <InputNumber
            aria-label="天数"
            status={status}
            min={1}
            max={WINDOW_DAYS_MAX}
            precision={0}
            value={value.days}
            onChange={(days) => onChange({ days })}
            className={styles.days}
          />
          <span className={text.hint}>天{relativeDaysHint(value.key, value.days)}</span>
        </Flex>
      )}
      {value.key === 'dates' && (
        <DaySpan
          label="固定日期"
          from={value.from}
          to={value.to}
          onChange={(from, to) => onChange({ from, to })}
          status={status}
          mayBeOpen
        />
      )}
    </Flex>
  )
}
