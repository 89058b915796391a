import { App, Flex } from 'antd'
import type { ReactNode } from 'react'
import { type CustomCrowd, deleteCustomCrowd, undeleteCustomCrowds } from '#contract/custom-crowd.ts'
import { RESTORE_DAYS } from '#contract/deleted.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useDeletedMessage } from '../../components/use-deleted-message.tsx'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { DeletionRefusal, KeptBy, namesOf } from '../../domain/crowd/deletion.tsx'
import { useAction } from '../../lib/query.ts'
import { useChildRemoval } from '../audience/use-child-removal.tsx'
import { CROWD_QUERIES, useRetries } from './use-retries.ts'

/** Actions on uploaded crowds and audiences, with their dialogs and messages. */
export function useCustomActions(onDeleted: (crowd_ids: number[]) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const { tellDeleted } = useDeletedMessage()
  const retries = useRetries()
  const quiet = { meta: { quiet: true } }
  const checking = useAction(deleteCustomCrowd, [], quiet)
  const deleting = useAction(deleteCustomCrowd, CROWD_QUERIES, quiet)
  const removeChild = useChildRemoval({ kept: '上传的人群仍保留，可再次推送。', stale: CROWD_QUERIES })

  const restoring = useAction(undeleteCustomCrowds, CROWD_QUERIES, {
    onSuccess: () => void message.success('已撤销删除'),
  })

  const deleted = (ids: number[], what: string) => {
    onDeleted(ids)
    tellDeleted(ids, '删除人群成功', what, () => restoring.mutate({ body: { ids } }))
  }
  const refuse = (reason: ReactNode): void => {
    showRefusal('无法删除', reason)
  }
  const refuseError = (error: Error) => refuse(<DeletionRefusal error={error} />)

  /** Asks the server first whether it would refuse; a refusal is shown instead of the question. */
  async function isDeletable(query: Parameters<typeof checking.mutateAsync>[0]['query']): Promise<boolean> {
    const answer = await checking.mutateAsync({ query: { ...query, check: '1' } }).catch(refuseError)
    if (!answer) return false
    if (answer.refusal_outcome) refuse(<KeptBy reason={sentenceOf(answer.refusal_outcome)} users={answer.users} />)
    return answer.refusal_outcome === null
  }

  /** Which of the crowds the server would delete, and why it would keep the others. */
  async function checkAll(selected: readonly CustomCrowd[]) {
    const crowds: CustomCrowd[] = []
    const kept: KeptCrowd[] = []
    for (const crowd of selected) {
      await checking.mutateAsync({ query: { id: crowd.id, advertiser_id: crowd.adv_id, check: '1' } }).then(
        ({ refusal_outcome: refusal, users }) => {
          if (refusal) kept.push({ name: crowd.name, why: <KeptBy reason={sentenceOf(refusal)} users={users} /> })
          else crowds.push(crowd)
        },
        (error: Error) => kept.push({ name: crowd.name, why: <DeletionRefusal error={error} /> }),
      )
    }
    return { crowds, kept }
  }

  const removeCrowd = useOneAtATime(async (crowd: CustomCrowd) => {
    const query = { id: crowd.id, advertiser_id: crowd.adv_id }
    if (!(await isDeletable(query))) return
    confirm({
      title: `删除人群「${crowd.name}」？`,
      content: `它的文件、校验结果与全部版本会一并删除，${RESTORE_DAYS} 天内可以在「最近删除」里恢复。`,
      okText: '删除',
      isDanger: true,
      onOk: () => deleting.mutateAsync({ query }).then(() => deleted([crowd.id], crowd.name), refuseError),
    })
  })

  return {
    ...retries,

    removeCrowd,

    removeChild,

    /**
     * Checks all first, and asks about those that can be deleted. Deletes one by one: a refused crowd does not keep the
     * others from being deleted.
     */
    async removeAll(selected: readonly CustomCrowd[]) {
      const { crowds, kept: barred } = await checkAll(selected)
      if (crowds.length === 0) return refuse(<Kept kept={barred} />)
      confirm({
        title: `删除选中的 ${crowds.length} 个人群？`,
        content: (
          <Flex vertical gap={8}>
            {namesOf(crowds)}。它们的文件、校验结果与全部版本会一并删除，{RESTORE_DAYS} 天内可以在「最近删除」里恢复。
            {barred.length > 0 && <span>另外 {barred.length} 个不能删除，会保留：</span>}
            <Kept kept={barred} />
          </Flex>
        ),
        okText: '删除',
        isDanger: true,
        onOk: async () => {
          const gone: number[] = []
          const kept: KeptCrowd[] = []
          for (const { id, adv_id, name } of crowds) {
            await deleting.mutateAsync({ query: { id, advertiser_id: adv_id } }).then(
              () => gone.push(id),
              (error: Error) => kept.push({ name, why: <DeletionRefusal error={error} /> }),
            )
          }
          if (gone.length > 0) deleted(gone, `${gone.length} 个人群`)
          if (kept.length > 0) refuse(<Kept kept={kept} />)
        },
      })
    },
  }
}

interface KeptCrowd {
  name: string
  why: ReactNode
}

/** Crowds that were not deleted, each with the reason. */
const Kept = ({ kept }: { kept: readonly KeptCrowd[] }) => (
  <Flex vertical gap={8}>
    {kept.map(({ name, why }) => (
      <div key={name}>
        <strong>{name}</strong>
        {why}
      </div>
    ))}
  </Flex>
)
