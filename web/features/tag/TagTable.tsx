import { ExclamationCircleOutlined, InfoCircleOutlined, SyncOutlined } from '@ant-design/icons'
import { Flex, Table, type TableColumnsType, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { leftOutText, TAG_TYPE_LABELS, type TagCategory, type TagRow } from '#contract/tag.ts'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf, rowSelectionOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf } from '../../lib/format.ts'
import type { TagListState } from './list-state.ts'
import { TagUsesButton } from './TagUses.tsx'

const BUILT_IN = '内置标签不可修改或删除'

export interface TagActions {
  edit(tag: TagRow): void
  move(tags: readonly TagRow[]): void
  rebuild(tags: readonly TagRow[]): void
  remove(tag: TagRow): void
  /** Hidden tags are not offered in rule editors. */
  hide(tags: readonly TagRow[], hidden: boolean): void
  removeAll(tags: readonly TagRow[]): void
}

/** A tag's count and its time, with an icon for a running or failed rebuild. */
function TagCount({ tag }: { tag: TagRow }) {
  return (
    <>
      <Flex justify="flex-end" align="center" gap={6}>
        {tag.error && (
          <Tooltip title={`上次计算失败：${tag.error}`}>
            <ExclamationCircleOutlined tabIndex={0} aria-label={`上次计算失败：${tag.error}`} className={text.error} />
          </Tooltip>
        )}
        {tag.refreshing && (
          <Tooltip title="正在重新计算，显示的是上次结果">
            <SyncOutlined spin aria-label="正在重新计算" className={text.busy} />
          </Tooltip>
        )}
        <span className={tag.refreshing ? text.stale : undefined}>
          <LargeNumber value={tag.count} title="人" />
        </span>
      </Flex>
      <div className={text.small}>{formatAsOf(tag.counted_at)}</div>
    </>
  )
}

/** Beside 有值: the values that have no tag of their own. */
function LeftOutHint({ tag, categories }: { tag: TagRow; categories: readonly TagCategory[] }) {
  const isExists = tag.definition.kind === 'attribute' && tag.definition.condition.is === 'exists'
  const category = categories.find((one) => one.id === tag.category_id)
  const note = isExists && category ? leftOutText(category.left_out) : null
  if (note === null) return null
  return (
    <Tooltip title={note}>
      <InfoCircleOutlined tabIndex={0} aria-label={note} className={text.quiet} />
    </Tooltip>
  )
}

export function TagTable(props: {
  rows: readonly TagRow[]
  total: number
  isLoading: boolean
  state: TagListState
  onState: (change: Partial<TagListState>) => void
  categories: readonly TagCategory[]
  actions: TagActions
  selected: readonly TagRow[]
  onSelected: (rows: TagRow[]) => void
  empty: ReactNode
}) {
  const { rows, total, isLoading, state, onState, categories, actions, selected, onSelected, empty } = props
  return (
    <Table<TagRow>
      rowKey="id"
      size="middle"
      columns={columns(categories, actions)}
      dataSource={[...rows]}
      loading={isLoading}
      scroll={{ x: 720 }}
      locale={{ emptyText: empty }}
      rowSelection={rowSelectionOf({ selected, onSelected, isBarred: (tag) => tag.is_built_in })}
      pagination={{
        ...paginationOf(state, total, '个'),
        onChange: (page, size) => onState(pageChange(state, page, size)),
      }}
    />
  )
}

const columns = (categories: readonly TagCategory[], actions: TagActions): TableColumnsType<TagRow> => [
  {
    title: '名称',
    key: 'name',
    width: '21%',
    fixed: 'left',
    render: (_, tag) => <NameOf tag={tag} categories={categories} />,
  },
  {
    title: '分类',
    key: 'category',
    width: '13%',
    render: (_, tag) => <CategoryOf tag={tag} categories={categories} />,
  },
  {
    title: '定义',
    key: 'definition',
    ellipsis: { showTitle: false },
    render: (_, tag) => <WholeOnHover text={tag.text} />,
  },
  { title: '人数', key: 'count', width: 124, align: 'right', render: (_, tag) => <TagCount tag={tag} /> },
  {
    title: '使用处',
    key: 'used_by',
    width: 64,
    align: 'right',
    render: (_, tag) => <TagUsesButton tagId={tag.id} count={tag.used_by} />,
  },
  {
    title: '操作',
    key: 'actions',
    width: 116,
    fixed: 'right',
    render: (_, tag) => <Actions tag={tag} actions={actions} />,
  },
]

const NameOf = ({ tag, categories }: { tag: TagRow; categories: readonly TagCategory[] }) => (
  <Flex align="center" gap={6}>
    <WholeOnHover text={tag.name}>
      <span className={text.cut}>{tag.name}</span>
    </WholeOnHover>
    {tag.is_built_in ? <Tag>内置</Tag> : tag.is_automatic ? <Tag>自动</Tag> : null}
    {tag.is_hidden && <Tag>已隐藏</Tag>}
    <LeftOutHint tag={tag} categories={categories} />
  </Flex>
)

function CategoryOf({ tag, categories }: { tag: TagRow; categories: readonly TagCategory[] }) {
  const name = categories.find((category) => category.id === tag.category_id)?.name
  return (
    <>
      <WholeOnHover text={name ?? ''}>
        {/* Categories may arrive later than the tags. */}
        <div className={text.cut}>{name ?? '\u00a0'}</div>
      </WholeOnHover>
      <div className={text.small}>{TAG_TYPE_LABELS[tag.tag_type]}</div>
    </>
  )
}

function Actions({ tag, actions }: { tag: TagRow; actions: TagActions }) {
  const fixed = tag.is_built_in ? BUILT_IN : null
  return (
    <Flex gap={8} align="center">
      <RowAction changes="current" refusal={fixed} onClick={() => actions.edit(tag)}>
        编辑
      </RowAction>
      <RowAction changes="current" refusal={tag.refreshing ? '正在计算' : null} onClick={() => actions.rebuild([tag])}>
        重算
      </RowAction>
      <MoreActions
        name={`「${tag.name}」的更多操作`}
        changes="current"
        actions={[
          { key: 'move', label: '移动到', refusal: fixed, onClick: () => actions.move([tag]) },
          {
            key: 'hide',
            label: tag.is_hidden ? '显示' : '隐藏',
            refusal: fixed,
            onClick: () => actions.hide([tag], !tag.is_hidden),
          },
          '-',
          { key: 'delete', label: '删除', danger: true, refusal: fixed, onClick: () => actions.remove(tag) },
        ]}
      />
    </Flex>
  )
}
