import { Button, Result } from 'antd'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'

/** Stands in the place of what the advertiser's authority does not cover. */
export function Unauthorised({ module }: { module: string }) {
  return (
    <Result
      status="403"
      title={`没有权限，无法查看或新建${module}`}
      subTitle="当前广告主未授权或授权已失效，重新授权后即可使用。"
      extra={
        <Link to={paths.advertiserData()}>
          <Button type="primary" tabIndex={-1}>
            重新授权
          </Button>
        </Link>
      }
    />
  )
}
