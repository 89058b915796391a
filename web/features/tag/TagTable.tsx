import { EllipsisOutlined, ExclamationCircleOutlined, SyncOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex, Table, type TableColumnsType, Tag, Tooltip, Typography } from 'antd'
import type { ReactNode } from 'react'
import { definitionText, type FieldNames, type TagCategory, type TagRow } from '#contract/tag.ts'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { selectAll } from '../../components/select-all.tsx'
import { formatAsOf } from '../../lib/format.ts'
import type { TagListState } from './list-state.ts'
import { TagUsesButton } from './TagUses.tsx'
import styles from './tag.module.css'

const BUILT_IN = '内置标签不可修改或删除'

export interface TagActions {
  edit(tag: TagRow): void
  move(tags: readonly TagRow[]): void
  rebuild(tags: readonly TagRow[]): void
  remove(tag: TagRow): void
}

/** A tag's count and when it was true; a rebuild under way and a failed one stand beside it. */
function TagCount({ tag }: { tag: TagRow }) {
  return (
    <>
      <Flex justify="flex-end" align="center" gap={6}>
        {tag.error && (
          <Tooltip title={`上次计算失败：${tag.error}`}>
            <ExclamationCircleOutlined
              tabIndex={0}
              aria-label={`上次计算失败：${tag.error}`}
              style={{ color: 'var(--ant-color-error)' }}
            />
          </Tooltip>
        )}
        {tag.refreshing && (
          <Tooltip title="正在重新计算，显示的是上次结果">
            <SyncOutlined spin aria-label="正在重新计算" style={{ color: 'var(--ant-color-primary)' }} />
          </Tooltip>
        )}
        <span className={tag.refreshing ? styles.stale : undefined}>
          <LargeNumber value={tag.count} title="人" />
        </span>
      </Flex>
      <div className={styles.small}>{formatAsOf(tag.counted_at)}</div>
    </>
  )
}

export function TagTable(props: {
  rows: readonly TagRow[]
  total: number
  isLoading: boolean
  state: TagListState
  onState: (change: Partial<TagListState>) => void
  categories: readonly TagCategory[]
  names: FieldNames
  actions: TagActions
  selected: readonly TagRow[]
  onSelected: (rows: TagRow[]) => void
  empty: ReactNode
}) {
  const { rows, total, isLoading, state, onState, categories, names, actions, selected, onSelected, empty } = props
  const categoryName = (id: number) => categories.find((category) => category.id === id)?.name ?? ''

  const columns: TableColumnsType<TagRow> = [
    {
      title: '名称',
      key: 'name',
      width: 170,
      fixed: 'left',
      render: (_, tag) => (
        <Flex align="center" gap={6}>
          <Tooltip title={tag.name} mouseEnterDelay={0.6} placement="topLeft">
            <span className={styles.name}>{tag.name}</span>
          </Tooltip>
          {tag.is_built_in ? <Tag>内置</Tag> : tag.is_automatic ? <Tag>自动</Tag> : null}
        </Flex>
      ),
    },
    {
      title: '分类',
      key: 'category',
      width: 104,
      render: (_, tag) => (
        <>
          <Tooltip title={categoryName(tag.category_id)} mouseEnterDelay={0.6} placement="topLeft">
            <div className={styles.name}>{categoryName(tag.category_id)}</div>
          </Tooltip>
          <div className={styles.small}>{tag.tag_type === 1 ? '属性标签' : '事件标签'}</div>
        </>
      ),
    },
    {
      title: '定义',
      key: 'definition',
      ellipsis: { showTitle: false },
      render: (_, tag) => {
        const text = definitionText(tag.definition, names)
        return (
          <Tooltip title={text} mouseEnterDelay={0.6} placement="topLeft">
            {text}
          </Tooltip>
        )
      },
    },
    { title: '人数', key: 'count', width: 136, align: 'right', render: (_, tag) => <TagCount tag={tag} /> },
    {
      title: '使用处',
      key: 'used_by',
      width: 76,
      align: 'right',
      render: (_, tag) => <TagUsesButton tagId={tag.id} count={tag.used_by} />,
    },
    {
      title: '操作',
      key: 'actions',
      width: 122,
      fixed: 'right',
      render: (_, tag) => {
        const fixed = tag.is_built_in ? BUILT_IN : null
        const menuLabel = (text: string, refusal: string | null) =>
          refusal === null ? (
            text
          ) : (
            <Tooltip title={refusal} placement="left">
              {text}
            </Tooltip>
          )
        return (
          <Flex gap={12} align="center">
            <Tooltip title={fixed}>
              <Button
                type="link"
                size="small"
                className={styles.action ?? ''}
                disabled={fixed !== null}
                onClick={() => actions.edit(tag)}
              >
                编辑
              </Button>
            </Tooltip>
            <Tooltip title={tag.refreshing ? '正在计算' : null}>
              <Button
                type="link"
                size="small"
                className={styles.action ?? ''}
                disabled={tag.refreshing}
                onClick={() => actions.rebuild([tag])}
              >
                重算
              </Button>
            </Tooltip>
            <Dropdown
              trigger={['click']}
              placement="bottomRight"
              menu={{
                items: [
                  {
                    key: 'move',
                    label: menuLabel('移动到', fixed),
                    disabled: fixed !== null,
                    onClick: () => actions.move([tag]),
                  },
                  { type: 'divider' },
                  {
                    key: 'delete',
                    label: menuLabel('删除', fixed),
                    danger: true,
                    disabled: fixed !== null,
                    onClick: () => actions.remove(tag),
                  },
                ],
              }}
            >
              <Button type="text" size="small" icon={<EllipsisOutlined />} aria-label={`「${tag.name}」的更多操作`} />
            </Dropdown>
          </Flex>
        )
      },
    },
  ]

  return (
    <Table<TagRow>
      rowKey="id"
      size="middle"
      columns={columns}
      dataSource={[...rows]}
      loading={isLoading}
      scroll={{ x: 800 }}
      locale={{ emptyText: empty }}
      rowSelection={{
        fixed: true,
        columnWidth: 44,
        columnTitle: selectAll,
        preserveSelectedRowKeys: true,
        selectedRowKeys: selected.map((tag) => tag.id),
        onChange: (_keys, chosen) => onSelected(chosen.filter(Boolean)),
        getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }) as object,
        getCheckboxProps: (tag) => ({ disabled: tag.is_built_in, 'aria-label': `选择「${tag.name}」` }) as object,
      }}
      pagination={{
        current: state.page,
        pageSize: state.page_size,
        total,
        showSizeChanger: true,
        pageSizeOptions: [10, 20, 50, 100],
        showTotal: (count) => <Typography.Text type="secondary">共 {count} 个</Typography.Text>,
        onChange: (page, page_size) => onState({ page: page_size === state.page_size ? page : 1, page_size }),
      }}
    />
  )
}
