import { type RefObject, useEffect, useRef } from 'react'

/** Lets the keyboard scroll a wide table whose cells hold nothing that takes the focus. */
export function useKeyboardScroll(): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const part of frame.current?.querySelectorAll<HTMLElement>('.ant-table-content') ?? []) part.tabIndex = 0
  })
  return frame
}
