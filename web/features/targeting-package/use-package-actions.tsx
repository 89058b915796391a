import { App } from 'antd'
import { sentenceOf } from '#contract/outcome.ts'
import { syncTargeting } from '#contract/targeting-mirror.ts'
import {
  deleteTargetings,
  getTargeting,
  getTargetingQuota,
  listTargetingHistory,
  listTargetings,
  type TargetingPackage,
} from '#contract/targeting-package.ts'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { namesOf } from '../../domain/crowd/deletion.tsx'
import { isFault } from '../../lib/call.ts'
import { useAction } from '../../lib/query.ts'
import { isSaidBeside, isUseOf } from './deletion-refusal.ts'

/** How long a refusal stays beside the list, in seconds: unbinding a plan takes a while. */
const REFUSAL_SECONDS = 120

const AFTER_CHANGE = [listTargetings, getTargetingQuota]
/** What is read again once somebody decided about the copy on the platform; an opened package shows it too. */
export const AFTER_DECISION = [...AFTER_CHANGE, getTargeting, listTargetingHistory]

/** Actions on packages of a list, with their questions and messages. */
export function usePackageActions(onDeleted: (ids: number[]) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const quiet = { meta: { quiet: true } }
  const checking = useAction(deleteTargetings, [], quiet)
  const deleting = useAction(deleteTargetings, AFTER_CHANGE, quiet)

  const remove = async (rows: readonly TargetingPackage[]) => {
    if (checking.isPending) return
    const ids = rows.map((row) => row.id)
    const id = ids.join(',')
    const refuse = (reason: string, isInUse: boolean): void => {
      if (isSaidBeside(rows, isInUse)) message.warning(reason, REFUSAL_SECONDS)
      else showRefusal('无法删除', reason || '删除失败')
    }
    const refuseFor = (error: Error) => refuse(error.message, isFault(error, 'packageInUse'))
    const check = await checking.mutateAsync({ query: { id, check: '1' } }).catch(refuseFor)
    if (!check) return
    if (check.refusal_outcome) return refuse(sentenceOf(check.refusal_outcome), isUseOf(check.refusal_outcome))
    confirm({
      title: rows.length === 1 ? `删除定向包「${rows[0]?.name ?? ''}」？` : `删除选中的 ${rows.length} 个定向包？`,
      content: `${rows.length === 1 ? '' : `${namesOf(rows)}。`}删除后不能恢复；已经投放的计划不受影响。`,
      okText: '删除',
      isDanger: true,
      onOk: () =>
        deleting.mutateAsync({ query: { id } }).then(() => {
          message.success('删除成功')
          onDeleted(ids)
        }, refuseFor),
    })
  }

  const syncing = useAction(syncTargeting, AFTER_DECISION)
  const sync = ({ id }: TargetingPackage) =>
    syncing.mutate({ body: { id } }, { onSuccess: () => void message.success('已提交同步') })

  return { remove, sync }
}
