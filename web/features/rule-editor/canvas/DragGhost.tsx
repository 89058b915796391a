import { DragOverlay } from '@dnd-kit/react'
import { ChipFace } from './Chip.tsx'
import styles from './canvas.module.css'
import { isLoad } from './dragging.ts'

/** Follows the pointer while a tag is dragged. `grab` is where in the row or chip it was grabbed. */
export function DragGhost({ grab }: { grab: { x: number; y: number } }) {
  return (
    <DragOverlay dropAnimation={null}>
      {(source) =>
        isLoad(source.data) && (
          <span className={`${styles.chip} ${styles.ghost}`} style={{ left: grab.x - 20, top: grab.y - 14 }}>
            <ChipFace shown={source.data.shown} />
          </span>
        )
      }
    </DragOverlay>
  )
}
