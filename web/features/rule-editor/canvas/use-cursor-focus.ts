import { type FocusEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { RuleNode } from '#contract/rule.ts'
import type { Cursor } from '../state/cursor.ts'
import { keyOfTag } from '../state/shown-tags.ts'

const cursorKey = ({ node, tag }: Cursor) => (tag ? `${node}/${keyOfTag(tag)}` : node)

/** Scrolls to the cursor, and keeps the keyboard's focus on it when the keyboard moved it or its element was replaced. */
export function useCursorFocus(sheet: RefObject<HTMLElement | null>, cursor: Cursor, rule: RuleNode) {
  const wantsFocus = useRef(false)
  /** The canvas had the focus last. A box that moves in the tree is a new element and loses the focus. */
  const hadFocus = useRef(false)
  const key = cursorKey(cursor)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another rule may draw the cursor as a new element
  useLayoutEffect(() => {
    const element = sheet.current?.querySelector<HTMLElement>(`[data-cursor="${CSS.escape(key)}"]`)
    if (!element) return
    if (wantsFocus.current || (hadFocus.current && document.activeElement === document.body))
      element.focus({ preventScroll: true })
    wantsFocus.current = false
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [key, rule])
  return {
    /** Whether the cursor takes the focus after the next change. */
    want: (wants: boolean) => {
      wantsFocus.current = wants
    },
    handlers: {
      onFocusCapture: () => {
        hadFocus.current = true
      },
      onBlur: (event: FocusEvent) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) hadFocus.current = false
      },
      onClick: (event: MouseEvent) => {
        // A button may remove its own box, and the focus with it.
        if ((event.target as HTMLElement).closest('button')) wantsFocus.current = true
      },
    },
  }
}
