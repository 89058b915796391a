import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { ACTIVITY_STATUS } from '#contract/activity/status.ts'
import { type ActivityDetail, getActivity } from '#contract/activity.ts'
import { FrameEnd, type FrameEnding } from '../../components/FrameEnd.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useLeaving } from '../../components/use-leave-guard.ts'
import { ActivityStatusTag } from '../../features/activity/ActivityStatusTag.tsx'
import { NoActivity } from '../../features/activity/NoActivity.tsx'
import { nextLook } from '../../features/activity/plan-sync.ts'
import { MakeCrowdContext } from '../../features/activity/workbench/new-crowd.ts'
import { linkIn } from '../../features/activity/workbench/plan-link.ts'
import { type SavedActivity, Workbench } from '../../features/activity/workbench/Workbench.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { NoAdvertiser } from '../../features/advertiser/NoAdvertiser.tsx'
import { isFault } from '../../lib/call.ts'
import { embedding, postToHost } from '../../lib/embedding.ts'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { useNewCrowd } from './use-new-crowd.tsx'

const CRUMBS = [{ title: '营销活动' }, { title: '活动列表', to: paths.activities() }]
const CRUMBS_IN_FRAME = [{ title: '营销活动' }]

/** Makes an activity, or changes the one that the URL names. In a frame of another site that site is told of the end. */
export default function WorkBenchPage() {
  const { advId } = useAdvertiser()
  const [params] = useSearchParams()
  const [ending, setEnding] = useState<FrameEnding | null>(null)
  const given = params.get('campaign_id')
  const id = idIn(given)
  const refusalOf = useReadOnly()
  const activity = useQuery({
    ...queryOf(getActivity, { query: { campaign_id: id ?? 0 } }),
    enabled: id !== null && ending === null,
    // What is edited is the newest, and stays as it was opened.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // How plans stand with their platforms; the form itself stays as it was opened.
    refetchInterval: ({ state: { data } }) => nextLook(data?.plans ?? []),
    meta: { inPlace: true },
  })
  const crumbs = embedding() ? CRUMBS_IN_FRAME : CRUMBS
  if (ending) return <FrameEnd ending={ending} saved="活动已保存" />
  if (given !== null && id === null) return <Navigate to={paths.workBench()} replace />
  if (id === null) {
    return (
      <>
        <PageHeader crumbs={crumbs} title="新建活动" />
        {advId === undefined ? (
          <NoAdvertiser what="活动" />
        ) : (
          <Editing key={`new of ${advId}`} advId={advId} activity={null} onEnd={setEnding} />
        )}
      </>
    )
  }
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={refusalOf(activity.data?.advertiser_id) === null ? '编辑活动' : '查看活动'}
        extra={
          activity.data && (
            <ActivityStatusTag status={activity.data.status} name={ACTIVITY_STATUS[activity.data.status]} />
          )
        }
      />
      {isFault(activity.error, 'notFound') && !activity.data ? (
        <NoActivity />
      ) : (
        <QueryState query={activity} errorTitle="活动加载失败">
          {(data) => <Editing key={data.id} advId={data.advertiser_id} activity={data} onEnd={setEnding} />}
        </QueryState>
      )}
    </>
  )
}

function Editing(props: {
  advId: number
  activity: ActivityDetail | null
  /** Only in a frame. */
  onEnd: (ending: FrameEnding) => void
}) {
  const { advId, activity, onEnd } = props
  const navigate = useNavigate()
  const leaving = useLeaving()
  const { makeCrowd, newCrowd } = useNewCrowd(advId)
  const link = linkIn(useLocation().state)
  const handlers = embedding()
    ? {
        onSaved: ({ id, name }: SavedActivity) => {
          onEnd('saved')
          postToHost({ type: 'renqun:saved', activity: { id, name } })
        },
        onCancel: () =>
          leaving(() => {
            onEnd('cancelled')
            postToHost({ type: 'renqun:cancel' })
          }),
      }
    : {
        onSaved: ({ id, isNewDraft }: SavedActivity) =>
          isNewDraft ? navigate(paths.workBench(id), { replace: true }) : navigate(paths.activities()),
        onCancel: () => navigate(paths.activities()),
      }
  return (
    <MakeCrowdContext value={makeCrowd}>
      <Workbench advId={advId} activity={activity} link={link} {...handlers} />
      {newCrowd}
    </MakeCrowdContext>
  )
}
