import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { getCrowdProfile } from '#contract/crowd-profile.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { CrowdOverlap } from '../../features/crowd-profile/CrowdOverlap.tsx'
import { CrowdProfile } from '../../features/crowd-profile/CrowdProfile.tsx'
import { CrowdSizes } from '../../features/crowd-profile/CrowdSizes.tsx'
import { crowdIdIn, NoSuchCrowd } from '../../features/rule-crowd/NoSuchCrowd.tsx'
import { isFault } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { useSavePart } from './use-save-part.ts'

const crumbs = [{ title: '人群管理' }, { title: '人群资产', to: paths.assets() }]

/** The people of a crowd of either kind: what they have, and how the crowd overlaps with others. */
export default function CrowdProfilePage() {
  const id = crowdIdIn(useParams().id) ?? 0
  const [search, setSearch] = useSearchParams()
  const profile = useQuery({
    ...queryOf(getCrowdProfile, { params: { id }, query: {} }),
    enabled: id > 0,
    meta: { inPlace: true },
  })
  const savePart = useSavePart(profile.data?.adv_id ?? 0)
  if (id === 0) return <NoSuchCrowd />
  if (profile.error && isFault(profile.error, 'notFound')) return <NoSuchCrowd />
  const name = profile.data?.crowd.name
  return (
    <>
      <PageHeader crumbs={crumbs} title={name === undefined ? '人群画像' : `「${name}」的画像`} here="人群画像" />
      <QueryState query={profile} errorTitle="人群画像加载失败">
        {({ crowd, adv_id }) => (
          <Tabs
            activeKey={search.get('tab') ?? 'profile'}
            onChange={(tab) => setSearch(tab === 'profile' ? {} : { tab }, { replace: true })}
            items={[
              { key: 'profile', label: '画像', children: <CrowdProfile key={id} id={id} advId={adv_id} /> },
              { key: 'sizes', label: '人数变化', children: <CrowdSizes key={id} id={id} /> },
              {
                key: 'overlap',
                label: '重叠',
                children: <CrowdOverlap key={id} crowd={{ id, name: crowd.name }} advId={adv_id} onSave={savePart} />,
              },
            ]}
          />
        )}
      </QueryState>
    </>
  )
}
