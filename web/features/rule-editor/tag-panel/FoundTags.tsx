import { Button } from 'antd'
import { type Ref, useMemo } from 'react'
import { findText } from '#contract/find-text.ts'
import { ATTRIBUTE_TAG, EVENT_TAG } from '#contract/tag.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { useReadings } from '../../../lib/readings.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { foundIn, together } from './found-tags.ts'
import { type PanelProps, TreeSkeleton } from './TagPanel.tsx'
import { type RowsHandle, TagRows } from './TagRows.tsx'
import styles from './tag-panel.module.css'
import { type TagGroup, tagsIn } from './tag-rows.ts'
import { useHistoryCrowds } from './use-history-crowds.ts'
import { useSearchedTree } from './use-tag-tree.ts'

interface Props extends PanelProps {
  keyword: string
  crowdId: number
  hasHistory: boolean
  onLoad?: ((shown: ShownTag) => void) | undefined
  rows: Ref<RowsHandle>
  /** The keyboard leaves the first result upwards. */
  onLeave(): void
  onClear(): void
}

/** What a search found among attribute tags, event tags and history crowds. */
export function FoundTags(props: Props) {
  const { keyword, used, isReadOnly, onPick, onLoad, rows, onLeave, onClear } = props
  const { items, find, error, retry } = useFound(props)
  if (!items) return error ? <LoadError error={error} onRetry={retry} title="标签加载失败" /> : <TreeSkeleton />
  if (items.length === 0)
    return (
      <EmptyState
        title={`没有匹配「${keyword}」的${props.hasHistory ? '标签或历史人群' : '标签'}`}
        action={<Button onClick={onClear}>清空搜索</Button>}
      />
    )
  return (
    <div className={styles.panel}>
      <TagRows
        ref={rows}
        advId={props.advId}
        items={items}
        label="搜索结果"
        find={find}
        used={used}
        isReadOnly={isReadOnly}
        {...(onPick ? { onPick } : {})}
        onLoad={onLoad}
        onLeave={onLeave}
      />
      <div role="status" className={styles.foot}>
        找到 {tagsIn(items).length} 个{error && '，部分未能加载'}
      </div>
    </div>
  )
}

/** Searched here, by characters and pinyin; large trees, and crowds that are not listed, are searched on the server. */
function useFound({ advId, crowdId, hasHistory, keyword }: Props) {
  const readings = useReadings(true)
  const attributes = useSearchedTree(advId, ATTRIBUTE_TAG, keyword)
  const events = useSearchedTree(advId, EVENT_TAG, keyword)
  const crowds = useHistoryCrowds(advId, crowdId, { isWanted: hasHistory })
  const settled = useDebounced(keyword, SEARCH_DELAY_MS)
  const unlisted = useHistoryCrowds(advId, crowdId, { name: settled, isWanted: crowds.unlisted > 0 })

  const find = useMemo(() => (name: string) => findText(name, keyword, readings), [keyword, readings])
  const items = useMemo((): (TagGroup | ShownTag)[] | undefined => {
    if (!attributes.items || !events.items || (hasHistory && !crowds.items)) return undefined
    const history: TagGroup = {
      key: 'history',
      name: '历史人群',
      icon: 'crowd',
      children: together(crowds.items ?? [], (crowds.unlisted > 0 && unlisted.items) || []),
    }
    return foundIn([...attributes.items, ...events.items, history], find)
  }, [attributes.items, events.items, crowds.items, crowds.unlisted, unlisted.items, hasHistory, find])

  const queries = [attributes.query, events.query, ...(hasHistory ? [crowds.query, unlisted.query] : [])]
  const failed = queries.filter((query) => query.error !== null)
  return {
    items,
    find,
    error: failed[0]?.error ?? null,
    retry: () => void failed.map((query) => query.refetch()),
  }
}
