import { App, Empty, Tree } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { FAULTS } from '#contract/errors.ts'
import { type AssetFolder, DEFAULT_FOLDER, pathTo } from '#contract/folder.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { later } from '../../components/later.tsx'
import type { MoreAction } from '../../components/MoreActions.tsx'
import { ALL_FOLDERS } from '../../domain/crowd/list-state.ts'
import { AllFolders } from './AllFolders.tsx'
import type { FolderTask } from './FolderForm.tsx'
import styles from './folder.module.css'
import { type FolderKind, useFolderCalls, useFolders } from './folder-calls.ts'
import { refusalOfNew } from './folder-tree.ts'
import { TreeSkeleton } from './TreeFace.tsx'
import { useDragParts } from './use-drag-parts.tsx'
import { useFolderDeletion } from './use-folder-deletion.tsx'
import { useFolderSearch } from './use-folder-search.tsx'

const FolderForm = later(() => import('./FolderForm.tsx').then((file) => file.FolderForm))
const MoveFolderDialog = later(() => import('./MoveFolderDialog.tsx').then((file) => file.MoveFolderDialog))

interface Node {
  key: number
  title: string
  folder: AssetFolder
  children: Node[]
}

// Without a title antd's tree shows its own, ---, beside our tooltip.
const toNode = (folder: AssetFolder): Node => ({
  key: folder.id,
  title: '',
  folder,
  children: folder.subDirs.map(toNode),
})

/** The folders at the left: select, search, add, rename, move (also by dragging), delete. */
export function FolderTree(props: { kind: FolderKind; selected: number; onSelect: (id: number) => void }) {
  const { kind, selected, onSelect } = props
  const { message } = App.useApp()
  const folders = useFolders(kind)
  const { keyword, shown, expandedKeys, onExpand, keepOpen, unfold, field } = useFolderSearch(folders.data, selected)
  const [task, setTask] = useState<FolderTask | null>(null)
  const [moving, setMoving] = useState<AssetFolder | null>(null)
  const calls = useFolderCalls(kind, { quiet: false })
  const panel = useRef<HTMLElement>(null)
  const { FolderDragging: Dragging, DroppableHead: Head, DraggableFolder: Row } = useDragParts(panel)
  const askDelete = useFolderDeletion(kind, selected, onSelect)

  const all = folders.data ?? []
  const nodes = useMemo(() => shown.map(toNode), [shown])
  const showInside = (id: number | null) => unfold(id === null ? [] : pathTo(all, id))

  // The query client announces a refusal.
  const moveTo = (id: number, parentId: number | null) =>
    calls.move(id, parentId).then(
      () => {
        message.success('文件夹移动成功')
        showInside(parentId)
      },
      () => {},
    )

  const actionsOf = (folder: AssetFolder) =>
    folderActions(folder, all, { start: setTask, move: setMoving, remove: (one) => void askDelete(one) })

  return (
    <section className={styles.panel} aria-label="文件夹" ref={panel}>
      <Dragging folders={all} onMove={moveTo}>
        <Head folders={all} onAdd={() => setTask({ type: 'add', parentId: null })} />
        {field}
        <AllFolders isOpen={selected === ALL_FOLDERS} onSelect={() => onSelect(ALL_FOLDERS)} />
        <div className={styles.tree} data-drop-view>
          {folders.isPending ? (
            <TreeSkeleton />
          ) : folders.error && !folders.data ? (
            <LoadError error={folders.error} onRetry={folders.refetch} title="文件夹加载失败" />
          ) : nodes.length === 0 ? (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有匹配的文件夹" />
          ) : (
            <Tree<Node>
              blockNode
              treeData={nodes}
              expandedKeys={expandedKeys}
              onExpand={onExpand}
              selectedKeys={[selected]}
              // Clicking the selected folder again must not unselect it.
              onSelect={(_keys, { node }) => {
                if (node.key === selected) return
                keepOpen()
                onSelect(node.key)
              }}
              titleRender={({ folder }) => (
                <Row
                  folder={folder}
                  keyword={keyword}
                  isOpen={folder.id === selected}
                  actions={actionsOf(folder)}
                  onUnfold={() => unfold([folder.id])}
                />
              )}
            />
          )}
        </div>
      </Dragging>
      {task && (
        <FolderForm
          kind={kind}
          task={task}
          folders={all}
          onCancel={() => setTask(null)}
          onDone={(id) => {
            const added = task.type === 'add'
            setTask(null)
            message.success(added ? '新建文件夹成功' : '编辑文件夹成功')
            if (added) onSelect(id)
          }}
        />
      )}
      {moving && (
        <MoveFolderDialog
          kind={kind}
          folder={moving}
          folders={all}
          onCancel={() => setMoving(null)}
          onDone={(parentId) => {
            setMoving(null)
            showInside(parentId)
          }}
        />
      )}
    </section>
  )
}

/** The menu of a folder. */
function folderActions(
  folder: AssetFolder,
  all: readonly AssetFolder[],
  on: {
    start: (task: FolderTask) => void
    move: (folder: AssetFolder) => void
    remove: (folder: AssetFolder) => void
  },
): (MoreAction | '-')[] {
  const fixed = folder.id === DEFAULT_FOLDER ? FAULTS.defaultFolderStays.msg : null
  return [
    {
      key: 'add',
      label: '新建子文件夹',
      refusal: refusalOfNew(all, folder.id),
      onClick: () => on.start({ type: 'add', parentId: folder.id }),
    },
    { key: 'rename', label: '重命名', refusal: fixed, onClick: () => on.start({ type: 'rename', folder }) },
    { key: 'move', label: '移动到', refusal: fixed, onClick: () => on.move(folder) },
    '-',
    { key: 'delete', label: '删除', danger: true, refusal: fixed, onClick: () => on.remove(folder) },
  ]
}
