import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  to: string
  primary?: boolean
  icon?: ReactNode
  children: ReactNode
}

/** A page of ours to go to, drawn as a button; the keyboard stops at it once. */
export const LinkButton = ({ to, primary = false, icon, children }: Props) => (
  <Link to={to}>
    <Button type={primary ? 'primary' : 'default'} icon={icon} tabIndex={-1}>
      {children}
    </Button>
  </Link>
)
