import { DeleteOutlined } from '@ant-design/icons'
import { useDragOperation, useDroppable } from '@dnd-kit/react'
import { Fragment } from 'react'
import { holdsCrowd, type RuleNode } from '#contract/rule.ts'
import { collisionDetector } from '../../../components/drag-settings.ts'
import { formatCount } from '../../../lib/format.ts'
import type { NodeCount } from '../state/counts.ts'
import { keyOfTag } from '../state/shown-tags.ts'
import { BoxGrip } from './BoxGrip.tsx'
import { BoxPlaces } from './BoxPlaces.tsx'
import { Chip } from './Chip.tsx'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { acceptsTags, type DropHint, hintFor, isLoad, leafDropId } from './dragging.ts'
import { Measure } from './Measure.tsx'
import { BETWEEN, OperatorMenu } from './OperatorMenu.tsx'

interface Props {
  leaf: RuleNode
  /** Its number in reading order, as in 规则 2. */
  number: number
  depth: number
  parent?: NodeCount | undefined
  beside?: readonly NodeCount[]
}

/** One rule: its tags, operator and count; a drop target for tags. */
export function LeafBoxView({ leaf, number, depth, parent, beside }: Props) {
  const { rule, cursor, counts, emptyLeaves, isReadOnly, dispatch } = useCanvas()
  const { ref, isDropTarget } = useDroppable({
    id: leafDropId(leaf.id),
    disabled: isReadOnly,
    accept: acceptsTags,
    collisionDetector,
  })
  const isOnly = rule.id === leaf.id
  const isCurrent = cursor.node === leaf.id && !cursor.tag
  const isFaulty = emptyLeaves.has(leaf.id) && leaf.subTags.length === 0
  const op = leaf.op ?? 'n'
  const count = counts.of(leaf)
  const isCrowd = holdsCrowd(leaf)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a box of the canvas, not a set of form fields
    <div
      ref={ref}
      role="group"
      aria-label={`规则 ${number}，${leaf.subTags.length === 0 ? '空' : `${formatCount(count.people)} 人`}`}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      data-cursor={leaf.id}
      className={[
        styles.box,
        styles.leaf,
        isOnly && styles.onlyLeaf,
        isCrowd ? styles.op_none : styles[`op_${op}`],
        cursor.node === leaf.id && !isReadOnly && styles.current,
        isFaulty && styles.faulty,
      ]
        .filter(Boolean)
        .join(' ')}
      onFocus={(event) => {
        event.stopPropagation()
        if (event.target === event.currentTarget && !isCurrent) dispatch({ type: 'focus', cursor: { node: leaf.id } })
      }}
    >
      <div className={styles.head}>
        <span>
          {!isReadOnly && !isOnly && <BoxGrip node={leaf.id} name={`规则 ${number}`} />}
          {isCrowd ? (
            <span className={`${styles.pill} ${styles.fixed}`}>历史人群</span>
          ) : (
            <OperatorMenu
              as="pill"
              op={op}
              label={`规则 ${number} 内各标签的关系`}
              isReadOnly={isReadOnly}
              onChoose={(chosen) => dispatch({ type: 'setOp', nodes: [leaf.id], op: chosen })}
            />
          )}
        </span>
        <span>
          <Measure count={count} parent={parent} beside={beside ?? []} isWhole={isOnly} />
          {!isReadOnly && !isOnly && (
            <button
              data-tip="删除这条规则"
              type="button"
              tabIndex={-1}
              className={`${styles.icon} ${styles.danger}`}
              aria-label={`删除规则 ${number}`}
              onClick={() => dispatch({ type: 'deleteRule', node: leaf.id })}
            >
              <DeleteOutlined />
            </button>
          )}
        </span>
      </div>
      {leaf.subTags.length === 0 ? (
        <div className={styles.hollow}>{emptyWords(isFaulty, isReadOnly)}</div>
      ) : (
        <div className={`${styles.chips} ${styles[`op_${op}`]}`}>
          {leaf.subTags.map((tag, i) => (
            <Fragment key={keyOfTag(tag)}>
              {i > 0 && (
                <span className={styles.between} aria-hidden>
                  {BETWEEN[op]}
                </span>
              )}
              <Chip leaf={leaf} tag={tag} />
            </Fragment>
          ))}
        </div>
      )}
      <LeafHint leaf={leaf} isOver={isDropTarget} />
      <BoxPlaces node={leaf.id} depth={depth} />
    </div>
  )
}

function emptyWords(isFaulty: boolean, isReadOnly: boolean) {
  if (isReadOnly) return '空规则，0 人'
  return isFaulty ? '人群标签不能为空，请加入标签或删除这条规则' : '空规则，0 人。拖入标签，或点击左侧标签加入'
}

function LeafHint({ leaf, isOver }: { leaf: RuleNode; isOver: boolean }) {
  const { source } = useDragOperation()
  if (!source || !isLoad(source.data)) return null
  return <Hint hint={hintFor(leaf, source.data)} isOver={isOver} />
}

export function Hint({ hint, isOver }: { hint: DropHint; isOver: boolean }) {
  return (
    <span className={`${styles.hint} ${hint.takes ? styles.takes : styles.refuses} ${isOver ? styles.over : ''}`}>
      <span>{hint.words}</span>
    </span>
  )
}
