import { useDraggable, useDroppable } from '@dnd-kit/react'
import { useEffect } from 'react'
import { type AssetFolder, DEFAULT_FOLDER } from '#contract/folder.ts'
import { collisionDetector } from '../../components/drag-settings.ts'
import { type MoreAction, MoreActions, moreRow } from '../../components/MoreActions.tsx'
import { FolderTitle } from './FolderTitle.tsx'
import styles from './folder.module.css'

/** How long something is held over a folder before it unfolds. */
const UNFOLD_MS = 700

interface Props {
  folder: AssetFolder
  keyword: string
  isOpen: boolean
  actions: readonly (MoreAction | '-')[]
  onUnfold: () => void
}

/** A folder of the tree at the left: dragged into others, takes others, has its menu. */
export function FolderRow({ folder, keyword, isOpen, actions, onUnfold }: Props) {
  const { id } = folder
  const drag = useDraggable({ id, disabled: id === DEFAULT_FOLDER })
  const drop = useDroppable({ id, collisionDetector })
  const isOver = drop.isDropTarget && !drag.isDragSource
  // biome-ignore lint/correctness/useExhaustiveDependencies: what unfolds is the same folder, however often it is drawn
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(onUnfold, UNFOLD_MS)
    return () => clearTimeout(timer)
  }, [isOver])
  return (
    <span
      ref={(element) => {
        drag.ref(element)
        drop.ref(element)
      }}
      className={`${moreRow} ${styles.row} ${isOver ? styles.over : ''} ${drag.isDragSource ? styles.lifted : ''}`}
    >
      <FolderTitle name={folder.name} keyword={keyword} isOpen={isOpen} />
      <span data-no-drag>
        <MoreActions name={`文件夹「${folder.name}」的操作`} onHover actions={actions} />
      </span>
    </span>
  )
}
