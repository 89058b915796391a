import { Breadcrumb, Flex } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import styles from './page-header.module.css'
import text from './text.module.css'
import { WholeOnHover } from './WholeOnHover.tsx'

export interface Crumb {
  title: string
  to?: string
}

interface Props {
  /** The levels above the page; the page itself is added last. */
  crumbs: Crumb[]
  title: string
  /** The page among its crumbs; its title unless told. */
  here?: string | undefined
  /** Beside the title, such as a state or a quota. */
  extra?: ReactNode
  /** The page's primary action, and what belongs next to it. */
  action?: ReactNode
}

/** Breadcrumb, title and action of a page. Sets the browser tab's title too. */
export function PageHeader({ crumbs, title, here = title, extra, action }: Props) {
  useEffect(() => {
    document.title = `${title} - 人群`
  }, [title])
  return (
    <header className={styles.header}>
      <nav aria-label="面包屑">
        <Breadcrumb
          items={[...crumbs, { title: here }].map((crumb) => ({
            title: 'to' in crumb && crumb.to ? <Link to={crumb.to}>{crumb.title}</Link> : crumb.title,
          }))}
        />
      </nav>
      <Flex align="center" justify="space-between" gap={16} wrap className={styles.line}>
        <Flex align="center" gap={12} className={styles.titles}>
          <WholeOnHover text={title}>
            <h1 className={`${styles.title} ${text.cut}`}>{title}</h1>
          </WholeOnHover>
          {extra}
        </Flex>
        {action && <Flex gap={8}>{action}</Flex>}
      </Flex>
    </header>
  )
}
