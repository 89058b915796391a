import { DeleteOutlined, MinusSquareOutlined, PlusSquareOutlined } from '@ant-design/icons'
import { leavesOf, OPS, type RuleNode, sentenceOf } from '#contract/rule.ts'
import { CountUp } from '../../../components/CountUp.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { Box, GroupBox } from '../state/boxes.ts'
import type { NodeCount } from '../state/counts.ts'
import { BoxGrip } from './BoxGrip.tsx'
import { BoxPlaces } from './BoxPlaces.tsx'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { LeafBoxView } from './LeafBoxView.tsx'
import { Measure } from './Measure.tsx'
import { OperatorMenu } from './OperatorMenu.tsx'

interface Props {
  box: Box
  depth: number
  /** Number of leaves before this box in reading order. */
  before: number
  parent?: NodeCount | undefined
  beside?: readonly NodeCount[]
}

export function BoxView({ box, depth, before, parent, beside }: Props) {
  if (box.kind === 'leaf')
    return <LeafBoxView leaf={box.node} number={before + 1} depth={depth} parent={parent} beside={beside ?? []} />
  return <GroupBoxView box={box} depth={depth} before={before} parent={parent} beside={beside ?? []} />
}

const DEEP = 4

function GroupBoxView({ box, depth, before, parent, beside }: Props & { box: GroupBox }) {
  const { rule, cursor, counts, folded, shownOf, isReadOnly, dispatch } = useCanvas()
  const isCurrent = cursor.node === box.node.id
  const isFolded = folded.has(box.node.id)
  const count = counts.of(box.node)
  const leaves = leavesOf(box.node).length
  const name = depth === 1 ? '全部规则' : `规则 ${before + 1} 到 ${before + leaves}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a box of the canvas, not a set of form fields
    <div
      role="group"
      aria-label={`${name}，${OPS[box.op]}，${formatCount(count.people)} 人${isFolded ? '，已收起' : ''}`}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-cursor={box.node.id}
      className={[
        styles.box,
        styles.group,
        styles[`op_${box.op}`],
        depth > DEEP && styles.deep,
        isCurrent && !isReadOnly && styles.current,
      ]
        .filter(Boolean)
        .join(' ')}
      onFocus={(event) => {
        event.stopPropagation()
        if (event.target === event.currentTarget && !isCurrent)
          dispatch({ type: 'focus', cursor: { node: box.node.id } })
      }}
    >
      <div className={styles.head}>
        <span>
          {!isReadOnly && rule.id !== box.node.id && <BoxGrip node={box.node.id} name={name} />}
          <OperatorMenu
            as="pill"
            op={box.op}
            label={`${name}的关系`}
            isReadOnly={isReadOnly}
            onChoose={(op) => dispatch({ type: 'setOp', nodes: box.steps.map((step) => step.id), op })}
          />
          <button
            type="button"
            tabIndex={-1}
            className={styles.icon}
            aria-label={isFolded ? `展开${name}` : `收起${name}`}
            onClick={() => dispatch({ type: 'fold', node: box.node.id, folded: !isFolded })}
          >
            {isFolded ? <PlusSquareOutlined /> : <MinusSquareOutlined />}
          </button>
        </span>
        <span>
          <Measure count={count} parent={parent} beside={beside ?? []} isWhole={depth === 1} />
          {!isReadOnly && rule.id !== box.node.id && (
            <button
              data-tip={`删除这 ${leaves} 条规则`}
              type="button"
              tabIndex={-1}
              className={`${styles.icon} ${styles.danger}`}
              aria-label={`删除${name}`}
              onClick={() => dispatch({ type: 'deleteRule', node: box.node.id })}
            >
              <DeleteOutlined />
            </button>
          )}
        </span>
      </div>
      {isFolded ? (
        <div className={styles.summary}>
          {leaves} 条规则：{sentenceOf(box.node, (tag) => shownOf(tag).name)}
        </div>
      ) : (
        <Parts box={box} depth={depth} before={before} />
      )}
      <BoxPlaces node={box.node.id} depth={depth} isGroup />
    </div>
  )
}

function Parts({ box, depth, before }: { box: GroupBox; depth: number; before: number }) {
  const { counts } = useCanvas()
  const partCounts = box.parts.map((part) => counts.of(part.node))
  let leaves = before
  return (
    <div className={styles.parts}>
      {box.parts.map((part, i) => {
        const start = leaves
        leaves += leavesOf(part.node).length
        const step = box.steps[i - 1]
        return (
          <div key={part.node.id} className={styles.part}>
            {step && <Join step={step} number={start + 1} isLast={step === box.node} />}
            <BoxView
              box={part}
              depth={depth + 1}
              before={start}
              parent={counts.of(box.node)}
              beside={partCounts.filter((_, other) => other !== i)}
            />
          </div>
        )
      })}
    </div>
  )
}

/** The operator between two parts with the count up to here; the last count is the box's own. */
function Join({ step, number, isLast }: { step: RuleNode; number: number; isLast: boolean }) {
  const { counts, isReadOnly, dispatch } = useCanvas()
  const count = counts.of(step)
  return (
    <span className={`${styles.join} ${styles[`op_${step.op}`]}`}>
      <OperatorMenu
        as="word"
        op={step.op ?? 'n'}
        label={`规则 ${number} 与前面的关系`}
        isReadOnly={isReadOnly}
        onChoose={(op) => dispatch({ type: 'setOp', nodes: [step.id], op })}
      />
      {!isLast && (
        <span
          data-tip={`到这里 ${formatCount(count.people)} 人`}
          className={`${styles.running} ${count.isStale ? styles.stale : ''}`}
        >
          <CountUp value={count.people} />
        </span>
      )}
    </span>
  )
}
