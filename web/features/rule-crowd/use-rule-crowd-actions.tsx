import { App, Flex } from 'antd'
import type { ReactNode } from 'react'
import { RESTORE_DAYS } from '#contract/deleted.ts'
import type { CrowdUser } from '#contract/live-plan.ts'
import {
  checkCrowdUse,
  computeRuleCrowd,
  copyRuleCrowd,
  deleteRuleCrowd,
  deleteRuleCrowds,
  getRuleCrowd,
  getRuleCrowdQuota,
  listDeletedRuleCrowds,
  listRuleCrowds,
  type RuleCrowd,
  restoreRuleCrowds,
} from '#contract/rule-crowd.ts'
import space from '../../components/space.module.css'
import { TwoLines } from '../../components/TwoLines.tsx'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useDeletedMessage } from '../../components/use-deleted-message.tsx'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { DeletionRefusal, namesOf, UserLinks } from '../../domain/crowd/deletion.tsx'
import { useAction } from '../../lib/query.ts'

/** Actions on rule crowds in a list or on their page, with their dialogs and messages. */
export function useRuleCrowdActions(onDeleted: (ids: number[]) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const { tellDeleted } = useDeletedMessage()
  const stale = [listRuleCrowds, getRuleCrowdQuota, listDeletedRuleCrowds]
  const quiet = { meta: { quiet: true } }
  const copying = useAction(copyRuleCrowd, stale, quiet)
  const computing = useAction(computeRuleCrowd, [listRuleCrowds, getRuleCrowd], {
    onSuccess: () => void message.success('已开始重新计算'),
  })
  const checking = useAction(checkCrowdUse, [], quiet)
  const deleting = useAction(deleteRuleCrowd, stale, quiet)
  const checkingList = useAction(deleteRuleCrowds, [], quiet)
  const deletingList = useAction(deleteRuleCrowds, stale, quiet)
  const restoring = useAction(restoreRuleCrowds, stale, { onSuccess: () => void message.success('已撤销删除') })

  const refuse = (reason: ReactNode) => showRefusal('无法删除', reason)

  const deleted = (ids: number[], what: string) => {
    onDeleted(ids)
    tellDeleted(ids, '删除成功', what, () => restoring.mutate({ body: { ids } }))
  }

  const copy = useOneAtATime(async (ruleCrowd: RuleCrowd) => {
    try {
      const { name } = await copying.mutateAsync({ params: { id: ruleCrowd.id }, body: {} })
      message.success(<Said what="复制成功" of={name} />)
    } catch (error) {
      message.error(<TwoLines text="复制失败" more={(error as Error).message} />)
    }
  })

  const remove = useOneAtATime(async (ruleCrowd: RuleCrowd) => {
    const use = await checking
      .mutateAsync({ body: { type: 1, crowd_id: ruleCrowd.id, tag_id: ruleCrowd.tagId } })
      .catch((error: Error) => void refuse(<DeletionRefusal error={error} />))
    if (!use) return
    if (use.apply_status === 1) return void refuse(<Uses name={ruleCrowd.name} by={use.by} />)
    confirm({
      title: `删除定向包「${ruleCrowd.name}」？`,
      content: `它的人群结果会一并删除，${RESTORE_DAYS} 天内可以在「最近删除」里恢复。`,
      okText: '删除',
      isDanger: true,
      onOk: () =>
        deleting.mutateAsync({ params: { id: ruleCrowd.id } }).then(
          () => deleted([ruleCrowd.id], ruleCrowd.name),
          (error: Error) => void refuse(<DeletionRefusal error={error} />),
        ),
    })
  })

  return {
    copy,

    compute: (ruleCrowd: RuleCrowd) => computing.mutate({ params: { id: ruleCrowd.id } }),

    /** Checks first; a crowd in use shows links to its users instead of the question. */
    remove,

    /** Checks first, like a single deletion. */
    async removeAll(rows: readonly RuleCrowd[]) {
      const ids = rows.map((row) => row.id)
      const refuseError = (error: Error) => void refuse(<DeletionRefusal error={error} />)
      const isFree = await checkingList
        .mutateAsync({ query: { check: '1' }, body: { ids } })
        .then(() => true, refuseError)
      if (!isFree) return
      confirm({
        title: `删除选中的 ${ids.length} 个定向包？`,
        content: `${namesOf(rows)}。它们的人群结果会一并删除，${RESTORE_DAYS} 天内可以在「最近删除」里恢复。`,
        okText: '删除',
        isDanger: true,
        onOk: () =>
          deletingList.mutateAsync({ body: { ids } }).then(() => deleted(ids, `${ids.length} 个定向包`), refuseError),
      })
    },
  }
}

/** What was done, and to which crowd in secondary text. */
const Said = ({ what, of }: { what: string; of: string }) => (
  <>
    <span>{what}</span>
    <span className={`${text.secondary} ${space.remark}`}>{of}</span>
  </>
)

const Uses = ({ name, by }: { name: string; by: readonly CrowdUser[] }) => (
  <Flex vertical gap={4}>
    <span>定向包「{name}」正在被以下内容使用，请先移除引用或关闭计划：</span>
    <UserLinks users={by} />
  </Flex>
)
