import { Card } from 'antd'
import { type PlatformTab, platformOfTab } from '#contract/platform.ts'
import { isPackageCode } from '#contract/targeting/package-codes.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { PlatformPackages } from './PlatformPackages.tsx'

/** The packages of a tab's platform, where the console keeps any. */
export function PlatformTabPackages({ tab }: { tab: PlatformTab }) {
  const { code, name } = platformOfTab(tab)
  if (isPackageCode(code)) return <PlatformPackages platform={code} />
  return (
    <Card>
      <EmptyState title={`${name}没有定向包`} hint="这个平台只接收人群；目前可使用组合定向包。" />
    </Card>
  )
}
