import {
  EllipsisOutlined,
  FolderAddOutlined,
  FolderOpenOutlined,
  FolderOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Dropdown, Empty, Input, type MenuProps, Skeleton, Tooltip, Tree } from 'antd'
import { type Key, useMemo, useState } from 'react'
import {
  type AssetFolder,
  DEFAULT_FOLDER,
  deleteAssetFolder,
  listAssetFolders,
  pathTo,
  searchFolders,
  updateAssetFolder,
} from '#contract/folder.ts'
import { LoadError } from '../../components/LoadError.tsx'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { keyOf, queryOf, useAction } from '../../lib/query.ts'
import { FolderForm, type FolderTask } from './FolderForm.tsx'
import styles from './folder.module.css'
import { idsOf, refusalOfMove, refusalOfNew } from './folder-tree.ts'
import { Marked } from './Marked.tsx'
import { MoveFolderDialog } from './MoveFolderDialog.tsx'

const TOOLTIP_DELAY_S = 0.6

interface Node {
  key: number
  folder: AssetFolder
  children: Node[]
}

const toNode = (folder: AssetFolder): Node => ({ key: folder.id, folder, children: folder.subDirs.map(toNode) })

/** The asset folders at the left: choose, search, add, rename, move (by dragging too), delete. */
export function FolderTree({ selected, onSelect }: { selected: number; onSelect: (id: number) => void }) {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const folders = useQuery(queryOf(listAssetFolders))
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed, SEARCH_DELAY_MS)
  const [task, setTask] = useState<FolderTask | null>(null)
  const [moving, setMoving] = useState<AssetFolder | null>(null)
  const [opened, setOpened] = useState<Key[]>([DEFAULT_FOLDER])
  const move = useAction(updateAssetFolder, [listAssetFolders])
  const remove = useAction(deleteAssetFolder, [], { meta: { quiet: true } })

  const all = folders.data ?? []
  const shown = useMemo(() => searchFolders(folders.data ?? [], keyword), [folders.data, keyword])
  const nodes = useMemo(() => shown.map(toNode), [shown])
  // The way to the chosen folder is always open when it is first shown; after that the viewer decides.
  const [openedFor, setOpenedFor] = useState<number | null>(null)
  if (folders.data && openedFor !== selected) {
    setOpenedFor(selected)
    setOpened([...new Set([...opened, ...pathTo(folders.data, selected).slice(0, -1)])])
  }

  /** What was moved or added below a folder is to be seen there. */
  const open = (id: number | null) =>
    setOpened((now) => (id === null ? now : [...new Set([...now, ...pathTo(folders.data ?? [], id)])]))

  const moveTo = async (id: number, parentId: number | null) => {
    await move.mutateAsync({ params: { id }, body: { parentId } })
    message.success('文件夹移动成功')
    open(parentId)
  }

  const askDelete = (folder: AssetFolder) =>
    modal.confirm({
      width: 565,
      title: `删除文件夹「${folder.name}」？`,
      content: folder.subDirs.length > 0 ? '其中的空子文件夹会一并删除，且不可恢复。' : '删除后不可恢复。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          await remove.mutateAsync({ params: { id: folder.id } })
          message.success('删除文件夹成功')
          // Before the tree is asked for again: the list must not find its folder gone.
          if (idsOf(folder).includes(selected)) onSelect(folder.parentId ?? DEFAULT_FOLDER)
          await client.invalidateQueries({ queryKey: [keyOf(listAssetFolders)] })
        } catch (error) {
          modal.warning({ width: 565, title: '无法删除文件夹', content: (error as Error).message, okText: '知道了' })
        }
      },
    })

  const menuOf = (folder: AssetFolder): MenuProps['items'] => {
    const fixed = folder.id === DEFAULT_FOLDER
    return [
      {
        key: 'add',
        label: '新建子文件夹',
        disabled: refusalOfNew(all, folder.id) !== null,
        onClick: () => setTask({ does: 'add', parentId: folder.id }),
      },
      { key: 'rename', label: '重命名', disabled: fixed, onClick: () => setTask({ does: 'rename', folder }) },
      { key: 'move', label: '移动到', disabled: fixed, onClick: () => setMoving(folder) },
      { type: 'divider' },
      { key: 'delete', label: '删除', danger: true, disabled: fixed, onClick: () => askDelete(folder) },
    ]
  }

  const allFolders = folders.data
  return (
    <section className={styles.panel} aria-label="文件夹">
      <div className={styles.head}>
        <span>文件管理</span>
        <Tooltip title="新建文件夹" mouseEnterDelay={TOOLTIP_DELAY_S}>
          <Button
            type="text"
            size="small"
            icon={<FolderAddOutlined />}
            aria-label="新建文件夹"
            onClick={() => setTask({ does: 'add', parentId: null })}
          />
        </Tooltip>
      </div>
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder="搜索文件夹"
        aria-label="搜索文件夹"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles.tree}>
        {folders.isPending ? (
          <Skeleton active title={false} paragraph={{ rows: 6, width: ['60%', '80%', '70%', '50%', '65%', '55%'] }} />
        ) : folders.error && !allFolders ? (
          <LoadError error={folders.error} onRetry={folders.refetch} title="文件夹加载失败" />
        ) : nodes.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有匹配的文件夹" />
        ) : (
          <Tree<Node>
            blockNode
            treeData={nodes}
            expandedKeys={keyword.trim() ? shown.flatMap(idsOf) : opened}
            onExpand={setOpened}
            selectedKeys={[selected]}
            // Clicking the chosen folder again must not unselect it.
            onSelect={(_keys, { node }) => node.key !== selected && onSelect(node.key)}
            draggable={{ icon: false, nodeDraggable: (node) => (node as unknown as Node).key !== DEFAULT_FOLDER }}
            allowDrop={({ dragNode, dropNode, dropPosition }) => {
              const parentId = dropPosition === 0 ? dropNode.key : dropNode.folder.parentId
              return dragNode.folder.parentId !== parentId && refusalOfMove(all, dragNode.key, parentId) === null
            }}
            onDrop={({ dragNode, node, dropToGap }) => {
              void moveTo(dragNode.key, dropToGap ? node.folder.parentId : node.key).catch(() => {})
            }}
            titleRender={({ folder }) => (
              <span className={styles.row}>
                <Tooltip title={folder.name} mouseEnterDelay={TOOLTIP_DELAY_S} placement="topLeft">
                  <span className={styles.title}>
                    {folder.id === selected ? (
                      <FolderOpenOutlined className={styles.icon} />
                    ) : (
                      <FolderOutlined className={styles.icon} />
                    )}
                    <Marked text={folder.name} keyword={keyword} />
                  </span>
                </Tooltip>
                <Dropdown
                  // The menu hangs on the row in React's tree: without this its clicks would choose the folder too.
                  menu={{ items: menuOf(folder), onClick: ({ domEvent }) => domEvent.stopPropagation() }}
                  trigger={['click']}
                  placement="bottomRight"
                >
                  <Button
                    type="text"
                    size="small"
                    className={styles.more}
                    icon={<EllipsisOutlined />}
                    aria-label={`文件夹「${folder.name}」的操作`}
                    onClick={(event) => event.stopPropagation()}
                  />
                </Dropdown>
              </span>
            )}
          />
        )}
      </div>
      {task && (
        <FolderForm
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
