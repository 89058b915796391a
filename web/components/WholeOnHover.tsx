import { Tooltip } from 'antd'
import type { ReactNode } from 'react'

interface Props {
  text: ReactNode
  children?: ReactNode
  placement?: 'topLeft' | 'right'
}

/** Shows the whole of a truncated text on hover; `children` replaces the plain text. */
export const WholeOnHover = ({ text, children = text, placement = 'topLeft' }: Props) => (
  <Tooltip title={text} placement={placement}>
    {children}
  </Tooltip>
)
