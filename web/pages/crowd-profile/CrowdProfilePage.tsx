import { DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Tabs } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { getCrowdSizes } from '#contract/crowd-profile.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useExportPeople } from '../../domain/crowd/use-export-people.tsx'
import { CrowdOverlap } from '../../features/crowd-profile/CrowdOverlap.tsx'
import { CrowdProfile } from '../../features/crowd-profile/CrowdProfile.tsx'
import { CrowdSizes } from '../../features/crowd-profile/CrowdSizes.tsx'
import { crowdIdIn, NoSuchCrowd } from '../../features/rule-crowd/NoSuchCrowd.tsx'
import { isFault } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { withParams } from '../../lib/with-params.ts'
import { useSavePart } from './use-save-part.ts'

const crumbs = [{ title: '人群管理' }, { title: '人群资产', to: paths.assets() }]

/** The versions that the address names, `from=3&to=9`. */
function versionsIn(search: URLSearchParams) {
  const versionIn = (key: 'from' | 'to') => {
    const text = search.get(key) ?? ''
    return /^\d{1,10}$/.test(text) ? { [key]: Number(text) } : {}
  }
  return { ...versionIn('from'), ...versionIn('to') }
}

/** The people of a crowd of either kind: what they have, and how the crowd overlaps with others. */
export default function CrowdProfilePage() {
  const id = crowdIdIn(useParams().id) ?? 0
  const [search, setSearch] = useSearchParams()
  const change = (to: Record<string, number | string | null>) =>
    setSearch((now) => withParams(now, to), { replace: true })
  // Its name and its sizes are known at once, also of a crowd that has no result yet.
  const crowd = useQuery({
    ...queryOf(getCrowdSizes, { params: { id } }),
    enabled: id > 0,
    meta: { inPlace: true },
  })
  const { exportPeople, exportDialog } = useExportPeople()
  const savePart = useSavePart(crowd.data?.adv_id ?? 0)
  if (id === 0) return <NoSuchCrowd />
  if (crowd.error && isFault(crowd.error, 'notFound')) return <NoSuchCrowd />
  const name = crowd.data?.name
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={name === undefined ? '人群画像' : `「${name}」的画像`}
        here="人群画像"
        action={
          crowd.data && (
            <Button icon={<DownloadOutlined />} onClick={() => exportPeople({ id, name: crowd.data.name })}>
              导出名单
            </Button>
          )
        }
      />
      {exportDialog}
      <QueryState query={crowd} errorTitle="人群加载失败">
        {({ name, adv_id }) => (
          <Tabs
            activeKey={search.get('tab') ?? 'profile'}
            onChange={(tab) => change({ tab: tab === 'profile' ? null : tab })}
            items={[
              { key: 'profile', label: '画像', children: <CrowdProfile key={id} id={id} advId={adv_id} /> },
              {
                key: 'sizes',
                label: '人数变化',
                children: (
                  <CrowdSizes
                    key={id}
                    id={id}
                    compared={versionsIn(search)}
                    onCompare={({ from, to }) => change({ from, to })}
                  />
                ),
              },
              {
                key: 'overlap',
                label: '重叠',
                children: <CrowdOverlap key={id} crowd={{ id, name }} advId={adv_id} onSave={savePart} />,
              },
            ]}
          />
        )}
      </QueryState>
    </>
  )
}
