import { Flex, Skeleton, Spin } from 'antd'
import { useCallback } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import type { getLinkUser } from '#contract/link-user.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import text from '../../components/text.module.css'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { today } from '../../lib/zone.ts'
import { chartLabel, columnName, stepWords } from './chart-words.ts'
import styles from './link-user.module.css'

const CHART = afterPage(() => import('../../components/TotalsChart.tsx'))

type Shown = DataOf<typeof getLinkUser>

/** How many events there were, and when. `isOpen`: the time has no end, so today is in it. */
export function EventTotal({ shown, isOpen, isLoading }: { shown: Shown; isOpen: boolean; isLoading: boolean }) {
  const chart = useAfterPage(CHART)
  const { day_total, day_step, total, as_of } = shown
  const nameOf = useCallback((day: string) => columnName(day, day_step), [day_step])
  const isLastUnfinished = isOpen && (day_total.at(-1)?.day ?? '') <= today()
  return (
    <Spin spinning={isLoading}>
      <Flex align="baseline" gap={12} wrap>
        <span className={styles.total}>{formatCount(total)}</span>
        <span className={text.hint}>
          次，{stepWords(shown)}一柱，{formatAsOf(as_of)}
          {isLastUnfinished && '，今天未完'}
        </span>
      </Flex>
      {total === 0 ? (
        <div className={styles.chartEmpty}>
          <EmptyState title="这段时间没有所选的事件" />
        </div>
      ) : chart ? (
        <chart.TotalsChart
          columns={day_total}
          nameOf={nameOf}
          unit="次"
          className={styles.chart}
          isLastUnfinished={isLastUnfinished}
          label={chartLabel(shown)}
        />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} className={styles.chart} />
      )}
    </Spin>
  )
}
