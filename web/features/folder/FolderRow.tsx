import { useDraggable, useDroppable } from '@dnd-kit/react'
import { useEffect, useEffectEvent } from 'react'
import { type AssetFolder, DEFAULT_FOLDER } from '#contract/folder.ts'
import { collisionDetector } from '../../components/drag-settings.ts'
import { type MoreAction, MoreActions, moreRow } from '../../components/MoreActions.tsx'
import { FolderTitle } from './FolderTitle.tsx'
import styles from './folder.module.css'

/** A folder unfolds after something was held over it this long. */
const UNFOLD_MS = 700

interface Props {
  folder: AssetFolder
  keyword: string
  isOpen: boolean
  actions: readonly (MoreAction | '-')[]
  onUnfold: () => void
}

/** A folder in the tree: drag source, drop target, and its menu. */
export function FolderRow({ folder, keyword, isOpen, actions, onUnfold }: Props) {
  const { id } = folder
  const drag = useDraggable({ id, disabled: id === DEFAULT_FOLDER })
  const drop = useDroppable({ id, collisionDetector })
  const isOver = drop.isDropTarget && !drag.isDragSource
  const unfold = useEffectEvent(onUnfold)
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(() => unfold(), UNFOLD_MS)
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
