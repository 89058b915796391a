import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  to: string
  primary?: boolean
  icon?: ReactNode
  children: ReactNode
}

/** A link to one of our pages that looks like a button and is one tab stop. */
export const LinkButton = ({ to, primary = false, icon, children }: Props) => (
  <Link to={to}>
    <Button type={primary ? 'primary' : 'default'} icon={icon} tabIndex={-1}>
      {children}
    </Button>
  </Link>
)
