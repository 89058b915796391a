import { Card } from 'antd'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { embedding } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'

/** Stands in place of an activity that somebody deleted, or that the viewer may not see. */
export function NoActivity() {
  return (
    <Card>
      <EmptyState
        title="活动不存在或已被删除"
        hint="也可能是您没有它的权限。"
        action={embedding() ? null : <LinkButton to={paths.activities()}>回到活动列表</LinkButton>}
      />
    </Card>
  )
}
