import { PlusOutlined } from '@ant-design/icons'
import { useDragOperation, useDroppable } from '@dnd-kit/react'
import { mayAddRule } from '#contract/rule.ts'
import { collisionDetector } from '../../../components/drag-settings.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { hintForNew, isLoad, NEW_RULE } from './dragging.ts'
import { Hint } from './LeafBoxView.tsx'

/** Below the rules: adds an empty rule, or one with the tag dropped here. */
export function NewRulePlace() {
  const { rule, dispatch } = useCanvas()
  const { ref, isDropTarget } = useDroppable({ id: NEW_RULE, collisionDetector })
  const { source } = useDragOperation()
  const load = source && isLoad(source.data) ? source.data : null
  const isFull = !mayAddRule(rule)
  return (
    <button
      ref={ref}
      type="button"
      className={styles.newRule}
      disabled={isFull}
      onClick={() => dispatch({ type: 'addRule' })}
    >
      <PlusOutlined />
      {isFull ? '已有 64 条规则，不能再添加' : '添加规则'}
      {load && <Hint hint={hintForNew(rule, load)} isOver={isDropTarget} />}
    </button>
  )
}
