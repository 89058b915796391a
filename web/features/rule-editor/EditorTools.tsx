import { ClearOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Dispatch } from 'react'
import { isEmpty, mayAddRule } from '#contract/rule.ts'
import { IconButton } from '../../components/IconButton.tsx'
import { AddRuleMenu } from './AddRuleMenu.tsx'
import { KeysHelp } from './canvas/KeysHelp.tsx'
import styles from './rule-editor.module.css'
import type { EditorAction, EditorState } from './state/editor-state.ts'

/** The tool that is open: the help on keys, or the menu of operators. */
export type OpenedTool = 'help' | 'add' | null

/** Actions on the whole rule, above the canvas. */
export function EditorTools(props: {
  state: EditorState
  dispatch: Dispatch<EditorAction>
  mayClear: boolean
  opened: OpenedTool
  onOpen: (tool: OpenedTool) => void
}) {
  const { state, dispatch, mayClear, opened, onOpen } = props
  const { rule } = state.doc
  return (
    <span className={styles.tools}>
      <IconButton
        name="撤销"
        hint="撤销（Ctrl Z）"
        icon={<UndoOutlined />}
        disabled={state.past.length === 0}
        onClick={() => dispatch({ type: 'undo' })}
      />
      <IconButton
        name="重做"
        hint="重做（Ctrl Y）"
        icon={<RedoOutlined />}
        disabled={state.future.length === 0}
        onClick={() => dispatch({ type: 'redo' })}
      />
      <KeysHelp isOpen={opened === 'help'} onOpen={(isOpen) => onOpen(isOpen ? 'help' : null)} />
      {mayClear && (
        <Button icon={<ClearOutlined />} disabled={isEmpty(rule)} onClick={() => dispatch({ type: 'clear' })}>
          清空
        </Button>
      )}
      <AddRuleMenu
        isOpen={opened === 'add'}
        onOpen={(isOpen) => onOpen(isOpen ? 'add' : null)}
        disabled={!mayAddRule(rule)}
        onAdd={(op) => dispatch({ type: 'addRule', op })}
      />
    </span>
  )
}
