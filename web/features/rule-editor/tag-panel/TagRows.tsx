import { CaretRightOutlined, HolderOutlined } from '@ant-design/icons'
import { useDraggable } from '@dnd-kit/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { CategoryIcon } from '../../../domain/tag/category-icon.tsx'
import { formatAsOf, formatCount } from '../../../lib/format.ts'
import type { DragLoad } from '../canvas/dragging.ts'
import { keyOfTag, type ShownTag } from '../state/shown-tags.ts'
import styles from './tag-panel.module.css'
import { groupKeys, marked, rowsOf, type TagGroup, type TagRow, tagsIn } from './tag-rows.ts'

const ROW = 32
/** Rows drawn above and below the visible ones. */
const SPARE = 6
/** A tree with at most this many tags opens expanded. */
const OPEN_WHOLE = 40

interface Props {
  items: (TagGroup | ShownTag)[]
  label: string
  keyword: string
  used: ReadonlySet<string>
  isReadOnly: boolean
  onPick?(shown: ShownTag): void
  /** 载入: replaces the rule with a history crowd's. */
  onLoad?: ((shown: ShownTag) => void) | undefined
}

/** A tree of thousands of tags; only the visible rows are drawn. Enter, a click or dragging adds a tag. */
export function TagRows({ items, label, keyword, used, isReadOnly, onPick, onLoad }: Props) {
  const [active, setActive] = useState<string | null>(null)
  const view = useRef<HTMLDivElement>(null)
  const listId = useId()
  const { rows, toggle } = useOpenRows(items, keyword)
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === active),
  )

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: SPARE,
  })
  const activeRow = rows[at]

  const choose = (row: TagRow) => {
    setActive(row.key)
    if (row.shown) onPick?.(row.shown)
    else toggle(row, !row.isOpen)
  }
  const moveTo = (index: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index))
    const row = rows[next]
    if (!row) return
    setActive(row.key)
    virtual.scrollToIndex(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!activeRow || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'Enter' && activeRow.shown && !activeRow.shown.isUploaded) onLoad?.(activeRow.shown)
      return
    }
    const page = Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / ROW) - 1)
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }
    const next = moves[event.key]
    if (next !== undefined) moveTo(next)
    else if (event.key === 'Enter' || event.key === ' ') choose(activeRow)
    else if (event.key === 'ArrowRight') activeRow.isOpen ? moveTo(at + 1) : toggle(activeRow, true)
    else if (event.key === 'ArrowLeft') {
      if (activeRow.isOpen) toggle(activeRow, false)
      else moveTo(rows.findLastIndex((row, i) => i < at && row.level < activeRow.level))
    } else return
    event.preventDefault()
  }

  return (
    <div
      ref={view}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeRow ? `${listId}-${at}` : undefined}
      className={`${styles.rows} ${isReadOnly ? styles.readOnly : ''}`}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const place = { id: `${listId}-${index}`, top: start, isActive: index === at, keyword }
          return row.shown ? (
            <TagLine
              key={row.key}
              row={row}
              shown={row.shown}
              place={place}
              isUsed={used.has(keyOfTag(row.shown))}
              isReadOnly={isReadOnly}
              onChoose={() => choose(row)}
              onLoad={onLoad}
            />
          ) : (
            <CategoryLine key={row.key} row={row} place={place} onChoose={() => choose(row)} />
          )
        })}
      </div>
    </div>
  )
}

/** The rows of the open groups. A search and a small tree open all groups, otherwise the first is open. */
function useOpenRows(items: Props['items'], keyword: string) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const open = useMemo(() => {
    const all = groupKeys(items)
    const opensWhole = keyword !== '' || tagsIn(items).length <= OPEN_WHOLE
    return new Set(all.filter((key, i) => (opensWhole || i === 0) !== toggled.has(key)))
  }, [items, keyword, toggled])
  const rows = useMemo(() => rowsOf(items, open), [items, open])
  const toggle = (row: TagRow, isOpen: boolean) => {
    if (row.isOpen === isOpen) return
    const next = new Set(toggled)
    if (!next.delete(row.key)) next.add(row.key)
    setToggled(next)
  }
  return { rows, toggle }
}

interface Place {
  id: string
  top: number
  isActive: boolean
  keyword: string
}

const indent = (level: number) => 12 + level * 16

function CategoryLine({ row, place, onChoose }: { row: TagRow; place: Place; onChoose(): void }) {
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
      <span className={styles.name} title={row.path}>
        <Marked name={row.name} keyword={place.keyword} />
      </span>
      <span className={`${styles.count} ${styles.tags}`}>{formatCount(row.tags)} 个标签</span>
    </div>
  )
}

interface TagLineProps {
  row: TagRow
  shown: ShownTag
  place: Place
  isUsed: boolean
  isReadOnly: boolean
  onChoose(): void
  onLoad?: ((shown: ShownTag) => void) | undefined
}

function TagLine({ row, shown, place, isUsed, isReadOnly, onChoose, onLoad }: TagLineProps) {
  const load: DragLoad = { shown }
  const { ref } = useDraggable({ id: `row:${row.key}`, data: load, disabled: isReadOnly })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus
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
      <span className={styles.name} title={row.path}>
        <Marked name={row.name} keyword={place.keyword} />
      </span>
      {isUsed && <span className={styles.used}>已用</span>}
      {onLoad && !shown.isUploaded && (
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
      <span className={styles.count} title={shown.count === null ? '计算中' : formatAsOf(shown.countedAt)}>
        {formatCount(shown.count)}
      </span>
    </div>
  )
}

function Marked({ name, keyword }: { name: string; keyword: string }) {
  return marked(name, keyword).map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one name have no other identity
    part.isMatch ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
  )
}
