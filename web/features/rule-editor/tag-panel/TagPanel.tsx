import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { ATTRIBUTE_TAG, TAG_TYPE_LABELS, type TagType } from '#contract/tag.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { LoadError } from '../../../components/LoadError.tsx'
import type { ShownTag } from '../state/shown-tags.ts'
import { TagRows } from './TagRows.tsx'
import styles from './tag-panel.module.css'
import type { TagGroup } from './tag-rows.ts'
import { useHistoryCrowds } from './use-history-crowds.ts'
import { useTagTree } from './use-tag-tree.ts'

export interface PanelProps {
  advId: number
  used: ReadonlySet<string>
  isReadOnly: boolean
  onPick?(shown: ShownTag): void
}

/** The attribute or event tags of an advertiser. */
export function TagPanel({
  tagType,
  emptyAction,
  ...props
}: PanelProps & { tagType: TagType; emptyAction?: ReactNode }) {
  const { query, items, need } = useTagTree(props.advId, tagType)
  const kind = TAG_TYPE_LABELS[tagType]
  return (
    <Panel
      {...props}
      label={kind}
      items={items}
      onNeed={need}
      error={query.error}
      onRetry={query.refetch}
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

interface HistoryProps extends PanelProps {
  /** The crowd being edited, which cannot use itself. */
  crowdId: number
  onLoad?(shown: ShownTag): void
}

/** Computed crowds, to be used in a rule or to load their rule from. */
export function HistoryPanel({ crowdId, ...props }: HistoryProps) {
  const { query, items, unlisted } = useHistoryCrowds(props.advId, crowdId)
  return (
    <Panel
      {...props}
      label="历史人群"
      items={items}
      error={query.error}
      onRetry={query.refetch}
      empty={<EmptyState title="还没有历史人群" hint="计算完成的组合定向包与上传的人群会出现在这里。" />}
      foot={unlisted > 0 && `另有 ${unlisted} 个，请搜索名称`}
    />
  )
}

interface Shown extends PanelProps {
  label: string
  items: (TagGroup | ShownTag)[] | undefined
  /** Loads the tags of categories. */
  onNeed?: (ids: readonly number[]) => void
  error: Error | null
  onRetry(): unknown
  empty: ReactNode
  foot?: ReactNode
  onLoad?(shown: ShownTag): void
}

function Panel({ advId, label, items, onNeed, error, onRetry, empty, foot, used, isReadOnly, onPick, onLoad }: Shown) {
  return (
    <div className={styles.panel}>
      {!items && error ? (
        <LoadError error={error} onRetry={onRetry} title={`${label}加载失败`} />
      ) : !items ? (
        <TreeSkeleton />
      ) : items.length === 0 ? (
        empty
      ) : (
        <TagRows
          advId={advId}
          items={items}
          {...(onNeed ? { onNeed } : {})}
          label={label}
          used={used}
          isReadOnly={isReadOnly}
          {...(onPick ? { onPick } : {})}
          onLoad={onLoad}
        />
      )}
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

export function TreeSkeleton() {
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
