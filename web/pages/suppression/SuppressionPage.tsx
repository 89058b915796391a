import { Card, Flex } from 'antd'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../components/EmptyState.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { ForgettingList } from '../../features/forgetting/ForgettingList.tsx'
import { ReceiptDrawer } from '../../features/forgetting/ReceiptDrawer.tsx'
import { ConsentCard } from '../../features/suppression/ConsentCard.tsx'
import { SuppressionList } from '../../features/suppression/SuppressionList.tsx'
import { withParams } from '../../lib/with-params.ts'

/** Suppressed identifiers, consent and forgotten people of the advertiser in the top bar. */
export default function SuppressionPage() {
  const { advertiser, advertisers } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const forgotten = Number(params.get('forgotten')) || null
  const open = (id: number | null) => setParams((now) => withParams(now, { forgotten: id }))
  return (
    <>
      <PageHeader crumbs={[{ title: '基础管理' }]} title="屏蔽与同意" />
      {advertiser ? (
        <Flex vertical gap={16} key={advertiser.id}>
          <ConsentCard advId={advertiser.id} />
          <SuppressionList advId={advertiser.id}>
            <ForgettingList advId={advertiser.id} onOpen={open} />
          </SuppressionList>
        </Flex>
      ) : advertisers.length === 0 ? (
        <Unauthorised module="屏蔽名单" />
      ) : (
        <Card>
          <EmptyState title="请先在顶部选择广告主" />
        </Card>
      )}
      <ReceiptDrawer id={forgotten} onClose={() => open(null)} />
    </>
  )
}
