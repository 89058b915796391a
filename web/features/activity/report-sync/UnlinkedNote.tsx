import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listUnlinkedPlans } from '#contract/report.ts'
import text from '../../../components/text.module.css'
import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { queryOf } from '../../../lib/query.ts'

const FRESH_MS = 300_000

/** How many plans have reports within some days and are shown in no activity; nothing where there are none. */
export function UnlinkedNote({ advId, timeRange }: { advId: number; timeRange: string }) {
  const plans = useQuery({
    ...queryOf(listUnlinkedPlans, { query: { adv_id: advId, time_range: timeRange, page_size: 1 } as never }),
    staleTime: FRESH_MS,
    meta: { silent: 'optional' },
  })
  const count = plans.data?.plans ?? 0
  if (count === 0) return null
  return (
    <div>
      <Link to={paths.dataAccess({ tab: 'reports' })} className={text.underlined}>
        {formatCount(count)} 个平台计划有报表，但未关联到任何活动
      </Link>
    </div>
  )
}
