import { useDragOperation, useDroppable } from '@dnd-kit/react'
import type { AssetFolder } from '#contract/folder.ts'
import styles from './folder.module.css'
import { TOP } from './folder-dragging.ts'
import { findFolder } from './folder-tree.ts'
import { TreeHead, type TreeHeadProps } from './TreeHead.tsx'

/** The head of the tree; a folder dropped here moves to the top level. */
export function DroppableHead({ folders, onAdd }: TreeHeadProps & { folders: readonly AssetFolder[] }) {
  const { ref, isDropTarget } = useDroppable({ id: TOP })
  const { source } = useDragOperation()
  const isBelow = source != null && findFolder(folders, Number(source.id))?.parentId !== null
  return (
    <TreeHead ref={ref} onAdd={onAdd}>
      {isBelow && <span className={`${styles.top} ${isDropTarget ? styles.over : ''}`}>移到最上层</span>}
    </TreeHead>
  )
}
