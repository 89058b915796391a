import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { listCategories, listTags, type TagCategory, type TagRow, updateTag } from '#contract/tag.ts'
import { useFocusBack } from '../../components/use-focus-back.ts'
import { call } from '../../lib/call.ts'
import { keyOf } from '../../lib/query.ts'

/** Moves tags of one type to another category. */
export function MoveTagsDialog(props: {
  tags: readonly TagRow[]
  categories: readonly TagCategory[]
  onDone: (moved: readonly TagRow[]) => void
  onCancel: () => void
}) {
  const { tags, categories, onDone, onCancel } = props
  const { message } = App.useApp()
  useFocusBack()
  const client = useQueryClient()
  const [target, setTarget] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isMixed = new Set(tags.map((tag) => tag.tag_type)).size > 1

  const submit = async () => {
    if (target === null) return setProblem('请选择分类')
    setBusy(true)
    const moved: TagRow[] = []
    const refused: string[] = []
    // One call per tag: a name that is taken in the new category fails only that tag.
    for (const tag of tags) {
      await call(updateTag, { params: { id: tag.id }, body: { category_id: target } }).then(
        () => moved.push(tag),
        (error: Error) => refused.push(`「${tag.name}」：${error.message}`),
      )
    }
    await Promise.all([listTags, listCategories].map((one) => client.invalidateQueries({ queryKey: [keyOf(one)] })))
    setBusy(false)
    if (refused.length > 0) setProblem(`${moved.length} 个已移动，${refused.length} 个未移动。${refused.join('；')}`)
    else message.success('移动成功')
    if (refused.length === 0) onDone(moved)
  }

  return (
    <Modal
      open
      width={480}
      title={tags.length > 1 ? `移动 ${tags.length} 个标签` : `移动标签「${tags[0]?.name ?? ''}」`}
      onCancel={onCancel}
      onOk={() => void submit()}
      okButtonProps={{ disabled: isMixed }}
      confirmLoading={isBusy}
    >
      {isMixed ? (
        <Alert type="warning" showIcon title="属性标签与事件标签分属不同的分类，请分开移动。" />
      ) : (
        <Form layout="vertical">
          <Form.Item label="移动到分类" {...(problem ? { validateStatus: 'error' as const, help: problem } : {})}>
            <Select
              aria-label="移动到分类"
              placeholder="选择分类"
              value={target}
              onChange={(id) => {
                setTarget(id)
                setProblem(null)
              }}
              showSearch={{ optionFilterProp: 'label' }}
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
