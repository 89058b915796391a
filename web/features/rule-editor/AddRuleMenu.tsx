import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { RuleOp } from '#contract/rule.ts'
import { ADD_ITEMS } from './canvas/operator-choices.tsx'

/** 添加规则, with the operator that joins it to those above. Opened by its button, or by A on the canvas. */
export function AddRuleMenu(props: {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  disabled: boolean
  onAdd: (op: RuleOp) => void
}) {
  const { isOpen, onOpen, disabled, onAdd } = props
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      autoFocus
      open={isOpen}
      disabled={disabled}
      onOpenChange={(open, { source }) => {
        onOpen(open)
        if (!open && source === 'trigger') focusCursor()
      }}
      menu={{ items: ADD_ITEMS, onClick: ({ key }) => onAdd(key as RuleOp) }}
    >
      <Button icon={<PlusOutlined />} disabled={disabled}>
        添加规则
        <DownOutlined />
      </Button>
    </Dropdown>
  )
}

/** Closed without a choice, the keyboard goes on where it was. */
const focusCursor = () =>
  document
    .querySelector<HTMLElement>('[role="application"] [data-cursor][tabindex="0"]')
    ?.focus({ preventScroll: true })
