import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { NoAdvertiser } from '../../features/advertiser/NoAdvertiser.tsx'
import { LinkUserList } from '../../features/link-user/LinkUserList.tsx'

/** The people of the advertiser in the top bar. */
export default function UserListPage() {
  const { advId } = useAdvertiser()
  return (
    <>
      <PageHeader crumbs={[{ title: '人群管理' }]} title="用户列表" />
      {advId === undefined ? <NoAdvertiser what="用户" /> : <LinkUserList key={advId} advId={advId} />}
    </>
  )
}
