import { useEffect } from 'react'
import { moreRow } from './MoreActions.tsx'

const ROWS = ['.ant-table-row, .ant-tree-treenode', `.${moreRow}`, '[data-focus-row]']
const LIST = '.ant-table-wrapper, .ant-tree, .ant-card, section'
/** What opens over a list: while the focus is there, the row is remembered. */
const ABOVE = '[role=dialog], .ant-dropdown, .ant-popover, .ant-message, .ant-notification'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)'

/** Where the focus was in a list. */
interface Place {
  element: Element
  row: HTMLElement
  list: Element
  /** Among the row's cells. */
  cell: number
  after: readonly Element[]
  /** The nearest first. */
  before: readonly Element[]
}

const rowOf = (element: Element): HTMLElement | null => {
  for (const selector of ROWS) {
    const row = element.closest<HTMLElement>(selector)
    if (row) return row
  }
  return null
}

function placeOf(element: Element, row: HTMLElement): Place | null {
  const list = row.parentElement?.closest(LIST)
  if (!list) return null
  const rows = [...(row.parentElement?.children ?? [])].filter((one) => one === row || rowOf(one) === one)
  const at = rows.indexOf(row)
  const cell = [...row.children].findIndex((one) => one.contains(element))
  return { element, row, list, cell, after: rows.slice(at + 1), before: rows.slice(0, at).reverse() }
}

const firstIn = (element: Element | undefined): HTMLElement | null =>
  [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((one) => one.getClientRects().length > 0) ?? null

/** The first action of the row, of the next one if it is gone, or else of the one before; where the list has none, its heading. */
function nextTo({ row, list, cell, after, before }: Place): HTMLElement | null {
  const next = [row, ...after, ...before].find((one) => one.isConnected)
  const action = next && (firstIn(next.children[cell]) ?? firstIn(next))
  if (action) return action
  const heading = list.closest<HTMLElement>('[role=dialog]') ?? document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  return heading
}

/**
 * Where a focused part of a list goes, as with a deleted row or a button that no longer fits its row, the focus stays in
 * the list instead of going to the page's start.
 */
export function useRowFocus(): void {
  useEffect(() => {
    let place: Place | null = null
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const row = rowOf(target)
      if (row) place = placeOf(target, row)
      else if (!target.closest(ABOVE)) place = null
    }
    // A click beside all fields and buttons takes the focus away, and it is to stay away.
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest(ABOVE)) return
      if (!document.activeElement?.contains(target) || document.activeElement === document.body) place = null
    }
    const onChange = () => {
      if (document.activeElement !== document.body || !place || place.element.isConnected) return
      // On another page there is nothing to keep.
      if (place.list.isConnected) nextTo(place)?.focus()
      else place = null
    }
    const observer = new MutationObserver(onChange)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress, true)
    }
  }, [])
}
