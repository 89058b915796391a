import { type KeyboardEvent, useMemo, useRef } from 'react'
import { PartTips } from '../../../components/PartTips.tsx'
import { boxOf } from '../state/boxes.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { BoxView } from './GroupBoxView.tsx'
import { commandOf } from './keys.ts'
import { NewRulePlace } from './NewRulePlace.tsx'
import { type CanvasActions, useCommands } from './use-commands.ts'
import { useCursorFocus } from './use-cursor-focus.ts'

/** The rule as nested boxes. Arrow keys move between them; Tab reaches only the one at the cursor. */
export function Canvas(actions: CanvasActions) {
  const { rule, cursor, everyone, isReadOnly } = useCanvas()
  const sheet = useRef<HTMLDivElement>(null)
  const focus = useCursorFocus(sheet, cursor, rule)
  const run = useCommands(sheet, actions)
  const box = useMemo(() => boxOf(rule), [rule])

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    // Keys of a menu opened from here bubble through React's tree, though the menu is elsewhere in the page.
    if (!(event.target instanceof HTMLElement) || !event.currentTarget.contains(event.target)) return
    const isButton = event.target.closest('button') !== null
    if (isButton && (event.key === 'Enter' || event.key === ' ')) return
    const command = commandOf(event)
    if (!command) return focus.want(false)
    focus.want(true)
    if (run(command)) event.preventDefault()
    else focus.want(false)
  }

  return (
    <div className={`${styles.canvas} ${isReadOnly ? styles.readOnly : ''}`} data-drop-view>
      <div
        ref={sheet}
        // The arrow keys belong to the canvas, not to a screen reader's own reading.
        role="application"
        aria-label="规则画布"
        tabIndex={-1}
        className={styles.sheet}
        onKeyDown={onKeyDown}
        {...focus.handlers}
      >
        <PartTips>
          <BoxView
            box={box}
            depth={1}
            before={0}
            parent={everyone === null ? undefined : { people: everyone, isStale: false }}
          />
        </PartTips>
      </div>
      {!isReadOnly && <NewRulePlace />}
    </div>
  )
}
