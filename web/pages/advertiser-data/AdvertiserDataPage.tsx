import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Input } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { AdvertiserDialog } from '../../features/advertiser/AdvertiserDialog.tsx'
import { AdvertiserTable } from '../../features/advertiser/AdvertiserTable.tsx'
import { ConcernAlert } from '../../features/advertiser/ConcernAlert.tsx'
import { OutcomeAlert } from '../../features/advertiser/OutcomeAlert.tsx'
import { SandboxNotice } from '../../features/advertiser/SandboxNotice.tsx'
import { shownOf } from '../../features/advertiser/shown-account.ts'
import { useAuthorise } from '../../features/advertiser/use-authorise.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './advertiser-data.module.css'

export default function AdvertiserDataPage() {
  const viewer = useViewer()
  const advertisers = useQuery({ ...queryOf(listAdvertiserData), meta: { inPlace: true } })
  const [edited, setEdited] = useState<{ id: number; name: string } | null>()
  const [params] = useSearchParams()
  const authorising = useAuthorise()
  const now = Math.floor(Date.now() / 1000)
  const asked = shownOf(advertisers.data?.list ?? [], params, now)
  const askedKey = asked ? `${asked.adv_id}-${asked.account_id}` : ''
  // A link to a row clears the search, which could leave the row out.
  const [search, setSearch] = useState({ of: askedKey, keyword: '' })
  const keyword = search.of === askedKey ? search.keyword : ''
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
      <OutcomeAlert />
      <SandboxNotice />
      {advertisers.data && <ConcernAlert advertisers={advertisers.data.list} now={now} />}
      <Card>
        <QueryState query={advertisers} errorTitle="广告主加载失败">
          {({ list }) => (
            <>
              {list.length > 1 && (
                <Input.Search
                  allowClear
                  aria-label="搜索广告主"
                  placeholder="搜索广告主名称"
                  value={keyword}
                  onChange={(event) => setSearch({ of: askedKey, keyword: event.target.value })}
                  className={styles.search}
                />
              )}
              <AdvertiserTable
                key={askedKey}
                advertisers={list}
                keyword={keyword}
                mayManage={viewer.is_admin}
                onRename={setEdited}
                authorising={authorising}
                shown={asked}
                now={now}
              />
            </>
          )}
        </QueryState>
      </Card>
      {edited !== undefined && <AdvertiserDialog advertiser={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
