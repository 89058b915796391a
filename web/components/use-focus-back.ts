import { useEffect, useState } from 'react'

/** What opened the dialogs that are open, the last one first. */
let openers: readonly HTMLElement[] = []

/** Returns the focus to where it was when a dialog that is mounted only while open closes. */
export function useFocusBack(): void {
  const [from] = useState(opener)
  const [back] = useState(focusBack)
  useEffect(() => {
    if (from) openers = [from, ...openers]
    return () => {
      openers = openers.filter((one) => one !== from)
      back()
    }
  }, [from, back])
}

/**
 * Remembers the focused element; the returned function focuses it again, unless something else has the focus by then. If
 * it was in a dialog that has closed too, what opened that dialog gets the focus.
 */
export function focusBack(): () => void {
  const from = [opener(), ...openers]
  return () =>
    void setTimeout(() => {
      if (document.activeElement === document.body) from.find((one) => one?.isConnected)?.focus()
    })
}

/** The focused element; for a menu item, which closes with its menu, the button that opened the menu. */
function opener(): HTMLElement | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement)) return null
  return active.closest('.ant-dropdown') ? document.querySelector<HTMLElement>('.ant-dropdown-open') : active
}
