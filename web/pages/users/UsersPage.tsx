import { UserAddOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Result } from 'antd'
import { useState } from 'react'
import { listViewers, type ViewerDetail } from '#contract/viewer.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { ResetPasswordDialog } from '../../features/viewer/ResetPasswordDialog.tsx'
import { ViewerDialog } from '../../features/viewer/ViewerDialog.tsx'
import { ViewerTable } from '../../features/viewer/ViewerTable.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { queryOf } from '../../lib/query.ts'

const CRUMBS = [{ title: '基础管理' }]

export default function UsersPage() {
  const { is_admin } = useViewer()
  if (is_admin) return <Users />
  return (
    <>
      <PageHeader crumbs={CRUMBS} title="成员管理" />
      <Card>
        <Result status="403" title="没有权限查看成员管理" subTitle="只有管理员可以管理成员，请联系管理员。" />
      </Card>
    </>
  )
}

function Users() {
  const viewers = useQuery({ ...queryOf(listViewers), meta: { inPlace: true } })
  const { advertisers } = useAdvertiser()
  const [edited, setEdited] = useState<ViewerDetail | null>()
  const [resetting, setResetting] = useState<ViewerDetail>()
  return (
    <>
      <PageHeader
        crumbs={CRUMBS}
        title="成员管理"
        action={
          <Button type="primary" icon={<UserAddOutlined />} onClick={() => setEdited(null)}>
            新建成员
          </Button>
        }
      />
      <Card>
        <QueryState query={viewers} errorTitle="成员加载失败">
          {({ list }) => (
            <ViewerTable viewers={list} advertisers={advertisers} onEdit={setEdited} onReset={setResetting} />
          )}
        </QueryState>
      </Card>
      {edited !== undefined && (
        <ViewerDialog viewer={edited} advertisers={advertisers} onClose={() => setEdited(undefined)} />
      )}
      {resetting && <ResetPasswordDialog viewer={resetting} onClose={() => setResetting(undefined)} />}
    </>
  )
}
