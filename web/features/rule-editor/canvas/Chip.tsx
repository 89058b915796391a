import { CloseOutlined } from '@ant-design/icons'
import { useDraggable } from '@dnd-kit/react'
import { type RuleNode, type SubTag, sameTag } from '#contract/rule.ts'
import { CategoryIcon } from '../../../domain/tag/category-icon.tsx'
import { formatCount } from '../../../lib/format.ts'
import { keyOfTag, type ShownTag } from '../state/shown-tags.ts'
import { TagTip } from '../TagTip.tsx'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import type { DragLoad } from './dragging.ts'

/** A tag in a leaf, which can be removed or dragged to another leaf. */
export function Chip({ leaf, tag }: { leaf: RuleNode; tag: SubTag }) {
  const { advId, shownOf, counts, cursor, cutTag, isReadOnly, dispatch } = useCanvas()
  const known = shownOf(tag)
  const count = counts.ofTag(tag)
  const shown = count === undefined ? known : { ...known, count, countedAt: counts.countedAt }
  const load: DragLoad = { shown, from: leaf.id }
  const { ref, isDragSource } = useDraggable({
    id: `chip:${leaf.id}:${keyOfTag(tag)}`,
    data: load,
    disabled: isReadOnly,
  })
  const isCurrent = cursor.node === leaf.id && cursor.tag !== undefined && sameTag(cursor.tag, tag)
  const isCut = cutTag?.leaf === leaf.id && sameTag(cutTag.tag, tag)
  return (
    <TagTip advId={advId} shown={shown} placement="topLeft">
      {/* biome-ignore lint/a11y/useSemanticElements: a tag on the canvas, not a set of form fields */}
      <span
        ref={ref}
        role="group"
        aria-label={`标签 ${shown.name}，${formatCount(shown.count)} 人${isCut ? '，已剪切' : ''}`}
        aria-current={isCurrent || undefined}
        tabIndex={isCurrent ? 0 : -1}
        data-cursor={`${leaf.id}/${keyOfTag(tag)}`}
        className={`${styles.chip} ${isCurrent ? styles.current : ''} ${isDragSource || isCut ? styles.lifted : ''}`}
        onFocus={(event) => {
          event.stopPropagation()
          if (!isCurrent) dispatch({ type: 'focus', cursor: { node: leaf.id, tag } })
        }}
      >
        <ChipFace shown={shown} />
        {!isReadOnly && (
          <button
            type="button"
            tabIndex={-1}
            data-no-drag
            className={styles.icon}
            aria-label={`移除 ${shown.name}`}
            onClick={() => dispatch({ type: 'removeTag', leaf: leaf.id, tag })}
          >
            <CloseOutlined />
          </button>
        )}
      </span>
    </TagTip>
  )
}

export function ChipFace({ shown }: { shown: ShownTag }) {
  return (
    <>
      <CategoryIcon icon={shown.icon} className={styles.category} />
      <b>{shown.name}</b>
      <small>{formatCount(shown.count)}</small>
    </>
  )
}
