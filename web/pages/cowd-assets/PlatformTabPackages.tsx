import { type PlatformTab, platformOfTab } from '#contract/platform.ts'
import { isPackageCode } from '#contract/targeting-package.ts'
import { ComingPackages } from './ComingPackages.tsx'
import { PlatformPackages } from './PlatformPackages.tsx'

/** The packages of a tab's platform, or what the tab will show. */
export function PlatformTabPackages({ tab, name }: { tab: PlatformTab; name: string }) {
  const { code } = platformOfTab(tab)
  return isPackageCode(code) ? <PlatformPackages platform={code} /> : <ComingPackages name={name} tab={tab} />
}
