import { Flex, Tag } from 'antd'
import type { ReactNode } from 'react'
import { type Crumb, PageHeader } from '../../components/PageHeader.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import styles from './rule-editor.module.css'

interface Props {
  /** null inside of a drawer, which has a title. */
  crumbs: Crumb[] | null
  title: string
  /** The page among its crumbs; its title unless told. */
  here?: string
  /** Shown in SaaS; null hides it. */
  advName: string | null
  action: ReactNode
  /** What is wrong with the crowd, above everything. */
  notice?: ReactNode
  children: ReactNode
}

/** The page of a rule, edited or read-only. */
export const EditorPage = ({ crumbs, title, here, advName, action, notice, children }: Props) => (
  <div className={crumbs ? styles.page : styles.drawer}>
    {crumbs ? (
      <PageHeader
        crumbs={crumbs}
        title={title}
        here={here}
        extra={advName && <AdvertiserTag name={advName} />}
        action={action}
      />
    ) : (
      <Flex gap={8} justify="flex-end">
        {action}
      </Flex>
    )}
    {notice}
    {children}
  </div>
)

const AdvertiserTag = ({ name }: { name: string }) => (
  <WholeOnHover text={name}>
    <Tag className={`${text.cut} ${styles.advertiser}`}>{name}</Tag>
  </WholeOnHover>
)

/** Tags at the left, the crowd's form, total, canvas and sentence at the right. */
export const EditorBody = (props: {
  tags: ReactNode
  form: ReactNode
  /** The total and the tools. */
  bar: ReactNode
  canvas: ReactNode
  sentence: string
  /** What saving would change, below the sentence. */
  difference?: ReactNode
}) => (
  <div className={styles.body}>
    {props.tags}
    <section className={styles.work} aria-label="人群规则">
      {props.form}
      <div className={styles.bar}>{props.bar}</div>
      {props.canvas}
      <RuleSentence>{props.sentence}</RuleSentence>
      {props.difference}
    </section>
  </div>
)

/** A long sentence scrolls, also by keyboard. */
const RuleSentence = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <section className={styles.words} tabIndex={0} aria-label="规则说明">
    {children}
  </section>
)
