import { defaultRangeExtractor, measureElement, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type Key, useRef, useState } from 'react'

/** How many rows are drawn beyond those seen, and around the keyboard's. */
const SPARE = 6

interface Rows {
  /** Rows that are there to be drawn. */
  count: number
  /** How many there are with those not loaded yet; as many as `count` by default. */
  total?: number
  /** Pixels of a row of one line. */
  height: number
  /** By default a row has no other key than where it stands. */
  keyOf?: (index: number) => string
}

/**
 * The rows in sight of a list of many, and the one that has or had the keyboard, with those that Tab goes to.
 * `list` goes to the box that scrolls, `onFocus` to its `ul`, `row` to each `li`. Beneath the last row stays `left` pixels.
 */
export function useRowsInSight({ count, total = count, height, keyOf = String }: Rows) {
  const list = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const focusedAt = () => {
    if (focused === null) return -1
    for (let index = 0; index < count; index++) if (keyOf(index) === focused) return index
    return -1
  }
  const at = focusedAt()
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: SPARE,
    // Behind another tab a row has no height; kept as none, it would leave no room to be drawn in again.
    measureElement: (...row) => measureElement(...row) || height,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      if (at < 0) return shown
      const near = Array.from({ length: 2 * SPARE + 1 }, (_, spare) => at - SPARE + spare)
      return [...new Set([...shown, ...near])].filter((no) => no >= 0 && no < count).sort((a, b) => a - b)
    },
  })
  const shown = virtual.getVirtualItems()
  return {
    list,
    left: virtual.getTotalSize() - (shown.at(-1)?.end ?? 0),
    onFocus: ({ target }: FocusEvent) => setFocused(target.closest('li')?.dataset.key ?? null),
    show: (index: number) => virtual.scrollToIndex(index),
    rows: shown.map(({ index, start }, no) => ({
      index,
      key: keyOf(index) as Key,
      row: {
        ref: virtual.measureElement,
        'data-index': index,
        'data-key': keyOf(index),
        'aria-setsize': total,
        'aria-posinset': index + 1,
        // The rows that are not drawn leave their room.
        style: { marginTop: start - (shown[no - 1]?.end ?? 0) },
      },
    })),
  }
}
