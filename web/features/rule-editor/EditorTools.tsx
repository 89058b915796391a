import { ClearOutlined, PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Dispatch } from 'react'
import { isEmpty, mayAddRule } from '#contract/rule.ts'
import { IconButton } from '../../components/IconButton.tsx'
import { KeysHelp } from './canvas/KeysHelp.tsx'
import styles from './rule-editor.module.css'
import type { EditorAction, EditorState } from './state/editor-state.ts'

/** Actions on the whole rule, above the canvas. */
export function EditorTools(props: {
  state: EditorState
  dispatch: Dispatch<EditorAction>
  mayClear: boolean
  isHelpOpen: boolean
  onHelp: (open: boolean) => void
}) {
  const { state, dispatch, mayClear, isHelpOpen, onHelp } = props
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
      <KeysHelp isOpen={isHelpOpen} onOpen={onHelp} />
      {mayClear && (
        <Button icon={<ClearOutlined />} disabled={isEmpty(rule)} onClick={() => dispatch({ type: 'clear' })}>
          清空
        </Button>
      )}
      <Button icon={<PlusOutlined />} disabled={!mayAddRule(rule)} onClick={() => dispatch({ type: 'addRule' })}>
        添加规则
      </Button>
    </span>
  )
}
