import { FolderAddOutlined } from '@ant-design/icons'
import { useDragOperation, useDroppable } from '@dnd-kit/react'
import type { AssetFolder } from '#contract/folder.ts'
import { IconButton } from '../../components/IconButton.tsx'
import styles from './folder.module.css'
import { TOP } from './folder-dragging.ts'
import { findFolder } from './folder-tree.ts'

/** Above the folders: adds a folder at the top level; a folder dropped here moves to the top level. */
export function TreeHead({ folders, onAdd }: { folders: readonly AssetFolder[]; onAdd: () => void }) {
  const { ref, isDropTarget } = useDroppable({ id: TOP })
  const { source } = useDragOperation()
  const isBelow = source != null && findFolder(folders, Number(source.id))?.parentId !== null
  return (
    <div ref={ref} className={styles.head}>
      <span>文件管理</span>
      <IconButton name="新建文件夹" size="small" icon={<FolderAddOutlined />} onClick={onAdd} />
      {isBelow && <span className={`${styles.top} ${isDropTarget ? styles.over : ''}`}>移到最上层</span>}
    </div>
  )
}
