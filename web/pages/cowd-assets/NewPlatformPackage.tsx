import { PlusOutlined } from '@ant-design/icons'
import { useSearchParams } from 'react-router'
import { type PlatformTab, platformOfTab } from '#contract/platform.ts'
import { isPackageCode } from '#contract/targeting/package-codes.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'

/** Opens the dialog of a new package of the tab's platform. */
export function NewPlatformPackage({ tab, name }: { tab: PlatformTab; name: string }) {
  const [, setParams] = useSearchParams()
  if (!isPackageCode(platformOfTab(tab).code)) return null
  return (
    <AdvertiserGate module={name} authority={{ tab }} fallback={null}>
      <ChangeButton
        changes="current"
        type="primary"
        icon={<PlusOutlined />}
        onClick={() =>
          setParams((now) => {
            const next = new URLSearchParams(now)
            next.set('new', '1')
            return next
          })
        }
      >
        新建{name}
      </ChangeButton>
    </AdvertiserGate>
  )
}
