import { PlusOutlined } from '@ant-design/icons'
import { useDragOperation, useDroppable } from '@dnd-kit/react'
import { mayAddRule, OPS, type RuleOp } from '#contract/rule.ts'
import { collisionDetector } from '../../../components/drag-settings.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { acceptsTags, hintForNew, isLoad, newRuleDropId } from './dragging.ts'
import { Hint } from './LeafBoxView.tsx'
import { OP_CHOICES, WITH_ABOVE } from './operator-choices.tsx'

/** Below the rules: adds an empty rule by the operator that joins it, or one with the tag dropped here. */
export function NewRulePlace() {
  const { rule } = useCanvas()
  if (!mayAddRule(rule)) return <div className={styles.newRules}>已有 64 条规则，不能再添加</div>
  return (
    // biome-ignore lint/a11y/useSemanticElements: three buttons, not a set of form fields
    <div role="group" aria-label="添加规则" className={styles.newRules}>
      <span>添加规则</span>
      {OP_CHOICES.map((op) => (
        <NewRule key={op} op={op} />
      ))}
    </div>
  )
}

function NewRule({ op }: { op: RuleOp }) {
  const { rule, dispatch } = useCanvas()
  const { ref, isDropTarget } = useDroppable({ id: newRuleDropId(op), accept: acceptsTags, collisionDetector })
  const { source } = useDragOperation()
  const load = source && isLoad(source.data) ? source.data : null
  return (
    <button
      ref={ref}
      type="button"
      className={`${styles.newRule} ${styles[`op_${op}`]}`}
      onClick={() => dispatch({ type: 'addRule', op })}
    >
      <PlusOutlined aria-hidden />
      <span className={styles.choice}>{OPS[op]}</span> {WITH_ABOVE[op]}
      {load && <Hint hint={hintForNew(rule, load, op)} isOver={isDropTarget} />}
    </button>
  )
}
