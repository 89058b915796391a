import { useQuery } from '@tanstack/react-query'
import { Button, Result } from 'antd'
import { Link, useNavigate, useParams } from 'react-router'
import { type CustomCrowd, getCustomCrowd } from '#contract/custom-crowd.ts'
import { editRefusal, isUnderWay } from '#contract/custom-crowd-rules.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { UpdateForm } from '../../features/upload/UpdateForm.tsx'
import { isFault } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'

const crumbs = [{ title: '人群管理' }, { title: '自定义人群', to: paths.customCrowdList() }]

const POLL_MS = 2_000

/** What a viewer can do while the crowd cannot be edited. */
function wayOut(crowd: CustomCrowd): string | undefined {
  if (isUnderWay(crowd)) return '完成后会自动打开此页。'
  return crowd.status === 'failed' ? '可在右上角的任务中重试，或删除后重新上传。' : undefined
}

/** Adds files to an uploaded crowd, or takes their values out of it. */
export default function CustomCrowdEditPage() {
  const { id: text } = useParams()
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : 0
  const navigate = useNavigate()
  const toList = () => navigate(paths.customCrowdList())
  const crowd = useQuery({
    ...queryOf(getCustomCrowd, { query: { id } }),
    enabled: id > 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data && editRefusal(state.data.crowd) && isUnderWay(state.data.crowd) ? POLL_MS : false,
    meta: { inPlace: true },
  })
  const back = (
    <Link to={paths.customCrowdList()}>
      <Button type="primary">返回列表</Button>
    </Link>
  )
  const isForbidden = crowd.error && (isFault(crowd.error, 'notMember') || isFault(crowd.error, 'forbidden'))
  const isGone = id === 0 || (crowd.error && isFault(crowd.error, 'notFound'))
  return (
    <>
      <PageHeader crumbs={crumbs} title={crowd.data ? `编辑人群「${crowd.data.crowd.name}」` : '编辑人群'} />
      {isForbidden ? (
        <Unauthorised module="自定义人群" />
      ) : isGone ? (
        <Result status="404" title="人群不存在或已被删除" extra={back} />
      ) : (
        <QueryState query={crowd} errorTitle="自定义人群信息请求失败">
          {({ crowd: found }) => {
            const refusal = editRefusal(found)
            if (refusal) return <Result title={sentenceOf(refusal)} subTitle={wayOut(found)} extra={back} />
            return <UpdateForm key={found.id} crowd={found} onDone={toList} onCancel={toList} />
          }}
        </QueryState>
      )}
    </>
  )
}
