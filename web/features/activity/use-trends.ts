import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TrendKey } from '#contract/activity/trends.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { queryOf } from '../../lib/query.ts'

/** How activities went by day. */
export interface Trends {
  days: readonly string[]
  /** The line of a column, one value for each day; null: none is known. */
  of(campaign_id: number, key: TrendKey): readonly (number | null)[] | null
}

/** The lines of these activities, which the list is shown without until they are there. */
export function useTrends(rows: readonly { id: number }[], time_range: string): Trends {
  const ids = rows.map(({ id }) => id).join(',')
  const { data } = useQuery({
    ...queryOf(listActivityTrends, { query: { campaign_id: ids, time_range } as never }),
    enabled: ids !== '',
    meta: { silent: 'optional' },
    placeholderData: keepPreviousData,
  })
  return useMemo(() => {
    const ofActivity = new Map((data?.list ?? []).map((trend) => [trend.campaign_id, trend]))
    return { days: data?.days ?? [], of: (campaign_id, key) => ofActivity.get(campaign_id)?.[key] ?? null }
  }, [data])
}
