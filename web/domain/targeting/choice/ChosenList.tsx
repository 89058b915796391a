import { CloseOutlined } from '@ant-design/icons'
import { Button, ConfigProvider, Flex, Tag } from 'antd'
import { memo, type ReactNode } from 'react'
import { IconButton } from '../../../components/IconButton.tsx'
import text from '../../../components/text.module.css'
import { WholeOnHover } from '../../../components/WholeOnHover.tsx'
import { useSteady } from '../../../lib/steady.ts'
import styles from './choice.module.css'

/** Rows beyond these are counted; nobody reads more of them. */
const SHOWN_MAX = 400

export interface ChosenItem {
  key: string
  name: string
  /** Before the name, such as a picture. */
  icon?: ReactNode
  /** Beside the name. */
  note?: ReactNode
  /** The platform has it no more. */
  isGone?: boolean
}

interface Props {
  title: string
  items: readonly ChosenItem[]
  max?: number
  onRemove: (keys: readonly string[]) => void
}

/** What a picker has chosen: how many of how many, each with its removal. */
export function ChosenList({ title, items, max, onRemove }: Props) {
  const { componentDisabled: isReadOnly = false } = ConfigProvider.useConfig()
  const gone = items.filter(({ isGone }) => isGone)
  const removeOne = useSteady((key: string) => onRemove([key]))
  return (
    <section className={styles.chosen} aria-label={title}>
      <Flex justify="space-between" align="center" className={styles.chosenHead}>
        <span>
          {title} {items.length}
          {max !== undefined && `/${max}`}
        </span>
        {!isReadOnly && items.length > 0 && (
          <Button type="link" size="small" onClick={() => onRemove(items.map(({ key }) => key))}>
            清空
          </Button>
        )}
      </Flex>
      {gone.length > 0 && !isReadOnly && (
        <div className={styles.goneNote}>
          {gone.length} 项已下线，平台不再接受
          <Button type="link" size="small" onClick={() => onRemove(gone.map(({ key }) => key))}>
            全部移除
          </Button>
        </div>
      )}
      {items.length === 0 && <p className={text.hint}>还没有选择</p>}
      <ul>
        {items.slice(0, SHOWN_MAX).map((item) => (
          <li key={item.key}>
            {item.icon}
            <ChosenName name={item.name} />
            {item.isGone && <Tag>已下线</Tag>}
            {item.note}
            {!isReadOnly && <Removal itemKey={item.key} name={item.name} onRemove={removeOne} />}
          </li>
        ))}
      </ul>
      {items.length > SHOWN_MAX && <p className={text.hint}>另有 {items.length - SHOWN_MAX} 项</p>}
    </section>
  )
}

// Hundreds of rows are drawn at each choice; most of their work is the hints.
const ChosenName = memo(({ name }: { name: string }) => (
  <WholeOnHover text={name}>
    <span className={`${text.cut} ${styles.chosenName}`}>{name}</span>
  </WholeOnHover>
))
const Removal = memo((props: { itemKey: string; name: string; onRemove: (key: string) => void }) => (
  <IconButton
    size="small"
    name={`移除「${props.name}」`}
    hint="移除"
    icon={<CloseOutlined />}
    onClick={() => props.onRemove(props.itemKey)}
  />
))
