import { Tabs } from 'antd'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { PLATFORMS } from '#contract/platform.ts'
import { getPeopleQuota, listDeletedPeople, listPeople, restorePeople } from '#contract/rule-crowd.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { DeletedButton } from '../../domain/crowd/DeletedButton.tsx'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { type AssetTab, paths } from '../../lib/paths.ts'
import { CombinedPackages } from './CombinedPackages.tsx'
import { ComingPackages } from './ComingPackages.tsx'
import { NewPackageButton } from './NewPackageButton.tsx'

const TABS: Record<AssetTab, string> = {
  1: '组合定向包',
  2: `${PLATFORMS.social.name}定向包`,
  3: `${PLATFORMS.video.name}定向包`,
  4: `${PLATFORMS.commerce.name}定向包`,
}

const tabOf = (text: string | undefined): AssetTab | null => {
  if (text === undefined) return 1
  return text === '1' || text === '2' || text === '3' || text === '4' ? (Number(text) as AssetTab) : null
}

export default function CowdAssetsPage() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const tab = tabOf(useParams().tab)
  if (tab === null) return <Navigate to={paths.assets()} replace />

  const folder = Number(params.get('dir_id')) || undefined
  return (
    <>
      <PageHeader crumbs={[{ title: '人群管理' }]} title="人群资产" action={tab === 1 && <Actions dirId={folder} />} />
      <Tabs
        activeKey={String(tab)}
        onChange={(key) => navigate(paths.assets(Number(key) as AssetTab))}
        items={Object.entries(TABS).map(([key, label]) => ({ key, label }))}
      />
      <AdvertiserGate key={tab} module={TABS[tab]} authority={{ tab }}>
        {tab === 1 ? <CombinedPackages /> : <ComingPackages name={TABS[tab]} tab={tab} />}
      </AdvertiserGate>
    </>
  )
}

const Actions = ({ dirId }: { dirId: number | undefined }) => (
  <AdvertiserGate module={TABS[1]} authority={{ tab: 1 }} fallback={null}>
    <DeletedButton
      noun="定向包"
      unit="人数"
      list={listDeletedPeople}
      restore={restorePeople}
      stale={[listPeople, getPeopleQuota]}
    />
    <NewPackageButton dirId={dirId} />
  </AdvertiserGate>
)
