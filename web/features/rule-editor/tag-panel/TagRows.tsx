import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Match } from '#contract/find-text.ts'
import { keyOfTag, type ShownTag } from '../state/shown-tags.ts'
import { CategoryLine, TagLine } from './TagLines.tsx'
import styles from './tag-panel.module.css'
import { groupKeys, hasRule, neededOf, rowsOf, type TagGroup, type TagRow, tagCount } from './tag-rows.ts'

const ROW = 32
/** Rows drawn above and below the visible ones. */
const SPARE = 6
/** A tree with at most this many tags opens expanded. */
const OPEN_WHOLE = 40

interface Props {
  advId: number
  items: (TagGroup | ShownTag)[]
  label: string
  /** What a search found in a name; left out, nothing is searched. */
  find?: (name: string) => Match | null
  used: ReadonlySet<string>
  isReadOnly: boolean
  onPick?(shown: ShownTag): void
  /** 载入: replaces the rule with a history crowd's. */
  onLoad?: ((shown: ShownTag) => void) | undefined
  /** Loads the tags of categories that are open. */
  onNeed?: (ids: readonly number[]) => void
  /** The keyboard goes up from the first row. */
  onLeave?: () => void
  ref?: Ref<RowsHandle>
}

/** Moves the keyboard into the rows, to the first tag. */
export interface RowsHandle {
  enter(): void
}

/** A tree of thousands of tags; only the visible rows are drawn. Enter, a click or dragging adds a tag. */
export function TagRows({ advId, items, label, find, used, isReadOnly, onPick, onLoad, onNeed, onLeave, ref }: Props) {
  const [active, setActive] = useState<string | null>(null)
  const view = useRef<HTMLDivElement>(null)
  const listId = useId()
  const { rows, open, toggle } = useOpenRows(items, find !== undefined)
  const load = useEffectEvent((ids: readonly number[]) => onNeed?.(ids))
  useEffect(() => {
    const needed = neededOf(items, open)
    if (needed.length > 0) load(needed)
  }, [items, open])
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

  useImperativeHandle(ref, () => ({
    enter: () => {
      view.current?.focus()
      moveTo(rows.findIndex((row) => row.shown))
    },
  }))

  function onKeyDown(event: KeyboardEvent) {
    if (!activeRow || event.altKey) return
    if (event.key === 'ArrowUp' && at === 0 && onLeave) {
      event.preventDefault()
      return onLeave()
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'Enter' && activeRow.shown && hasRule(activeRow.shown)) onLoad?.(activeRow.shown)
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
          const place = {
            id: `${listId}-${index}`,
            top: start,
            isActive: index === at,
            match: find?.(row.name) ?? null,
          }
          return row.shown ? (
            <TagLine
              key={row.key}
              advId={advId}
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
function useOpenRows(items: Props['items'], isSearch: boolean) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const open = useMemo(() => {
    const all = groupKeys(items)
    const opensWhole = isSearch || tagCount(items) <= OPEN_WHOLE
    return new Set(all.filter((key, i) => (opensWhole || i === 0) !== toggled.has(key)))
  }, [items, isSearch, toggled])
  const rows = useMemo(() => rowsOf(items, open), [items, open])
  const toggle = (row: TagRow, isOpen: boolean) => {
    if (row.isOpen === isOpen) return
    const next = new Set(toggled)
    if (!next.delete(row.key)) next.add(row.key)
    setToggled(next)
  }
  return { rows, open, toggle }
}
