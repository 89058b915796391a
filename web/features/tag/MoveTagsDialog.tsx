import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { listCategories, listTags, type TagCategory, type TagRow } from '#contract/tag.ts'
import { moveTags } from '#contract/tag-batch.ts'
import { footerOf } from '../../components/dialog-footer.tsx'
import { FirstField } from '../../components/FirstField.tsx'
import { useAskLeave } from '../../components/use-ask-close.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { call } from '../../lib/call.ts'
import { useLabelSearch } from '../../lib/name-search.ts'
import { keyOf } from '../../lib/query.ts'

/** Moves tags of one type to another category. */
export function MoveTagsDialog(props: {
  advId: number
  tags: readonly TagRow[]
  categories: readonly TagCategory[]
  onDone: (moved: readonly TagRow[]) => void
  onCancel: () => void
}) {
  const { advId, tags, categories, onDone, onCancel } = props
  const { message } = App.useApp()
  useFocusBack()
  const client = useQueryClient()
  const [target, setTarget] = useState<number | null>(null)
  const { askClose } = useAskLeave(target !== null, onCancel)
  const search = useLabelSearch()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isMixed = new Set(tags.map((tag) => tag.tag_type)).size > 1

  const submit = async () => {
    if (target === null) return setProblem('请选择分类')
    setBusy(true)
    const ids = tags.map((tag) => tag.id)
    const answer = await call(moveTags, { body: { adv_id: advId, ids, category_id: target } }).catch(
      (error: Error) => error,
    )
    await Promise.all([listTags, listCategories].map((one) => client.invalidateQueries({ queryKey: [keyOf(one)] })))
    setBusy(false)
    if (answer instanceof Error) return setProblem(answer.message || '操作失败')
    const { done, kept } = answer
    if (kept.length > 0) {
      const names = kept.map((tag) => `「${tag.name}」`).join('')
      return setProblem(`${done} 个已移动，${kept.length} 个因目标分类已有同名标签而未移动：${names}`)
    }
    message.success('移动成功')
    onDone(tags)
  }

  return (
    <Modal
      open
      width={480}
      title={tags.length > 1 ? `移动 ${tags.length} 个标签` : `移动标签「${tags[0]?.name ?? ''}」`}
      onCancel={askClose}
      footer={footerOf(onCancel)}
      onOk={() => void submit()}
      okButtonProps={{ disabled: isMixed }}
      confirmLoading={isBusy}
    >
      {isMixed ? (
        <Alert type="warning" showIcon title="属性标签与事件标签分属不同的分类，请分开移动。" />
      ) : (
        <Form layout="vertical">
          <FirstField />
          <Form.Item label="移动到分类" {...(problem ? { validateStatus: 'error' as const, help: problem } : {})}>
            <Select
              aria-label="移动到分类"
              placeholder="选择分类"
              value={target}
              onChange={(id) => {
                setTarget(id)
                setProblem(null)
              }}
              showSearch={search}
              options={categories
                .filter((category) => category.tag_type === tags[0]?.tag_type)
                .map((category) => ({
                  value: category.id,
                  label: category.name,
                  disabled: tags.every((tag) => tag.category_id === category.id),
                }))}
            />
          </Form.Item>
        </Form>
      )}
    </Modal>
  )
}
