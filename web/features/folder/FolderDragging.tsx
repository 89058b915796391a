import { FolderOutlined } from '@ant-design/icons'
import { DragDropProvider, DragOverlay, useDragOperation } from '@dnd-kit/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import type { AssetFolder } from '#contract/folder.ts'
import { dragSettings } from '../../components/drag-settings.ts'
import styles from './folder.module.css'
import { type FolderDrop, folderDrop, TOP } from './folder-dragging.ts'
import { findFolder } from './folder-tree.ts'

interface Operation {
  source?: { id: string | number } | null | undefined
  target?: { id: string | number } | null | undefined
}

/** What dropping here would do; null if this is no drop target. */
function dropOf(folders: readonly AssetFolder[], { source, target }: Operation): FolderDrop | null {
  const place = target?.id
  if (typeof source?.id !== 'number' || (typeof place !== 'number' && place !== TOP)) return null
  return folderDrop(folders, source.id, place)
}

/** Lets the folders in it be dragged into each other; a refused move is announced. */
export function FolderDragging(props: {
  folders: readonly AssetFolder[]
  onMove: (id: number, parentId: number | null) => void
  children: ReactNode
}) {
  const { folders, onMove, children } = props
  const { message } = App.useApp()
  return (
    <DragDropProvider
      {...dragSettings}
      onDragEnd={({ operation, canceled }) => {
        const drop = canceled ? null : dropOf(folders, operation)
        if (drop?.type === 'refused') void message.warning(drop.words)
        if (drop?.type === 'move') onMove(Number(operation.source?.id), drop.parentId)
      }}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {(source) => <Ghost name={findFolder(folders, Number(source.id))?.name ?? ''} folders={folders} />}
      </DragOverlay>
    </DragDropProvider>
  )
}

/** Follows the pointer: the folder, and what dropping it would do. */
function Ghost({ name, folders }: { name: string; folders: readonly AssetFolder[] }) {
  const drop = dropOf(folders, useDragOperation())
  return (
    <div role="status" className={styles.ghost}>
      <div className={styles.title}>
        <FolderOutlined className={styles.icon} />
        {name}
      </div>
      <div className={drop?.type === 'refused' ? styles.refuses : styles.hint}>{drop?.words ?? '拖到文件夹上'}</div>
    </div>
  )
}
