import type { UseQueryResult } from '@tanstack/react-query'
import { Flex, Skeleton } from 'antd'
import type { ComponentProps } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { leftOutText, type listTags, type TagCategory, type TagRow } from '#contract/tag.ts'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { SelectionBar } from '../../components/SelectionBar.tsx'
import space from '../../components/space.module.css'
import text from '../../components/text.module.css'
import type { CallError } from '../../lib/call.ts'
import { paths } from '../../lib/paths.ts'
import type { TagListState } from './list-state.ts'
import { TagTable } from './TagTable.tsx'

interface Props {
  tags: UseQueryResult<DataOf<typeof listTags>, CallError>
  categories: readonly TagCategory[]
  state: TagListState
  onState: (change: Partial<TagListState>) => void
  onKeyword: (keyword: string) => void
  selected: TagRow[]
  onSelected: (rows: TagRow[]) => void
  actions: ComponentProps<typeof TagTable>['actions']
}

/** The tags of a category: search, table, and actions on the chosen rows. */
export function TagList(props: Props) {
  const { tags, categories, state, onKeyword, selected, onSelected, actions } = props
  const { keyword, tag_type, category_id } = state
  const isNarrowed = keyword !== '' || tag_type !== null || category_id !== null
  const leftOut = leftOutText(categories.find((one) => one.id === category_id)?.left_out ?? [])
  return (
    <>
      <Flex wrap gap={12} align="center" className={space.filters} role="search" aria-label="筛选">
        <FilterText label="搜索标签名称" width={240} value={keyword} onChange={onKeyword} />
        {leftOut && <span className={text.hint}>{leftOut}</span>}
      </Flex>
      {tags.isPending ? (
        <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
      ) : tags.error && !tags.data ? (
        <LoadError error={tags.error} onRetry={tags.refetch} title="标签加载失败" />
      ) : (
        <TagTable
          rows={tags.data?.list ?? []}
          total={tags.data?.total ?? 0}
          isLoading={tags.isPlaceholderData}
          state={state}
          onState={props.onState}
          categories={categories}
          selected={selected}
          onSelected={onSelected}
          actions={actions}
          empty={isNarrowed ? <EmptyState title="没有符合条件的标签" hint="换个分类或名称试试。" /> : <NoTags />}
        />
      )}
      <SelectionBar rows={selected} onClear={() => onSelected([])}>
        <ChangeButton changes="current" size="small" onClick={() => actions.move(selected)}>
          移动
        </ChangeButton>
        <ChangeButton changes="current" size="small" onClick={() => actions.rebuild(selected)}>
          重算
        </ChangeButton>
        {selected.some((tag) => !tag.is_hidden) && (
          <ChangeButton changes="current" size="small" onClick={() => actions.hide(selected, true)}>
            隐藏
          </ChangeButton>
        )}
        {selected.some((tag) => tag.is_hidden) && (
          <ChangeButton changes="current" size="small" onClick={() => actions.hide(selected, false)}>
            显示
          </ChangeButton>
        )}
        <ChangeButton changes="current" size="small" danger onClick={() => actions.removeAll(selected)}>
          删除
        </ChangeButton>
      </SelectionBar>
    </>
  )
}

const NoTags = () => (
  <EmptyState
    title="还没有标签"
    hint="导入用户或事件后，标签会自动生成；也可以自己定义。"
    action={
      <LinkButton primary to={paths.dataAccess()}>
        接入数据
      </LinkButton>
    }
  />
)
