import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Input } from 'antd'
import { useState } from 'react'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { AdvertiserDialog } from '../../features/advertiser/AdvertiserDialog.tsx'
import { AdvertiserTable } from '../../features/advertiser/AdvertiserTable.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { queryOf } from '../../lib/query.ts'

export default function AdvertiserDataPage() {
  const viewer = useViewer()
  const advertisers = useQuery(queryOf(listAdvertiserData))
  const [edited, setEdited] = useState<{ id: number; name: string } | null>()
  const [keyword, setKeyword] = useState('')
  return (
    <>
      <PageHeader
        crumbs={[{ title: '基础管理' }]}
        title="广告主授权"
        action={
          viewer.is_admin && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited(null)}>
              新建广告主
            </Button>
          )
        }
      />
      <Card>
        <QueryState query={advertisers}>
          {({ list }) => (
            <>
              {list.length > 1 && (
                <Input.Search
                  allowClear
                  aria-label="搜索广告主"
                  placeholder="搜索广告主名称"
                  value={keyword}
                  onChange={(event) => setKeyword(event.target.value)}
                  style={{ width: 260, marginBottom: 16 }}
                />
              )}
              <AdvertiserTable advertisers={list} keyword={keyword} mayManage={viewer.is_admin} onRename={setEdited} />
            </>
          )}
        </QueryState>
      </Card>
      <AdvertiserDialog advertiser={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}
