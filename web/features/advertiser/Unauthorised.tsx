import { Card, Result } from 'antd'
import type { PlatformCode } from '#contract/platform.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { paths } from '../../lib/paths.ts'
import { useAdvertiser } from './advertiser-context.tsx'

/** Shown instead of what the advertiser's authority does not cover, with a link to the platform's account. */
export function Unauthorised({ module, platform }: { module: string; platform?: PlatformCode }) {
  const { advertisers, advId } = useAdvertiser()
  return (
    <Card>
      <Result
        status="403"
        title={`没有权限，无法查看或新建${module}`}
        subTitle={
          advertisers.length > 0
            ? '当前广告主未授权或授权已失效，重新授权后即可使用。'
            : '您还没有可用的广告主，请联系管理员新建或分配。'
        }
        extra={
          <LinkButton primary to={paths.advertiserData({ adv_id: advId, ...(platform ? { platform } : {}) })}>
            重新授权
          </LinkButton>
        }
      />
    </Card>
  )
}
