import { Card } from 'antd'
import { type PlatformTab, platformOfTab } from '#contract/platform.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { paths } from '../../lib/paths.ts'

/** Says what a platform's tab will show. */
export function ComingPackages({ name, tab }: { name: string; tab: PlatformTab }) {
  return (
    <Card>
      <EmptyState
        title={`${name}即将提供`}
        hint={`将可在这里按${platformOfTab(tab).dimensions}等定向新建、查看和复制定向包。目前可使用组合定向包。`}
        action={<LinkButton to={paths.assets()}>查看组合定向包</LinkButton>}
      />
    </Card>
  )
}
