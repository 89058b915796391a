import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Card } from 'antd'
import { useState } from 'react'
import { listWebhooks } from '#contract/webhook.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { WebhookDialog } from '../../features/webhook/WebhookDialog.tsx'
import { type WebhookRow, WebhookTable } from '../../features/webhook/WebhookTable.tsx'
import { queryOf } from '../../lib/query.ts'

/** Webhooks for failed and paused pushes of the advertiser in the top bar. */
export default function WebhooksPage() {
  const { advId } = useAdvertiser()
  const [edited, setEdited] = useState<WebhookRow | null | undefined>(undefined)
  const webhooks = useQuery({
    ...queryOf(listWebhooks, { query: { adv_id: advId ?? 0 } }),
    enabled: advId !== undefined,
    meta: { inPlace: true },
  })
  const add = (
    <ChangeButton changes="current" type="primary" icon={<PlusOutlined />} onClick={() => setEdited(null)}>
      新建通知
    </ChangeButton>
  )
  return (
    <>
      <PageHeader crumbs={[{ title: '基础管理' }]} title="推送通知" action={advId !== undefined && add} />
      {advId === undefined ? (
        <Unauthorised module="推送通知" />
      ) : (
        <Card>
          <QueryState query={webhooks} errorTitle="通知加载失败">
            {({ list }) => <WebhookTable webhooks={list} addButton={add} onEdit={setEdited} />}
          </QueryState>
        </Card>
      )}
      {edited !== undefined && advId !== undefined && (
        <WebhookDialog webhook={edited} advId={advId} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}
