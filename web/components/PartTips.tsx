import { Tooltip } from 'antd'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { TOOLTIP_DELAY_MS } from '../lib/tooltip-delay.ts'
import styles from './part-tips.module.css'

interface Tip {
  text: string
  left: number
  top: number
  width: number
  height: number
}

/**
 * One tooltip for a place with hundreds of parts, where one each would be slow: it shows the `data-tip` of the part
 * under the pointer.
 */
export function PartTips({ children }: { children: ReactNode }) {
  const [tip, setTip] = useState<Tip | null>(null)
  const over = useRef<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show(part: Element | null) {
    if (part === over.current) return
    over.current = part
    clearTimeout(timer.current)
    setTip(null)
    if (!part) return
    timer.current = setTimeout(() => {
      const text = part.getAttribute('data-tip')
      const { left, top, width, height } = part.getBoundingClientRect()
      if (part.isConnected && text) setTip({ text, left, top, width, height })
    }, TOOLTIP_DELAY_MS)
  }
  const onPointerOver = ({ target }: PointerEvent) =>
    show(target instanceof Element ? target.closest('[data-tip]') : null)

  return (
    <div
      className={styles.place}
      onPointerOver={onPointerOver}
      onPointerLeave={() => show(null)}
      onPointerDown={() => show(null)}
      onWheel={() => show(null)}
    >
      {children}
      {tip &&
        createPortal(
          <Tooltip open title={tip.text}>
            <span
              className={styles.anchor}
              style={{ left: tip.left, top: tip.top, width: tip.width, height: tip.height }}
            />
          </Tooltip>,
          document.body,
        )}
    </div>
  )
}
