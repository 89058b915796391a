import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useRef } from 'react'
import styles from './row-actions.module.css'

export interface MoreAction {
  key: string
  label: string
  /** Why the action is disabled; shown with it. */
  refusal?: string | null
  danger?: boolean
  onClick: () => void
}

interface Props {
  /** Names the button to screen readers. */
  name: string
  /** `-` is a divider. */
  actions: readonly (MoreAction | '-')[]
  disabled?: boolean
  /** Hidden until the row (`moreRow`) is hovered or has the keyboard's focus. */
  onHover?: boolean
}

/** Class of a row whose menu button is shown on hover. */
export const moreRow = styles.row

const toItem = (action: MoreAction | '-'): NonNullable<MenuProps['items']>[number] => {
  if (action === '-') return { type: 'divider' }
  const { key, label, refusal = null, danger = false, onClick } = action
  const words = refusal === null ? label : <RefusedLabel label={label} refusal={refusal} />
  return { key, label: words, danger, disabled: refusal !== null, onClick }
}

/** The reason is shown in the menu: a disabled item gets no hover, and touch has none. */
const RefusedLabel = ({ label, refusal }: { label: string; refusal: string }) => (
  <>
    {label}
    <div className={styles.reason}>{refusal}</div>
  </>
)

/** Further actions of a row, behind a menu button. */
export const MoreActions = ({ name, actions, disabled = false, onHover = false }: Props) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Dropdown
      disabled={disabled}
      trigger={['click']}
      placement="bottomRight"
      // The menu is inside the row in React's tree: without this its clicks would select the row too.
      menu={{
        items: actions.map(toItem),
        onClick: ({ domEvent }) => {
          domEvent.stopPropagation()
          // A dialog opened by the action returns the focus to this button.
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
