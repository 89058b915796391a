import { Tag, Tooltip } from 'antd'
import { DAY_MARKS } from '#contract/activity/marks.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { ReportMark } from '#contract/report.ts'
import styles from './report-sync.module.css'

const COLORS: Readonly<Record<ReportMark['mark'], string>> = {
  unsynced: 'default',
  corrected: 'blue',
  jump: 'red',
}

interface Props {
  marks: readonly { mark: ReportMark['mark']; words: string; reason: string }[]
}

/** What is odd about numbers, with the reason on hover and on focus. */
const Marks = ({ marks }: Props) => (
  <span className={styles.marks}>
    {marks.map(({ mark, words, reason }) => (
      <Tooltip key={mark} title={reason} trigger={['hover', 'focus']}>
        <Tag color={COLORS[mark]} className={styles.mark} tabIndex={0}>
          {words}
        </Tag>
      </Tooltip>
    ))}
  </span>
)

/** The marks of one day. */
export const DayMarkTags = ({ marks }: { marks: readonly ReportMark[] }) => (
  <Marks
    marks={marks.map(({ mark, mark_outcome }) => ({ mark, words: DAY_MARKS[mark], reason: sentenceOf(mark_outcome) }))}
  />
)

export interface MarkedDays {
  mark: ReportMark['mark']
  days: number
  latest: ReportMark
}
/** The marks of an activity, each with its number of days. */
export const ActivityMarkTags = ({ marks }: { marks: readonly MarkedDays[] }) => (
  <Marks
    marks={marks.map(({ mark, days, latest }) => ({
      mark,
      words: `${DAY_MARKS[mark]} ${days} 天`,
      reason: `${latest.date}：${sentenceOf(latest.mark_outcome)}`,
    }))}
  />
)
