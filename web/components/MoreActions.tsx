import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useRef } from 'react'
import styles from './row-actions.module.css'

export interface MoreAction {
  key: string
  label: string
  /** Why it is not open now: it is disabled and says so. */
  refusal?: string | null
  danger?: boolean
  onClick: () => void
}

interface Props {
  /** Names the button to screen readers. */
  name: string
  /** `-` draws a line. */
  actions: readonly (MoreAction | '-')[]
  disabled?: boolean
  /** Takes no room until the row (`moreRow`) is hovered, and is there for the keyboard all the same. */
  onHover?: boolean
}

/** What a row that hides its three dots wears. */
export const moreRow = styles.row

const toItem = (action: MoreAction | '-'): NonNullable<MenuProps['items']>[number] => {
  if (action === '-') return { type: 'divider' }
  const { key, label, refusal = null, danger = false, onClick } = action
  const words = refusal === null ? label : <RefusedLabel label={label} refusal={refusal} />
  return { key, label: words, danger, disabled: refusal !== null, onClick }
}

/** The reason stands in the menu itself: a greyed item gets no hover, and a finger has none to give. */
const RefusedLabel = ({ label, refusal }: { label: string; refusal: string }) => (
  <>
    {label}
    <div className={styles.reason}>{refusal}</div>
  </>
)

/** The rest of what one can do with a row, behind three dots. */
export const MoreActions = ({ name, actions, disabled = false, onHover = false }: Props) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Dropdown
      disabled={disabled}
      trigger={['click']}
      placement="bottomRight"
      // The menu hangs on the row in React's tree: without this its clicks would choose the row too.
      menu={{
        items: actions.map(toItem),
        onClick: ({ domEvent }) => {
          domEvent.stopPropagation()
          // What the action asks later finds the focus here, and gives it back.
          button.current?.focus()
        },
      }}
    >
      <Button
        ref={button}
        type="text"
        size="small"
        className={onHover ? styles.onHover : undefined}
        icon={<EllipsisOutlined />}
        aria-label={name}
        onClick={(event) => event.stopPropagation()}
      />
    </Dropdown>
  )
}
