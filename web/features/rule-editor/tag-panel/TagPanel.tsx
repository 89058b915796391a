import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, type InputRef, Skeleton } from 'antd'
import { type ReactNode, type Ref, useMemo, useState } from 'react'
import { CROWD_TAG } from '#contract/rule.ts'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree, TAG_TYPE_LABELS, type TagType } from '#contract/tag.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { TagRows } from './TagRows.tsx'
import styles from './tag-panel.module.css'
import { groupsOf, type TagGroup } from './tag-rows.ts'

interface PanelProps {
  advId: number
  used: ReadonlySet<string>
  isReadOnly: boolean
  searchRef?: Ref<InputRef>
  onPick?(shown: ShownTag): void
}

/** The attribute or event tags of an advertiser, searched on the server. */
export function TagPanel({
  tagType,
  emptyAction,
  ...props
}: PanelProps & { tagType: TagType; emptyAction?: ReactNode }) {
  const search = useSearch()
  const tree = useQuery({
    ...queryOf(getTagTree, {
      query: { tag_type: tagType, adv_id: props.advId, ...(search.keyword ? { keyword: search.keyword } : {}) },
    }),
    placeholderData: (previous) => previous,
    staleTime: 15_000,
    meta: { inPlace: true },
  })
  const items = useMemo(() => tree.data && groupsOf(tree.data.data), [tree.data])
  const kind = TAG_TYPE_LABELS[tagType]
  return (
    <Panel
      {...props}
      search={search}
      placeholder={`搜索${kind}`}
      label={kind}
      items={items}
      isDimmed={tree.isPlaceholderData}
      error={tree.error}
      onRetry={tree.refetch}
      empty={
        <EmptyState
          title={`还没有${kind}`}
          hint={
            tagType === ATTRIBUTE_TAG
              ? '导入用户数据后，每个属性的取值会自动成为标签。'
              : '导入事件数据后，每个事件会自动成为标签。'
          }
          action={emptyAction}
        />
      }
    />
  )
}

/** Maximum number of history crowds listed; the search finds the others. */
const CROWDS_MAX = 500

interface HistoryProps extends PanelProps {
  /** The crowd being edited, which cannot use itself. */
  crowdId: number
  onLoad?(shown: ShownTag): void
}

/** Computed crowds, to be used in a rule or to load their rule from. */
export function HistoryPanel({ crowdId, onLoad, ...props }: HistoryProps) {
  const search = useSearch()
  const crowds = useQuery({
    ...queryOf(listRuleCrowds, {
      query: {
        ordinary: '1',
        adv_id: props.advId,
        page_size: CROWDS_MAX,
        ...(search.keyword ? { name: search.keyword } : {}),
      },
    }),
    placeholderData: (previous) => previous,
    staleTime: 15_000,
    meta: { inPlace: true },
  })
  const items = useMemo(
    () =>
      crowds.data?.res
        .filter((crowd) => crowd.id !== crowdId)
        .map(
          (crowd): ShownTag => ({
            id: crowd.id,
            tag_type: CROWD_TAG,
            name: crowd.name,
            count: crowd.magnitude,
            countedAt: crowd.computedAt,
            icon: 'crowd',
            path: `历史人群 / ${crowd.name}`,
            isUploaded: crowd.kind === 'custom',
          }),
        ),
    [crowds.data, crowdId],
  )
  const more = (crowds.data?.total ?? 0) - CROWDS_MAX
  return (
    <Panel
      {...props}
      search={search}
      placeholder="搜索历史人群"
      label="历史人群"
      items={items}
      isDimmed={crowds.isPlaceholderData}
      error={crowds.error}
      onRetry={crowds.refetch}
      onLoad={onLoad}
      empty={<EmptyState title="还没有历史人群" hint="计算完成的组合定向包与上传的人群会出现在这里。" />}
      foot={more > 0 && `另有 ${more} 个，请搜索名称`}
    />
  )
}

function useSearch() {
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  return { typed, setTyped, keyword }
}

interface Shown extends PanelProps {
  search: ReturnType<typeof useSearch>
  placeholder: string
  label: string
  items: (TagGroup | ShownTag)[] | undefined
  isDimmed: boolean
  error: Error | null
  onRetry(): unknown
  empty: ReactNode
  foot?: ReactNode
  onLoad?(shown: ShownTag): void
}

function Panel(props: Shown) {
  const { search, placeholder, label, items, isDimmed, error, empty, foot, used, isReadOnly, onPick, onLoad } = props
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <Input
          ref={props.searchRef ?? null}
          allowClear
          prefix={<SearchOutlined />}
          placeholder={placeholder}
          aria-label={placeholder}
          value={search.typed}
          maxLength={100}
          onChange={(event) => search.setTyped(event.target.value)}
        />
      </div>
      {!items && error ? (
        <LoadError error={error} onRetry={props.onRetry} title={`${label}加载失败`} />
      ) : !items ? (
        <TreeSkeleton />
      ) : items.length === 0 ? (
        search.keyword ? (
          <EmptyState
            title={`没有匹配「${search.keyword}」的${label}`}
            action={<Button onClick={() => search.setTyped('')}>清空搜索</Button>}
          />
        ) : (
          empty
        )
      ) : (
        <div className={`${styles.whole} ${isDimmed ? styles.dimmed : ''}`}>
          <TagRows
            items={items}
            label={label}
            keyword={search.keyword}
            used={used}
            isReadOnly={isReadOnly}
            {...(onPick ? { onPick } : {})}
            onLoad={onLoad}
          />
        </div>
      )}
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

function TreeSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy>
      {[70, 52, 60, 44, 66, 50, 58, 48].map((width, i) => (
        <Skeleton.Input
          key={width}
          active
          size="small"
          classNames={{ content: styles.bone }}
          style={{ width: `${width}%`, marginLeft: i % 4 ? 20 : 0 }}
        />
      ))}
    </div>
  )
}
