import { Breadcrumb, Flex, Typography } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

export interface Crumb {
  title: string
  to?: string
}

interface Props {
  /** The levels above the page; the page itself is added last. */
  crumbs: Crumb[]
  title: string
  /** Beside the title, such as a state or a quota. */
  extra?: ReactNode
  /** The page's primary action, and what belongs next to it. */
  action?: ReactNode
}

/** Breadcrumb, title and action of a page. Sets the browser tab's title too. */
export function PageHeader({ crumbs, title, extra, action }: Props) {
  useEffect(() => {
    document.title = `${title} - 人群`
  }, [title])
  return (
    <header style={{ marginBottom: 16 }}>
      <nav aria-label="面包屑">
        <Breadcrumb
          items={[...crumbs, { title }].map((crumb) => ({
            title: 'to' in crumb && crumb.to ? <Link to={crumb.to}>{crumb.title}</Link> : crumb.title,
          }))}
        />
      </nav>
      <Flex align="center" justify="space-between" gap={16} wrap style={{ marginTop: 6, minHeight: 32 }}>
        <Flex align="center" gap={12} style={{ minWidth: 0 }}>
          <Typography.Title
            level={1}
            style={{ fontSize: 20, lineHeight: '28px', margin: 0 }}
            ellipsis={{ tooltip: title }}
          >
            {title}
          </Typography.Title>
          {extra}
        </Flex>
        {action && <Flex gap={8}>{action}</Flex>}
      </Flex>
    </header>
  )
}
