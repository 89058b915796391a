import { useEffect, useState } from 'react'

/** Of a dialog that is only drawn while it is open: once it is gone, the keyboard is where it was before. */
export function useFocusBack(): void {
  const [back] = useState(focusBack)
  useEffect(() => () => void setTimeout(back), [back])
}

/** Remembers what has the focus, and gives what puts it back there when nothing else has it by then. */
export function focusBack(): () => void {
  const from = opener()
  return () => {
    if (document.activeElement === document.body && from?.isConnected) from.focus()
  }
}

/** What has the focus; of a menu's item, which goes with its menu, the button that opened it. */
function opener(): HTMLElement | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement)) return null
  return active.closest('.ant-dropdown') ? document.querySelector<HTMLElement>('.ant-dropdown-open') : active
}
