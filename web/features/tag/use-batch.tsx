import { App } from 'antd'
import { listCategories, listTags, type TagRow } from '#contract/tag.ts'
import { deleteTags, hideTags, type KeptTag } from '#contract/tag-batch.ts'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { call } from '../../lib/call.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { UseList } from './TagUses.tsx'

const STALE = [listTags, listCategories]

const namesOf = (tags: readonly KeptTag[]) => tags.map((tag) => `「${tag.name}」`).join('')

/** Hides, shows and deletes tags in bulk; the ones that stay are named with the crowds that use them. */
export function useTagBatch(adv_id: number, onDone: () => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const hide = useAction(hideTags, STALE)
  const remove = useAction(deleteTags, STALE, { meta: { quiet: true } })
  const idsOf = (tags: readonly TagRow[]) => tags.map((tag) => tag.id)

  const finish = (done: number, kept: readonly KeptTag[]) => {
    onDone()
    if (kept.length === 0) return void message.success('删除成功')
    showKept(`${formatCount(done)} 个标签已删除，${formatCount(kept.length)} 个正在被使用而保留`, kept)
  }

  function showKept(title: string, kept: readonly KeptTag[]) {
    const crowds = [...new Map(kept.flatMap((tag) => tag.crowds).map((crowd) => [crowd.id, crowd])).values()]
    showRefusal(
      title,
      <>
        <p className={text.firstParagraph}>保留：{namesOf(kept)}。使用它们的人群：</p>
        <UseList list={crowds} />
      </>,
    )
  }

  /** Their use is looked up first: crowds that use them keep them. */
  const askRemove = useOneAtATime(async ({ tags }: { id: number; tags: readonly TagRow[] }) => {
    const body = { adv_id, ids: idsOf(tags) }
    const found = await call(deleteTags, { body: { ...body, check: true } }).catch((error: Error) => error)
    if (found instanceof Error) return void showRefusal('无法删除', found.message || '请求失败')
    const { done, kept } = found
    if (done === 0) return void showKept('无法删除标签', kept)
    const stay = kept.length > 0 ? `正在被使用的会保留：${namesOf(kept)}。` : ''
    confirm({
      title: `删除 ${formatCount(done)} 个标签？`,
      content: `它们的定义与人数会一并删除，不可恢复。${stay}`,
      okText: '删除',
      isDanger: true,
      onOk: () =>
        remove.mutateAsync({ body }).then(
          ({ done, kept }) => finish(done, kept),
          (error: Error) => void showRefusal('无法删除', error.message || '删除失败'),
        ),
    })
  })

  return {
    hide: (tags: readonly TagRow[], hidden: boolean) =>
      hide.mutate(
        { body: { adv_id, ids: idsOf(tags), hidden } },
        {
          onSuccess: ({ done }) => {
            message.success(`${formatCount(done)} 个标签已${hidden ? '隐藏' : '显示'}`)
            onDone()
          },
        },
      ),
    remove: (tags: readonly TagRow[]) => askRemove({ id: adv_id, tags }),
  }
}
