import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import styles from './whole-on-hover.module.css'

/** A mouse that only crosses a list opens no tooltips. */
export const TOOLTIP_DELAY_S = 0.6

/** Shows the whole of a truncated text on hover; `children` replaces the plain text. */
export const WholeOnHover = ({ text, children = text }: { text: string; children?: ReactNode }) => (
  <Tooltip
    title={text}
    mouseEnterDelay={TOOLTIP_DELAY_S}
    placement="topLeft"
    classNames={{ root: styles.through, container: styles.through }}
  >
    {children}
  </Tooltip>
)
