import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { ACTIVITY_STATUS } from '#contract/activity/status.ts'
import { getActivity } from '#contract/activity.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { ActivityStatusTag } from '../../features/activity/ActivityStatusTag.tsx'
import { nextLook } from '../../features/activity/plan-sync.ts'
import { Workbench } from '../../features/activity/workbench/Workbench.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { NoAdvertiser } from '../../features/advertiser/NoAdvertiser.tsx'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'

const CRUMBS = [{ title: '营销活动' }, { title: '活动列表', to: paths.activities() }]

/** Makes an activity, or changes the one that the URL names. */
export default function WorkBenchPage() {
  const { advId } = useAdvertiser()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const given = params.get('campaign_id')
  const id = idIn(given)
  const activity = useQuery({
    ...queryOf(getActivity, { query: { campaign_id: id ?? 0 } }),
    enabled: id !== null,
    // What is edited is the newest, and stays as it was opened.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // How plans stand with their platforms; the form itself stays as it was opened.
    refetchInterval: ({ state: { data } }) => nextLook(data?.plans ?? []),
    meta: { inPlace: true },
  })
  if (given !== null && id === null) return <Navigate to={paths.workBench()} replace />
  const handlers = {
    onCreated: (made: number) => navigate(paths.workBench(made), { replace: true }),
    onDone: () => navigate(paths.activities()),
  }
  if (id === null) {
    return (
      <>
        <PageHeader crumbs={CRUMBS} title="新建活动" />
        {advId === undefined ? (
          <NoAdvertiser what="活动" />
        ) : (
          <Workbench key={`new of ${advId}`} advId={advId} activity={null} {...handlers} />
        )}
      </>
    )
  }
  return (
    <>
      <PageHeader
        crumbs={CRUMBS}
        title="编辑活动"
        extra={
          activity.data && (
            <ActivityStatusTag status={activity.data.status} name={ACTIVITY_STATUS[activity.data.status]} />
          )
        }
      />
      <QueryState query={activity} errorTitle="活动加载失败">
        {(data) => <Workbench key={data.id} advId={data.advertiser_id} activity={data} {...handlers} />}
      </QueryState>
    </>
  )
}
