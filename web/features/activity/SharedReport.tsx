import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Flex, Result, Skeleton } from 'antd'
import { openReportLink } from '#contract/report-link.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { later } from '../../components/later.tsx'
import text from '../../components/text.module.css'
import { isFault } from '../../lib/call.ts'
import { formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { writeSpan } from '../../lib/span.ts'
import styles from './activity.module.css'
import { Report, shownOf } from './DayReport.tsx'
import { isTooLong } from './shown-span.ts'
import { TooManyDays } from './TooManyDays.tsx'

const SharedControlPanel = later(() => import('./ControlPanel.tsx').then((file) => file.SharedControlPanel))

interface Props {
  token: string
  span: [number, number]
  onSpan: (span: [number, number] | null) => void
}

/** The day report that a link opens. */
export function SharedReport({ token, span, onSpan }: Props) {
  const isLong = isTooLong(span)
  const report = useQuery({
    ...queryOf(openReportLink, { body: { token, time_range: writeSpan(span) } as never }),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { inPlace: true },
    enabled: !isLong,
  })
  if (isLong) {
    return (
      <Flex vertical gap={16}>
        <DateRange label="数据时间" value={span} onChange={onSpan} />
        <TooManyDays span={span} onSpan={onSpan} />
      </Flex>
    )
  }
  if (report.error) {
    return (
      <Result
        status="warning"
        title="无法打开"
        subTitle={report.error.message || '请求失败'}
        extra={!isFault(report.error, 'reportLinkGone') && <Button onClick={() => void report.refetch()}>重试</Button>}
      />
    )
  }
  if (!report.data) return <Skeleton active paragraph={{ rows: 10 }} />
  const { name, columns, list, sums, expires_at } = report.data
  return (
    <Flex vertical gap={16}>
      <h1 className={styles.sharedTitle}>{name}的分日数据</h1>
      <Flex gap={16} align="center" wrap>
        <DateRange label="数据时间" value={span} onChange={onSpan} />
        <span className={text.hint}>只读链接，{formatTime(expires_at)} 失效</span>
      </Flex>
      <Report list={list} sums={sums} columns={shownOf({ columns, chosen: columns.map(({ key }) => key) })} />
      <SharedControlPanel token={token} />
    </Flex>
  )
}
