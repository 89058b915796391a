import { CaretRightOutlined, HolderOutlined } from '@ant-design/icons'
import { useDraggable } from '@dnd-kit/react'
import type { Match } from '#contract/find-text.ts'
import { WholeOnHover } from '../../../components/WholeOnHover.tsx'
import { CategoryIcon } from '../../../domain/tag/category-icon.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { DragLoad } from '../canvas/dragging.ts'
import type { ShownTag } from '../state/shown-tags.ts'
import { TagTip } from '../TagTip.tsx'
import styles from './tag-panel.module.css'
import { hasRule, marked, type TagRow } from './tag-rows.ts'

/** Where a row is drawn, and what a search found in its name. */
interface Place {
  id: string
  top: number
  isActive: boolean
  match: Match | null
}

const indent = (level: number) => 12 + level * 16

export function CategoryLine({ row, place, onChoose }: { row: TagRow; place: Place; onChoose(): void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus
    <div
      id={place.id}
      role="treeitem"
      aria-level={row.level + 1}
      aria-expanded={row.isOpen ?? false}
      aria-selected={place.isActive}
      className={`${styles.row} ${row.isOpen ? styles.open : ''} ${place.isActive ? styles.active : ''}`}
      style={{ top: place.top, paddingLeft: indent(row.level) }}
      onClick={onChoose}
    >
      <span className={styles.caret} aria-hidden>
        <CaretRightOutlined />
      </span>
      <CategoryIcon icon={row.icon} className={styles.headIcon} />
      <WholeOnHover text={row.path}>
        <span className={styles.name}>
          <Marked name={row.name} match={place.match} />
        </span>
      </WholeOnHover>
      <span className={`${styles.count} ${styles.tags}`}>{formatCount(row.tags)} 个标签</span>
    </div>
  )
}

interface TagLineProps {
  advId: number
  row: TagRow
  shown: ShownTag
  place: Place
  isUsed: boolean
  isReadOnly: boolean
  onChoose(): void
  onLoad?: ((shown: ShownTag) => void) | undefined
}

/** A tag, which can be dragged to the canvas. */
export function TagLine({ advId, row, shown, place, isUsed, isReadOnly, onChoose, onLoad }: TagLineProps) {
  const load: DragLoad = { shown }
  const { ref } = useDraggable({ id: `row:${row.key}`, data: load, disabled: isReadOnly })
  return (
    <TagTip advId={advId} shown={shown} placement="right">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus */}
      <div
        ref={ref}
        id={place.id}
        role="treeitem"
        aria-level={row.level + 1}
        aria-selected={place.isActive}
        className={`${styles.row} ${styles.tag} ${place.isActive ? styles.active : ''}`}
        style={{ top: place.top, paddingLeft: indent(row.level) }}
        onClick={onChoose}
      >
        <span className={styles.grip} aria-hidden>
          {!isReadOnly && <HolderOutlined />}
        </span>
        <CategoryIcon icon={row.icon} className={styles.tagIcon} />
        <span className={styles.name}>
          <Marked name={row.name} match={place.match} />
        </span>
        {isUsed && <span className={styles.used}>已用</span>}
        {onLoad && hasRule(shown) && (
          <button
            type="button"
            tabIndex={-1}
            data-no-drag
            className={styles.load}
            onClick={(event) => {
              event.stopPropagation()
              onLoad(shown)
            }}
          >
            载入
          </button>
        )}
        <span className={styles.count}>{formatCount(shown.count)}</span>
      </div>
    </TagTip>
  )
}

function Marked({ name, match }: { name: string; match: Match | null }) {
  return marked(name, match).map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one name have no other identity
    part.isMatch ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
  )
}
