import { DragOverlay, useDragOperation } from '@dnd-kit/react'
import type { RuleNode } from '#contract/rule.ts'
import { numbersOf } from '../state/move-box.ts'
import { ChipFace } from './Chip.tsx'
import styles from './canvas.module.css'
import { isBoxLoad, isLoad, isPlace, wordsForPlace } from './dragging.ts'

/** Follows the pointer while a tag or a box is dragged. `grab` is where in the row, chip or box it was grabbed. */
export function DragGhost({ grab, rule }: { grab: { x: number; y: number }; rule: RuleNode }) {
  return (
    <DragOverlay dropAnimation={null}>
      {(source) => (
        <span className={`${styles.chip} ${styles.ghost}`} style={{ left: grab.x - 20, top: grab.y - 14 }}>
          {isLoad(source.data) && <ChipFace shown={source.data.shown} />}
          {isBoxLoad(source.data) && <BoxFace rule={rule} box={source.data.box} />}
        </span>
      )}
    </DragOverlay>
  )
}

/** A dragged box, and what dropping it here would do. */
function BoxFace({ rule, box }: { rule: RuleNode; box: string }) {
  const to = useDragOperation().target?.data
  return (
    <>
      <b>{numbersOf(rule, box)}</b>
      <small role="status">{isPlace(to) ? wordsForPlace(rule, to) : '拖到别的规则之前或之后'}</small>
    </>
  )
}
