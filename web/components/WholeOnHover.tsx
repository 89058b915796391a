import { Tooltip } from 'antd'
import type { ReactNode } from 'react'

/** The mouse may pass over a list without its tooltips coming up. */
export const TOOLTIP_DELAY_S = 0.6

/** A text that is cut where it does not fit, and whole on hover; `children` where more than the bare text is drawn. */
export const WholeOnHover = ({ text, children = text }: { text: string; children?: ReactNode }) => (
  // It lies over the row above, which stays within reach of the mouse.
  <Tooltip
    title={text}
    mouseEnterDelay={TOOLTIP_DELAY_S}
    placement="topLeft"
    styles={{ root: { pointerEvents: 'none' }, container: { pointerEvents: 'none' } }}
  >
    {children}
  </Tooltip>
)
