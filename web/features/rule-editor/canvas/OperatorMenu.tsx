import { CaretDownOutlined, CaretUpOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { OPS, type RuleOp } from '#contract/rule.ts'
import styles from './canvas.module.css'
import { OP_ITEMS } from './operator-choices.tsx'

/** The label of an operator between two parts. */
export const BETWEEN: Record<RuleOp, string> = { n: '交', u: '并', e: '减' }

interface Props {
  op: RuleOp
  /** What it joins, for screen readers. */
  label: string
  isReadOnly: boolean
  /** pill: on a box's border; word: between two parts. */
  as: 'pill' | 'word'
  onChoose(op: RuleOp): void
}

/** An operator with a menu of 交, 并 and 差. A rule may have over a hundred, so a menu is created when first opened. */
export function OperatorMenu({ op, label, isReadOnly, as, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [hasMenu, setMenu] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const Caret = isOpen ? CaretUpOutlined : CaretDownOutlined
  const openFirst = () => {
    setMenu(true)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    // The closing menu would lose the focus; it returns to the cursor.
    trigger.current
      ?.closest('[role="application"]')
      ?.querySelector<HTMLElement>('[data-cursor][tabindex="0"]')
      ?.focus({ preventScroll: true })
  }
  const button = (
    <button
      ref={trigger}
      type="button"
      tabIndex={-1}
      data-operator
      disabled={isReadOnly}
      className={`${as === 'pill' ? styles.pill : styles.word} ${styles[`op_${op}`]}`}
      aria-label={`${label}：${OPS[op]}`}
      {...(isReadOnly ? {} : { 'aria-haspopup': 'menu' as const, 'aria-expanded': isOpen })}
      {...(hasMenu ? {} : { onClick: openFirst })}
    >
      {as === 'pill' ? OPS[op] : BETWEEN[op]}
      {as === 'pill' && !isReadOnly && (
        <span className={styles.caret}>
          <Caret />
        </span>
      )}
    </button>
  )
  if (!hasMenu) return button
  return (
    <Dropdown
      trigger={['click']}
      open={isOpen}
      onOpenChange={(next) => (next ? setOpen(true) : close())}
      autoFocus
      menu={{
        selectable: true,
        selectedKeys: [op],
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation()
          onChoose(key as RuleOp)
        },
        items: OP_ITEMS,
      }}
    >
      {button}
    </Dropdown>
  )
}
