import { App } from 'antd'
import { useState } from 'react'
import { type AttributeInfo, deleteAttribute, listFields } from '#contract/tag-field.ts'
import { listTasks } from '#contract/task.ts'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useAction } from '../../lib/query.ts'

/** How long the list is asked whether a deleted attribute is gone; a task that takes longer says so itself. */
const WATCHED_MS = 60_000

/** Deletes attributes by a task; one that is in use, or that a file brought, is refused with the reason. */
export function useRemoveAttribute(advId: number) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const action = useAction(deleteAttribute, [listFields, listTasks], { meta: { quiet: true } })
  const [removing, setRemoving] = useState<ReadonlySet<string>>(new Set())

  const watch = (name: string) => {
    setRemoving((before) => new Set(before).add(name))
    setTimeout(() => setRemoving((before) => new Set([...before].filter((one) => one !== name))), WATCHED_MS)
  }
  const remove = ({ name, display_name }: AttributeInfo) =>
    confirm({
      title: `删除属性「${display_name}」？`,
      content:
        '它的值、自动生成的标签与设置会一并删除，不可恢复。发送方之后再带来它时，会作为新的属性。由导入的文件带来的属性不能这样删除。',
      okText: '删除',
      isDanger: true,
      onOk: () =>
        action.mutateAsync({ query: { adv_id: advId, name } }).then(
          () => {
            message.success('已开始删除，完成后不再显示')
            watch(name)
          },
          (error: Error) => void showRefusal(`无法删除属性「${display_name}」`, error.message || '删除失败'),
        ),
    })
  return { remove, removing }
}
