import { useQueryClient } from '@tanstack/react-query'
import { App, Empty, Skeleton, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { FAULTS } from '#contract/errors.ts'
import { type AssetFolder, DEFAULT_FOLDER, pathTo } from '#contract/folder.ts'
import { LoadError } from '../../components/LoadError.tsx'
import type { MoreAction } from '../../components/MoreActions.tsx'
import { useConfirm, useRefusal } from '../../components/use-confirm.ts'
import { type CallError, isFault, UNREACHED } from '../../lib/call.ts'
import { keyOf } from '../../lib/query.ts'
import { FolderDragging } from './FolderDragging.tsx'
import { FolderForm, type FolderTask } from './FolderForm.tsx'
import { FolderRow } from './FolderRow.tsx'
import styles from './folder.module.css'
import { type FolderKind, folderList, useFolderCalls, useFolders } from './folder-calls.ts'
import { idsOf, refusalOfNew } from './folder-tree.ts'
import { MoveFolderDialog } from './MoveFolderDialog.tsx'
import { TreeHead } from './TreeHead.tsx'
import { useFolderSearch } from './use-folder-search.tsx'

interface Node {
  key: number
  folder: AssetFolder
  children: Node[]
}

const toNode = (folder: AssetFolder): Node => ({ key: folder.id, folder, children: folder.subDirs.map(toNode) })

/** A deletion that was not refused but went wrong; with uploaded crowds it says what the folder has to be. */
const failureOf = (kind: FolderKind, error: CallError): string => {
  const isRefusal = error.code !== UNREACHED && !isFault(error, 'failed') && !isFault(error, 'databaseAway')
  if (kind === 'asset' || isRefusal) return error.message || '删除失败'
  return `请保存人群为空（${error.message}）`
}

/** The folders at the left: choose, search, add, rename, move (by dragging too), delete. */
export function FolderTree(props: { kind: FolderKind; selected: number; onSelect: (id: number) => void }) {
  const { kind, selected, onSelect } = props
  const { message } = App.useApp()
  const confirm = useConfirm()
  const tellRefusal = useRefusal()
  const client = useQueryClient()
  const folders = useFolders(kind)
  const { keyword, shown, expandedKeys, onExpand, unfold, field } = useFolderSearch(folders.data)
  const [task, setTask] = useState<FolderTask | null>(null)
  const [moving, setMoving] = useState<AssetFolder | null>(null)
  const calls = useFolderCalls(kind, { quiet: false })
  const quietCalls = useFolderCalls(kind, { quiet: true })

  const all = folders.data ?? []
  const nodes = useMemo(() => shown.map(toNode), [shown])
  // The way to the chosen folder is always open when it is first shown; after that the viewer decides.
  const [openedFor, setOpenedFor] = useState<number | null>(null)
  if (folders.data && openedFor !== selected) {
    setOpenedFor(selected)
    unfold(pathTo(folders.data, selected).slice(0, -1))
  }

  /** What was moved below a folder is to be seen there. */
  const open = (id: number | null) => unfold(id === null ? [] : pathTo(all, id))

  // A refusal is told by the popup.
  const moveTo = (id: number, parentId: number | null) =>
    calls.move(id, parentId).then(
      () => {
        message.success('文件夹移动成功')
        open(parentId)
      },
      () => {},
    )

  const refuseDelete = (error: unknown) => void tellRefusal('无法删除文件夹', failureOf(kind, error as CallError))

  const askDelete = async (folder: AssetFolder) => {
    try {
      await quietCalls.check(folder.id)
    } catch (error) {
      return refuseDelete(error)
    }
    confirm({
      title: `删除文件夹「${folder.name}」？`,
      content: folder.subDirs.length > 0 ? '其中的空子文件夹会一并删除，且不可恢复。' : '删除后不可恢复。',
      okText: '删除',
      isDanger: true,
      onOk: async () => {
        try {
          await quietCalls.remove(folder.id)
          message.success('删除文件夹成功')
          // Before the tree is asked for again: the list must not find its folder gone.
          if (idsOf(folder).includes(selected)) onSelect(folder.parentId ?? DEFAULT_FOLDER)
          await client.invalidateQueries({ queryKey: [keyOf(folderList(kind))] })
        } catch (error) {
          refuseDelete(error)
        }
      },
    })
  }

  const actionsOf = (folder: AssetFolder): (MoreAction | '-')[] => {
    const fixed = folder.id === DEFAULT_FOLDER ? FAULTS.defaultFolderStays.msg : null
    return [
      {
        key: 'add',
        label: '新建子文件夹',
        refusal: refusalOfNew(all, folder.id),
        onClick: () => setTask({ does: 'add', parentId: folder.id }),
      },
      { key: 'rename', label: '重命名', refusal: fixed, onClick: () => setTask({ does: 'rename', folder }) },
      { key: 'move', label: '移动到', refusal: fixed, onClick: () => setMoving(folder) },
      '-',
      { key: 'delete', label: '删除', danger: true, refusal: fixed, onClick: () => void askDelete(folder) },
    ]
  }

  return (
    <section className={styles.panel} aria-label="文件夹">
      <FolderDragging folders={all} onMove={moveTo}>
        <TreeHead folders={all} onAdd={() => setTask({ does: 'add', parentId: null })} />
        {field}
        <div className={styles.tree} data-drop-view>
          {folders.isPending ? (
            <Skeleton active title={false} paragraph={{ rows: 6, width: ['60%', '80%', '70%', '50%', '65%', '55%'] }} />
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
              // Clicking the chosen folder again must not unselect it.
              onSelect={(_keys, { node }) => node.key !== selected && onSelect(node.key)}
              titleRender={({ folder }) => (
                <FolderRow
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
      </FolderDragging>
      {task && (
        <FolderForm
          kind={kind}
          task={task}
          folders={all}
          onCancel={() => setTask(null)}
          onDone={(id) => {
            const added = task.does === 'add'
            setTask(null)
            message.success(added ? '新建文件夹成功' : '修改成功')
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
            open(parentId)
          }}
        />
      )}
    </section>
  )
}
