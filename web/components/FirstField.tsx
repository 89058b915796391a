import { useEffect, useRef } from 'react'

/** Fields that text is typed into. */
export const TYPED =
  'input:not(:disabled, [type=hidden], [type=radio], [type=checkbox], [type=file]), textarea:not(:disabled)'
const CHOSEN = 'input:not(:disabled, [type=hidden], [type=file])'
const CLOSE = '.ant-modal-close, .ant-drawer-close'

/** In a dialog or drawer with a form: gives the focus to the first field once it is drawn, unless one has it already. */
export function FirstField() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // A drawer takes the focus itself when it opens, in an effect of its own.
    const timer = setTimeout(() => {
      const dialog = mark.current?.closest('[role=dialog]')
      const active = document.activeElement
      if (!dialog || (dialog.contains(active) && dialog !== active && !active?.closest(CLOSE))) return
      const drawn = (fields: string) =>
        [...dialog.querySelectorAll<HTMLElement>(fields)].find((field) => field.getClientRects().length > 0)
      ;(drawn(TYPED) ?? drawn(CHOSEN))?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [])
  return <span ref={mark} hidden />
}
