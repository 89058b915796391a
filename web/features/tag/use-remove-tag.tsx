import { App } from 'antd'
import { deleteTag, getTagUsage, listCategories, listTags, type TagRow } from '#contract/tag.ts'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { call, isFault } from '../../lib/call.ts'
import { useAction } from '../../lib/query.ts'
import { crowdsIn, UseList } from './TagUses.tsx'

/** Deletes a tag; a tag in use is refused with links to the crowds that use it. */
export function useRemoveTag(onRemoved: (tag: TagRow) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const remove = useAction(deleteTag, [listTags, listCategories], { meta: { quiet: true } })

  const refuse = async (tag: TagRow, reason: string) => {
    // If the uses cannot be loaded, only the reason is shown.
    const uses = await call(getTagUsage, { params: { id: tag.id } }).catch(() => null)
    const crowds = uses && crowdsIn(uses)
    showRefusal(
      `无法删除标签「${tag.name}」`,
      crowds?.length ? (
        <>
          <p className={text.firstParagraph}>以下人群正在使用它，请先从这些人群的规则中移除：</p>
          <UseList list={crowds} />
        </>
      ) : (
        reason
      ),
    )
  }

  return useOneAtATime(async (tag: TagRow) => {
    if (tag.used_by > 0) return refuse(tag, `标签「${tag.name}」正在被使用`)
    confirm({
      title: `删除标签「${tag.name}」？`,
      content: '它的定义与人数会一并删除，不可恢复。',
      okText: '删除',
      isDanger: true,
      onOk: () =>
        remove.mutateAsync({ params: { id: tag.id } }).then(
          () => {
            message.success('删除成功')
            onRemoved(tag)
          },
          (error: Error) => {
            if (isFault(error, 'tagInUse')) void refuse(tag, error.message || '删除失败')
            else showRefusal('无法删除', error.message || '删除失败')
          },
        ),
    })
  })
}
