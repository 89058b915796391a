import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Input } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { accountFullName, listAdvertiserData } from '#contract/advertiser.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { isAudienceCode } from '#contract/platform.ts'
import { CLEARABLE } from '../../components/clearable.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { AdvertiserDialog } from '../../features/advertiser/AdvertiserDialog.tsx'
import { AdvertiserTable } from '../../features/advertiser/AdvertiserTable.tsx'
import { ConcernAlert } from '../../features/advertiser/ConcernAlert.tsx'
import { OutcomeAlert } from '../../features/advertiser/OutcomeAlert.tsx'
import { SandboxNotice } from '../../features/advertiser/SandboxNotice.tsx'
import { shownOf } from '../../features/advertiser/shown-account.ts'
import { useAuthorise } from '../../features/advertiser/use-authorise.tsx'
import { AccountAudiencesDrawer } from '../../features/audience/AccountAudiencesDrawer.tsx'
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
      <OutcomeAlert>
        <SandboxNotice>
          {advertisers.data ? (
            <>
              <ConcernAlert advertisers={advertisers.data.list} now={now} />
              <Card>
                {advertisers.data.list.length > 1 && (
                  <Input.Search
                    allowClear={CLEARABLE}
                    aria-label="搜索广告主"
                    placeholder="搜索广告主名称"
                    value={keyword}
                    onChange={(event) => setSearch({ of: askedKey, keyword: event.target.value })}
                    className={styles.search}
                  />
                )}
                <AdvertiserTable
                  key={askedKey}
                  advertisers={advertisers.data.list}
                  keyword={keyword}
                  mayManage={viewer.is_admin}
                  onRename={setEdited}
                  authorising={authorising}
                  shown={asked}
                  now={now}
                />
              </Card>
            </>
          ) : (
            <Card>
              <QueryState query={advertisers} errorTitle="广告主加载失败">
                {() => null}
              </QueryState>
            </Card>
          )}
        </SandboxNotice>
      </OutcomeAlert>
      <AccountAudiences advertisers={advertisers.data?.list ?? []} />
      {edited !== undefined && <AdvertiserDialog advertiser={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

/** The drawer that a link opens: the audiences of the account in the URL. */
function AccountAudiences({ advertisers }: { advertisers: DataOf<typeof listAdvertiserData>['list'] }) {
  const [params, setParams] = useSearchParams()
  if (params.get('panel') !== 'audiences') return null
  const id = Number(params.get('account_id'))
  const advertiser = advertisers.find((one) => one.accounts.some((account) => account.id === id))
  const account = advertiser?.accounts.find((one) => one.id === id)
  if (!advertiser || !account || !isAudienceCode(account.platform)) return null
  const { name, external_id, platform } = account
  return (
    <AccountAudiencesDrawer
      key={id}
      account={{ id, name: accountFullName(name, external_id), platform, adv_id: advertiser.id }}
      onClose={() => setParams({ account_id: String(id) })}
    />
  )
}
