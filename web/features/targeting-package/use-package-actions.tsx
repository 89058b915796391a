import { App } from 'antd'
import { sentenceOf } from '#contract/outcome.ts'
import {
  copyTargeting,
  deleteTargetings,
  getTargetingQuota,
  listTargetings,
  type TargetingPackage,
} from '#contract/targeting-package.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { namesOf } from '../../domain/crowd/deletion.tsx'
import { useAction } from '../../lib/query.ts'

/** How long a refusal stays, in seconds: unbinding a plan takes a while. */
const REFUSAL_SECONDS = 120

/** Actions on packages of a list, with their questions and messages. */
export function usePackageActions(onDeleted: (ids: number[]) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const stale = [listTargetings, getTargetingQuota]
  const quiet = { meta: { quiet: true } }
  const copying = useAction(copyTargeting, stale, quiet)
  const checking = useAction(deleteTargetings, [], quiet)
  const deleting = useAction(deleteTargetings, stale, quiet)
  const refuse = (reason: string) => void message.warning(reason || '删除失败', REFUSAL_SECONDS)

  const remove = async (rows: readonly TargetingPackage[]) => {
    if (checking.isPending) return
    const ids = rows.map((row) => row.id)
    const id = ids.join(',')
    const check = await checking
      .mutateAsync({ query: { id, check: '1' } })
      .catch((error: Error) => refuse(error.message))
    if (!check) return
    if (check.refusal_outcome) return refuse(sentenceOf(check.refusal_outcome))
    confirm({
      title: rows.length === 1 ? `删除定向包「${rows[0]?.name ?? ''}」？` : `删除选中的 ${rows.length} 个定向包？`,
      content: `${rows.length === 1 ? '' : `${namesOf(rows)}。`}删除后不能恢复；已经投放的计划不受影响。`,
      okText: '删除',
      isDanger: true,
      onOk: () =>
        deleting.mutateAsync({ query: { id } }).then(
          () => {
            message.success('删除成功')
            onDeleted(ids)
          },
          (error: Error) => refuse(error.message),
        ),
    })
  }

  const copy = useOneAtATime(async (row: TargetingPackage) => {
    await copying.mutateAsync({ body: { id: row.id } }).then(
      ({ name }) => void message.success(`复制成功：${name}`),
      (error: Error) => void message.error(error.message || '复制失败'),
    )
  })

  return { remove, copy }
}
