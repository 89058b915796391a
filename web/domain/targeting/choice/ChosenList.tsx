import { CloseOutlined } from '@ant-design/icons'
import { Button, ConfigProvider, Flex, Tag } from 'antd'
import { memo, type ReactNode } from 'react'
import { IconButton } from '../../../components/IconButton.tsx'
import text from '../../../components/text.module.css'
import { WholeOnHover } from '../../../components/WholeOnHover.tsx'
import { useRowsInSight } from '../../../lib/rows-in-sight.ts'
import { useSteady } from '../../../lib/steady.ts'
import styles from './choice.module.css'

/** Pixels of a row of one line. */
const ROW = 28

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

/** What a picker has chosen: how many of how many, each with its removal; those in sight are drawn. */
export function ChosenList({ title, items, max, onRemove }: Props) {
  const { componentDisabled: isReadOnly = false } = ConfigProvider.useConfig()
  const gone = items.filter(({ isGone }) => isGone)
  const { list, left, ...sight } = useRowsInSight({
    count: items.length,
    height: ROW,
    keyOf: (index) => items[index]?.key ?? '',
  })
  const removeOne = useSteady((key: string) => onRemove([key]))
  return (
    <section className={styles.chosen} aria-label={title} data-focus-row>
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
      <div ref={list} className={styles.chosenRows}>
        <ul style={{ paddingBottom: left }} onFocus={sight.onFocus}>
          {sight.rows.map(({ index, key, row }) => {
            const item = items[index]
            return (
              item && (
                <li key={key} {...row} data-focus-row>
                  {item.icon}
                  <ChosenName name={item.name} />
                  {item.isGone && <Tag>已下线</Tag>}
                  {item.note}
                  {!isReadOnly && <Removal itemKey={item.key} name={item.name} onRemove={removeOne} />}
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}

// Most of the work of a row is its hints.
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
