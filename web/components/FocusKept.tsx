import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './focus-kept.module.css'

/** Keeps the keyboard's focus in its place where a part is replaced, as a button is by one that has a menu. */
export function FocusKept({ part, children }: { part: unknown; children: ReactNode }) {
  const around = useRef<HTMLSpanElement>(null)
  const shown = useRef(part)
  const hadFocus = useRef(false)
  if (shown.current !== part) {
    shown.current = part
    hadFocus.current = around.current?.contains(document.activeElement) ?? false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part is what was replaced.
  useLayoutEffect(() => {
    if (hadFocus.current) around.current?.querySelector<HTMLElement>('button, input')?.focus()
    hadFocus.current = false
  }, [part])
  return (
    <span ref={around} className={styles.around}>
      {children}
    </span>
  )
}
