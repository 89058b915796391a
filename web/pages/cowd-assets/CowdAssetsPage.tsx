import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { ASSET_TABS, type AssetTab, COMBINED_TAB, platformOfTab } from '#contract/platform.ts'
import { getRuleCrowdQuota, listDeletedRuleCrowds, listRuleCrowds, restoreRuleCrowds } from '#contract/rule-crowd.ts'
import { later } from '../../components/later.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { DeletedButton } from '../../domain/crowd/DeletedButton.tsx'
import { advertiserListedAt } from '../../domain/crowd/filters.tsx'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { paths } from '../../lib/paths.ts'
import { AssetTabs } from './AssetTabs.tsx'
import { CombinedPackages } from './CombinedPackages.tsx'
import { NewPackageButton } from './NewPackageButton.tsx'

// The first page is the combined packages'; it does not wait for the other tabs' code.
const PlatformTabPackages = later(() => import('./PlatformTabPackages.tsx').then((file) => file.PlatformTabPackages))

const NewPlatformPackage = later(() => import('./NewPlatformPackage.tsx').then((file) => file.NewPlatformPackage))

const nameOf = (tab: AssetTab) => `${tab === COMBINED_TAB ? '组合' : platformOfTab(tab).name}定向包`

const tabOf = (text: string | undefined): AssetTab | null =>
  text === undefined ? COMBINED_TAB : (ASSET_TABS.find((tab) => String(tab) === text) ?? null)

export default function CowdAssetsPage() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const tab = tabOf(useParams().tab)
  if (tab === null) return <Navigate to={paths.assets()} replace />

  const folder = Number(params.get('dir_id')) || undefined
  return (
    <>
      <PageHeader
        crumbs={[{ title: '人群管理' }]}
        title="人群资产"
        action={tab === COMBINED_TAB ? <Actions dirId={folder} /> : <NewPlatformPackage tab={tab} name={nameOf(tab)} />}
      />
      <AssetTabs
        activeKey={String(tab)}
        onChange={(key) => navigate(paths.assets(Number(key) as AssetTab))}
        items={ASSET_TABS.map((one) => ({ key: String(one), label: nameOf(one) }))}
      />
      <AdvertiserGate key={tab} module={nameOf(tab)} authority={{ tab }}>
        {tab === COMBINED_TAB ? <CombinedPackages /> : <PlatformTabPackages tab={tab} />}
      </AdvertiserGate>
    </>
  )
}

function Actions({ dirId }: { dirId: number | undefined }) {
  const { advId, advertisers } = useAdvertiser()
  const [params] = useSearchParams()
  return (
    <AdvertiserGate module={nameOf(COMBINED_TAB)} authority={{ tab: COMBINED_TAB }} fallback={null}>
      <DeletedButton
        noun="定向包"
        unit="人数"
        list={listDeletedRuleCrowds}
        restore={restoreRuleCrowds}
        stale={[listRuleCrowds, getRuleCrowdQuota]}
        advId={advertiserListedAt(params, advId)}
        advertisers={advertisers}
      />
      <NewPackageButton dirId={dirId} />
    </AdvertiserGate>
  )
}
