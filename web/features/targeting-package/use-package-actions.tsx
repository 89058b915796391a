import { CloseOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Flex } from 'antd'
import type { ReactNode } from 'react'
import { sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { syncTargeting } from '#contract/targeting-mirror.ts'
import {
  copyTargeting,
  deleteTargetings,
  getTargeting,
  getTargetingQuota,
  listTargetingHistory,
  listTargetings,
  type TargetingPackage,
} from '#contract/targeting-package.ts'
import { IconButton } from '../../components/IconButton.tsx'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { namesOf } from '../../domain/crowd/deletion.tsx'
import { isCallError } from '../../lib/call.ts'
import { useOnce } from '../../lib/once.ts'
import { keyOf, useAction } from '../../lib/query.ts'
import { isSaidBeside, isUseOf, reasonsIn, reasonsOfFailure } from './deletion-refusal.ts'

/** How long a refusal stays beside the list, in seconds: unbinding a plan takes a while. */
const REFUSAL_SECONDS = 120
const REFUSAL_KEY = 'packages that were not deleted'

const AFTER_CHANGE = [listTargetings, getTargetingQuota]
/** What is read again once somebody decided about the copy on the platform; an opened package shows it too. */
export const AFTER_DECISION = [...AFTER_CHANGE, getTargeting, listTargetingHistory]

/** Actions on packages of a list, with their questions and messages. */
export function usePackageActions(onDeleted: (ids: number[]) => void) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const quiet = { meta: { quiet: true } }
  const checking = useAction(deleteTargetings, [], quiet)
  const deleting = useAction(deleteTargetings, AFTER_CHANGE, quiet)

  /** Asks about those that can be deleted, and says which are kept and why. */
  const remove = async (rows: readonly TargetingPackage[]) => {
    if (checking.isPending) return
    const id = rows.map((row) => row.id).join(',')
    const sayBeside = (reasons: ReactNode): void => {
      const close = () => message.destroy(REFUSAL_KEY)
      const content = (
        <Flex gap={8} align="flex-start" component="span">
          {reasons}
          <IconButton name="关闭" icon={<CloseOutlined />} size="small" onClick={close} />
        </Flex>
      )
      message.open({ type: 'warning', key: REFUSAL_KEY, content, duration: REFUSAL_SECONDS })
    }
    const refuse = (kept: readonly AnyOutcome[]): void => {
      const reasons = <Reasons of={kept} />
      if (isSaidBeside(rows, kept.every(isUseOf))) sayBeside(reasons)
      else showRefusal('无法删除', reasons)
    }
    const refuseFor = (error: Error): void => {
      const reasons = isCallError(error) ? reasonsOfFailure(error.data) : []
      if (reasons.length > 0) refuse(reasons)
      else showRefusal('无法删除', error.message || '删除失败')
    }
    const check = await checking.mutateAsync({ query: { id, check: '1' } }).catch(refuseFor)
    if (!check) return
    const kept = reasonsIn(check.list)
    const free = rows.filter((row) => check.list.some((one) => one.id === row.id && one.refusal_outcome === null))
    if (free.length === 0) return refuse(kept)
    confirm({
      title: rows.length === 1 ? `删除定向包「${rows[0]?.name ?? ''}」？` : `删除选中的 ${free.length} 个定向包？`,
      content: (
        <Flex vertical gap={8}>
          <span>{rows.length > 1 && `${namesOf(free)}。`}删除后不能恢复；已经投放的计划不受影响。</span>
          {kept.length > 0 && <span>另外 {kept.length} 个不能删除，会保留：</span>}
          <Reasons of={kept} />
        </Flex>
      ),
      okText: '删除',
      isDanger: true,
      // Nothing brings them back.
      isSafeFirst: true,
      onOk: () =>
        deleting.mutateAsync({ query: { id: free.map((row) => row.id).join(',') } }).then(({ list }) => {
          const gone = list.filter((one) => one.is_deleted)
          message.success('删除成功')
          onDeleted(gone.map((one) => one.id))
          // What began to be used since it was checked.
          const late = reasonsIn(list)
          if (late.length > 0) refuse(late)
        }, refuseFor),
    })
  }

  const syncing = useAction(syncTargeting, AFTER_DECISION)
  const sync = ({ id }: TargetingPackage) =>
    syncing.mutate({ body: { id } }, { onSuccess: () => void message.success('已提交同步') })

  const copying = useAction(copyTargeting, [], quiet)
  /** Copies each beside itself, one after the other, and says which were not copied and why. */
  const copyAll = async (rows: readonly TargetingPackage[]) => {
    const kept: { id: number; words: string }[] = []
    for (const { id, name } of rows) {
      await copying.mutateAsync({ body: { id } }).catch((error: Error) => {
        kept.push({ id, words: `「${name}」：${error.message || '复制失败'}` })
      })
    }
    await Promise.all(AFTER_CHANGE.map((stale) => client.invalidateQueries({ queryKey: [keyOf(stale)] })))
    const copied = rows.length - kept.length
    if (kept.length === 0) return void message.success(`已复制 ${copied} 个定向包`)
    showRefusal(
      copied === 0 ? '没有复制' : `已复制 ${copied} 个，另外 ${kept.length} 个没有复制`,
      <Flex vertical gap={4} align="start" component="span">
        {kept.map(({ id, words }) => (
          <span key={id}>{words}</span>
        ))}
      </Flex>,
    )
  }

  return { remove, sync, copyAll: useOnce(copyAll), isCopying: copying.isPending }
}

const Reasons = ({ of }: { of: readonly AnyOutcome[] }) => (
  <Flex vertical gap={4} align="start" component="span">
    {of.map((reason) => (
      <span key={sentenceOf(reason)}>{sentenceOf(reason)}</span>
    ))}
  </Flex>
)
