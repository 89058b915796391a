import { useDragOperation, useDroppable } from '@dnd-kit/react'
import { collisionDetector } from '../../../components/drag-settings.ts'
import { mayMove, type Place } from '../state/move-box.ts'
import styles from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import { acceptsBoxes, isBoxLoad } from './dragging.ts'

interface Props {
  node: string
  depth: number
  /** A box with boxes in it has its places at its edges, so that those in it keep theirs. */
  isGroup?: boolean
}

/** While a box is dragged: the places before and after another one. The ghost says what dropping there does. */
export function BoxPlaces({ node, depth, isGroup = false }: Props) {
  const { rule } = useCanvas()
  const { source } = useDragOperation()
  if (!source || !isBoxLoad(source.data)) return null
  const { box } = source.data
  if (box === node) return <span className={styles.liftedBox} aria-hidden />
  if (!mayMove(rule, box, node)) return null
  return (
    <>
      <DropPlace to={{ beside: node, place: 'before' }} depth={depth} isGroup={isGroup} />
      <DropPlace to={{ beside: node, place: 'after' }} depth={depth} isGroup={isGroup} />
    </>
  )
}

function DropPlace({ to, depth, isGroup }: { to: Place; depth: number; isGroup: boolean }) {
  const { ref, isDropTarget } = useDroppable({
    id: `place:${to.place}:${to.beside}`,
    data: to,
    accept: acceptsBoxes,
    collisionDetector,
    // Boxes overlap: the innermost one takes the drop.
    collisionPriority: depth,
  })
  return (
    <span
      ref={ref}
      aria-hidden
      data-place={to.place}
      className={[styles.place, styles[to.place], isGroup && styles.edgePlace, isDropTarget && styles.over]
        .filter(Boolean)
        .join(' ')}
    />
  )
}
