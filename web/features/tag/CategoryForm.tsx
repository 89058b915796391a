import { Form, Input, Radio, Segmented, Tooltip } from 'antd'
import {
  ATTRIBUTE_TAG,
  CATEGORY_ICONS,
  CategoryName,
  createCategory,
  EVENT_TAG,
  type CategoryIcon as IconKey,
  listCategories,
  TAG_TYPE_LABELS,
  type TagCategory,
  type TagType,
  updateCategory,
} from '#contract/tag.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { CategoryIcon } from '../../domain/tag/category-icon.tsx'
import { useAction } from '../../lib/query.ts'
import { zodRule } from '../../lib/zod-rule.ts'
import styles from './tag.module.css'

export type CategoryTask = { type: 'add'; tag_type: TagType } | { type: 'edit'; category: TagCategory }

interface Values {
  name: string
  icon: IconKey
  tag_type: TagType
}

/** Adds a tag category, or changes its name and icon. */
export function CategoryForm({ task, advId, onClose }: { task: CategoryTask; advId: number; onClose: () => void }) {
  const quiet = { meta: { quiet: true } }
  const create = useAction(createCategory, [listCategories], quiet)
  const update = useAction(updateCategory, [listCategories], quiet)

  const save = async ({ name, icon, tag_type }: Values) => {
    if (task.type === 'edit') await update.mutateAsync({ params: { id: task.category.id }, body: { name, icon } })
    else await create.mutateAsync({ body: { adv_id: advId, name, icon, tag_type } })
    onClose()
  }

  return (
    <FormDialog
      title={task.type === 'edit' ? '编辑分类' : '新建分类'}
      isBusy={create.isPending || update.isPending}
      initialValues={task.type === 'edit' ? task.category : { name: '', icon: 'other', tag_type: task.tag_type }}
      onSave={save}
      onCancel={onClose}
      refusalUnder="name"
    >
      <Form.Item name="name" label="分类名称" rules={[zodRule(CategoryName)]} validateTrigger="onSubmit">
        <Input count={{ show: true, max: 30 }} />
      </Form.Item>
      <Form.Item name="tag_type" label="类型">
        <Segmented
          aria-label="类型"
          disabled={task.type === 'edit'}
          options={[
            { value: ATTRIBUTE_TAG, label: TAG_TYPE_LABELS[ATTRIBUTE_TAG] },
            { value: EVENT_TAG, label: TAG_TYPE_LABELS[EVENT_TAG] },
          ]}
        />
      </Form.Item>
      <Form.Item name="icon" label="图标">
        <Radio.Group className={styles.icons}>
          {Object.entries(CATEGORY_ICONS).map(([icon, label]) => (
            <Tooltip key={icon} title={label}>
              <Radio.Button value={icon} aria-label={label}>
                <CategoryIcon icon={icon} />
              </Radio.Button>
            </Tooltip>
          ))}
        </Radio.Group>
      </Form.Item>
    </FormDialog>
  )
}
