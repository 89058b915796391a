import { EllipsisOutlined, LoadingOutlined } from '@ant-design/icons'
import { Button, type MenuProps } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { type Changes, useReadOnly } from '../lib/read-only.ts'
import { FocusKept } from './FocusKept.tsx'
import { afterPage, useAfterPage } from './later.tsx'
import styles from './row-actions.module.css'

export interface MoreAction {
  key: string
  label: string
  /** Whose things it changes, if not those that the menu says; null: it changes nothing. */
  changes?: Changes | null
  /** Why the action is disabled; shown with it. */
  refusal?: ReactNode
  danger?: boolean
  onClick: () => void
}

const DROPDOWN = afterPage(() => import('antd/es/dropdown'))

interface Props {
  /** Names the button to screen readers. */
  name: string
  /** `-` is a divider. */
  actions: readonly (MoreAction | '-')[]
  /** Whose things its actions change; members who may only look are refused. */
  changes?: Changes | undefined
  disabled?: boolean
  /** Hidden until the row (`moreRow`) is hovered or has the keyboard's focus. */
  onHover?: boolean
}

const MENU = '.ant-dropdown'
/** One menu is open at a time. */
const FIRST_ITEM = `${MENU}:not(.ant-dropdown-hidden) [role=menuitem]:not([aria-disabled=true])`

/** Class of a row whose menu button is shown on hover. */
export const moreRow = styles.row

type Item = NonNullable<MenuProps['items']>[number]

const toItem = (action: MoreAction | '-', readOnly: (action: MoreAction) => string | null): Item => {
  if (action === '-') return { type: 'divider' }
  const { key, label, danger = false, onClick } = action
  const refusal = readOnly(action) ?? action.refusal ?? null
  const words = refusal === null ? label : <RefusedLabel label={label} refusal={refusal} />
  return { key, label: words, danger, disabled: refusal !== null, onClick }
}

/** The reason is shown in the menu: a disabled item gets no hover, and touch has none. */
const RefusedLabel = ({ label, refusal }: { label: string; refusal: ReactNode }) => (
  <>
    {label}
    <div className={styles.reason}>{refusal}</div>
  </>
)

/** Further actions of a row, behind a menu button. */
export const MoreActions = ({ name, actions, changes, disabled = false, onHover = false }: Props) => {
  const readOnlyOf = useReadOnly()
  const readOnly = (action: MoreAction) => (action.changes === null ? null : readOnlyOf(action.changes ?? changes))
  const element = useRef<HTMLButtonElement>(null)
  const dropdown = useAfterPage(DROPDOWN)
  const items = actions.map((action) => toItem(action, readOnly))
  // An open menu stays as it was opened: an item that appears, ends or gets a reason would move the others from under the
  // pointer, and a click be lost or do something else. A click before the menu's code has arrived opens it then.
  const [shown, setShown] = useState<Item[] | null>(null)
  const isOpen = shown !== null
  const button = (
    <Button
      ref={element}
      type="text"
      size="small"
      className={onHover ? styles.onHover : undefined}
      icon={isOpen && !dropdown ? <LoadingOutlined /> : <EllipsisOutlined />}
      aria-label={name}
      onClick={(event) => {
        event.stopPropagation()
        if (!dropdown && !disabled) setShown(items)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || !isOpen) return
        event.preventDefault()
        document.querySelector<HTMLElement>(FIRST_ITEM)?.focus()
      }}
    />
  )
  return (
    <FocusKept part={dropdown}>
      {dropdown ? (
        <dropdown.default
          open={isOpen}
          onOpenChange={(opens) => {
            setShown(opens ? items : null)
            // Esc in the menu would take the focus away with it.
            if (!opens && document.activeElement?.closest(MENU)) element.current?.focus()
          }}
          disabled={disabled}
          trigger={['click']}
          placement="bottomRight"
          // The menu is inside the row in React's tree: without this its clicks would select the row too.
          menu={{
            items: shown ?? items,
            onClick: ({ domEvent }) => {
              domEvent.stopPropagation()
              // A dialog opened by the action returns the focus to this button.
              element.current?.focus()
            },
          }}
        >
          {button}
        </dropdown.default>
      ) : (
        button
      )}
    </FocusKept>
  )
}
