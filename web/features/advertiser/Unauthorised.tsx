import { Button, Card, Result } from 'antd'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { useAdvertiser } from './advertiser-context.tsx'

/** Stands in the place of what the advertiser's authority does not cover. */
export function Unauthorised({ module }: { module: string }) {
  const { advertisers } = useAdvertiser()
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
          <Link to={paths.advertiserData()}>
            <Button type="primary" tabIndex={-1}>
              重新授权
            </Button>
          </Link>
        }
      />
    </Card>
  )
}
