import { useEffect, useState } from 'react'

/** Returns the focus to where it was when a dialog that is mounted only while open closes. */
export function useFocusBack(): void {
  const [back] = useState(focusBack)
  useEffect(() => () => void setTimeout(back), [back])
}

/** Remembers the focused element; the returned function focuses it again unless something else has the focus. */
export function focusBack(): () => void {
  const from = opener()
  return () => {
    if (document.activeElement === document.body && from?.isConnected) from.focus()
  }
}

/** The focused element; for a menu item, which closes with its menu, the button that opened the menu. */
function opener(): HTMLElement | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement)) return null
  return active.closest('.ant-dropdown') ? document.querySelector<HTMLElement>('.ant-dropdown-open') : active
}
