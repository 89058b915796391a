import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearchParams } from 'react-router'
import { getActivity } from '#contract/activity.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { DayReport } from '../../features/activity/DayReport.tsx'
import { NoActivity } from '../../features/activity/NoActivity.tsx'
import { shownSpan } from '../../features/activity/shown-span.ts'
import { isFault } from '../../lib/call.ts'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { readSpan, writeSpan } from '../../lib/span.ts'
import { withParams } from '../../lib/with-params.ts'

/** The metrics of one activity day by day; the URL holds the days. */
export default function DayReportPage() {
  const [params, setParams] = useSearchParams()
  const id = idIn(params.get('campaign_id'))
  const refusalOf = useReadOnly()
  const activity = useQuery({
    ...queryOf(getActivity, { query: { campaign_id: id ?? 0 } }),
    enabled: id !== null,
    // The report says it where it would stand.
    meta: { silent: 'optional' },
  })
  if (id === null) return <Navigate to={paths.activities()} replace />
  const isGone = isFault(activity.error, 'notFound')
  const setSpan = (span: [number, number] | null) =>
    setParams((now) => withParams(now, { time_range: span && writeSpan(span) }))
  return (
    <>
      <PageHeader
        crumbs={[{ title: '营销活动' }, { title: '活动列表', to: paths.activities() }]}
        title={activity.data ? `${activity.data.name}的分日数据` : '分日数据'}
        here="分日数据"
        {...(!isGone && {
          action: (
            <LinkButton to={paths.workBench(id)}>
              {refusalOf(activity.data?.advertiser_id) === null ? '编辑活动' : '查看活动'}
            </LinkButton>
          ),
        })}
      />
      {isGone ? (
        <NoActivity />
      ) : (
        <DayReport
          key={id}
          id={id}
          advId={activity.data?.advertiser_id ?? null}
          span={shownSpan(readSpan(params.get('time_range') ?? ''))}
          onSpan={setSpan}
        />
      )}
    </>
  )
}
