import { useDraggable, useDroppable } from '@dnd-kit/react'
import { useEffect, useEffectEvent } from 'react'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { collisionDetector } from '../../components/drag-settings.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { FolderRow, type FolderRowProps } from './FolderRow.tsx'
import styles from './folder.module.css'

/** A folder unfolds after something was held over it this long. */
const UNFOLD_MS = 700

/** A folder in the tree that can be dragged, and dropped on. */
export function DraggableFolder(props: FolderRowProps) {
  const { id } = props.folder
  const isReader = useReadOnly()('shared') !== null
  const drag = useDraggable({ id, disabled: id === DEFAULT_FOLDER || isReader })
  const drop = useDroppable({ id, collisionDetector })
  const isOver = drop.isDropTarget && !drag.isDragSource
  const unfold = useEffectEvent(props.onUnfold)
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(() => unfold(), UNFOLD_MS)
    return () => clearTimeout(timer)
  }, [isOver])
  return (
    <FolderRow
      {...props}
      ref={(element) => {
        drag.ref(element)
        drop.ref(element)
      }}
      className={`${isOver ? styles.over : ''} ${drag.isDragSource ? styles.lifted : ''}`}
    />
  )
}
