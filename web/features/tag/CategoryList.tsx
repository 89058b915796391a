import { PlusOutlined, TagsOutlined } from '@ant-design/icons'
import { App } from 'antd'
import {
  ATTRIBUTE_TAG,
  deleteCategory,
  EVENT_TAG,
  listCategories,
  listTags,
  TAG_TYPE_LABELS,
  type TagCategory,
  type TagType,
} from '#contract/tag.ts'
import { getCategoryUsage } from '#contract/tag-batch.ts'
import { IconButton } from '../../components/IconButton.tsx'
import { MoreActions, moreRow } from '../../components/MoreActions.tsx'
import text from '../../components/text.module.css'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { useOneAtATime } from '../../components/use-one-at-a-time.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { CategoryIcon } from '../../domain/tag/category-icon.tsx'
import { call } from '../../lib/call.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import type { CategoryTask } from './CategoryForm.tsx'
import { UseList } from './TagUses.tsx'
import styles from './tag.module.css'

const TYPES: TagType[] = [ATTRIBUTE_TAG, EVENT_TAG]

export interface Chosen {
  tag_type: TagType | null
  category_id: number | null
}

/** The tag categories by type, with the number of tags in each. */
export function CategoryList(props: {
  categories: readonly TagCategory[]
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  onTask: (task: CategoryTask) => void
}) {
  const { categories, chosen, onChoose, onTask } = props
  const { message } = App.useApp()
  const confirm = useConfirm()
  const showRefusal = useRefusal()
  const remove = useAction(deleteCategory, [listCategories, listTags], { meta: { quiet: true } })

  /** Its use is looked up first: crowds that use its tags keep it. */
  const askDelete = useOneAtATime(async (category: TagCategory) => {
    const uses = await call(getCategoryUsage, { params: { id: category.id } }).catch((error: Error) => error)
    if (uses instanceof Error) return showRefusal('无法删除分类', uses.message || '请求失败')
    if (uses.crowds.length > 0) {
      return showRefusal(
        `无法删除分类「${category.name}」`,
        <>
          <p className={text.firstParagraph}>以下人群正在使用其中的标签，请先从这些人群的规则中移除：</p>
          <UseList list={uses.crowds} />
        </>,
      )
    }
    confirm({
      title: `删除分类「${category.name}」？`,
      content: uses.tags > 0 ? `其中的 ${formatCount(uses.tags)} 个标签会一并删除，不可恢复。` : '删除后不可恢复。',
      okText: '删除',
      isDanger: true,
      onOk: () =>
        remove.mutateAsync({ params: { id: category.id }, query: { with_tags: uses.tags > 0 ? '1' : '0' } }).then(
          () => {
            message.success('删除成功')
            if (chosen.category_id === category.id) onChoose({ tag_type: null, category_id: null })
          },
          (error: Error) => void showRefusal('无法删除分类', error.message || '删除失败'),
        ),
    })
  })

  const total = categories.reduce((sum, category) => sum + category.tags, 0)
  const choice = (isChosen: boolean, onClick: () => void, icon: React.ReactNode, name: string, count: number) => (
    <button type="button" className={styles.choose} aria-pressed={isChosen} onClick={onClick}>
      {icon}
      <WholeOnHover text={name}>
        <span className={styles.name}>{name}</span>
      </WholeOnHover>
      <span className={text.hint}>{formatCount(count)}</span>
    </button>
  )
  const rowClass = (isChosen: boolean) => `${moreRow} ${styles.category} ${isChosen ? styles.chosen : ''}`
  const isAll = chosen.category_id === null && chosen.tag_type === null

  return (
    <section className={styles.categories} aria-label="标签分类">
      <div className={styles.head}>
        <span>标签分类</span>
        <IconButton
          name="新建分类"
          changes="current"
          size="small"
          icon={<PlusOutlined />}
          onClick={() => onTask({ type: 'add', tag_type: chosen.tag_type ?? ATTRIBUTE_TAG })}
        />
      </div>
      <div className={rowClass(isAll)}>
        {choice(isAll, () => onChoose({ tag_type: null, category_id: null }), <TagsOutlined />, '全部标签', total)}
      </div>
      {TYPES.map((type) => {
        const own = categories.filter((category) => category.tag_type === type)
        const isChosen = chosen.tag_type === type && chosen.category_id === null
        return (
          <div key={type}>
            <div className={styles.group}>
              <button
                type="button"
                className={styles.groupButton}
                aria-pressed={isChosen}
                onClick={() => onChoose({ tag_type: type, category_id: null })}
              >
                {TAG_TYPE_LABELS[type]}
              </button>
            </div>
            {own.length === 0 && <div className={styles.none}>还没有分类</div>}
            {own.map((category) => {
              const isThis = chosen.category_id === category.id
              return (
                <div key={category.id} className={rowClass(isThis)}>
                  {choice(
                    isThis,
                    () => onChoose({ tag_type: type, category_id: category.id }),
                    <CategoryIcon icon={category.icon} />,
                    category.name,
                    category.tags,
                  )}
                  <MoreActions
                    name={`分类「${category.name}」的操作`}
                    onHover
                    changes="current"
                    actions={[
                      { key: 'edit', label: '编辑', onClick: () => onTask({ type: 'edit', category }) },
                      '-',
                      { key: 'delete', label: '删除', danger: true, onClick: () => void askDelete(category) },
                    ]}
                  />
                </div>
              )
            })}
          </div>
        )
      })}
    </section>
  )
}
