import { Card } from 'antd'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { LinkUserList } from '../../features/link-user/LinkUserList.tsx'
import { paths } from '../../lib/paths.ts'

/** The people of the advertiser in the top bar. */
export default function UserListPage() {
  const { advId } = useAdvertiser()
  return (
    <>
      <PageHeader crumbs={[{ title: '人群管理' }]} title="用户列表" />
      {advId !== undefined ? (
        <LinkUserList key={advId} advId={advId} />
      ) : (
        <Card>
          <EmptyState
            title="还没有可用的广告主"
            hint="用户属于广告主。请管理员新建广告主并接入数据，或为您开通一个广告主。"
            action={<LinkButton to={paths.dataAccess()}>接入数据</LinkButton>}
          />
        </Card>
      )}
    </>
  )
}
