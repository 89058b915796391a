import { useEffect } from 'react'
import { TYPED } from './FirstField.tsx'
import { moreRow } from './MoreActions.tsx'

const ROWS = ['.ant-table-row, .ant-tree-treenode', `.${moreRow}`, '[data-focus-row]']
/** A field of a form: what is chosen in it is removed row by row. */
const FIELD = '.ant-form-item'
const LIST = `.ant-table-wrapper, .ant-tree, .ant-card, section, ${FIELD}`
/** What opens over a list: while the focus is there, the row is remembered. */
const ABOVE = '[role=dialog], .ant-dropdown, .ant-popover, .ant-message, .ant-notification'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)'

/** Where the focus was in a list. */
interface Place {
  element: Element
  row: HTMLElement
  around: Element
  list: Element
  /** Among the row's cells. */
  cell: number
  /** Among the fields and buttons of the cell. */
  no: number
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
  const around = row.parentElement
  const list = around?.closest(LIST)
  if (!around || !list) return null
  const rows = [...around.children].filter((one) => one === row || rowOf(one) === one)
  const at = rows.indexOf(row)
  const cell = [...row.children].findIndex((one) => one.contains(element))
  const controls: Element[] = drawnIn(row.children[cell])
  const no = controls.indexOf(element)
  return { element, row, around, list, cell, no, after: rows.slice(at + 1), before: rows.slice(0, at).reverse() }
}

/** What can have the focus in an element, or is it. */
const drawnIn = (element: Element | undefined, which = FOCUSABLE): HTMLElement[] =>
  element
    ? [element, ...element.querySelectorAll(which)].filter(
        (one): one is HTMLElement =>
          one instanceof HTMLElement && one.matches(which) && one.getClientRects().length > 0,
      )
    : []

/** In a field of a form: the nearest control around the row, where text can be typed if there is such a one. */
function nearestIn(field: Element, around: Element): HTMLElement | null {
  const control = drawnIn(around, TYPED)[0] ?? drawnIn(around)[0]
  if (control || around === field || !around.parentElement) return control ?? null
  return nearestIn(field, around.parentElement)
}

/**
 * The same action of the next row, or else of the one before; of a row that is still there, its first one. Where the list
 * has none: the nearest control of its field in a form, or its heading.
 */
function nextTo({ row, around, list, cell, no, after, before }: Place): HTMLElement | null {
  const next = [row, ...after, ...before].find((one) => one.isConnected)
  if (next) {
    const inCell = drawnIn(next.children[cell])
    const action = (next === row ? undefined : inCell[no]) ?? inCell[0] ?? drawnIn(next)[0]
    if (action) return action
  }
  const field = list.closest(FIELD)
  const control = field && nearestIn(field, around.isConnected ? around : list)
  if (control) return control
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
