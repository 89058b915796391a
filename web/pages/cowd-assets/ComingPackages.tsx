import { Card } from 'antd'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import type { AssetTab } from '../../lib/paths.ts'
import { paths } from '../../lib/paths.ts'

const WILL_HOLD: Record<Exclude<AssetTab, 1>, string> = {
  2: '地域、年龄、性别、学历、行为兴趣与自定义人群等定向',
  3: '地域、人群、行为兴趣、设备与抖音达人等定向',
  4: '地域、人群、行为兴趣与抖音达人等定向',
}

/** Says what a platform's tab will hold; nothing here pretends to work already. */
export function ComingPackages({ name, tab }: { name: string; tab: Exclude<AssetTab, 1> }) {
  return (
    <Card>
      <EmptyState
        title={`${name}即将提供`}
        hint={`将可在这里按${WILL_HOLD[tab]}新建、查看和复制定向包。目前可使用组合定向包。`}
        action={<LinkButton to={paths.assets(1)}>查看组合定向包</LinkButton>}
      />
    </Card>
  )
}
