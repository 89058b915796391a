import { Card } from 'antd'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { embedding } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'

/** Stands in a page for a viewer without an advertiser; `what` belongs to one: 标签, 用户. */
export const NoAdvertiser = ({ what }: { what: string }) => (
  <Card>
    <EmptyState
      title="还没有可用的广告主"
      hint={`${what}属于广告主。请管理员新建广告主并接入数据，或为您开通一个广告主。`}
      action={embedding() ? null : <LinkButton to={paths.dataAccess()}>接入数据</LinkButton>}
    />
  </Card>
)
