import { FolderOutlined, SearchOutlined } from '@ant-design/icons'
import { Empty, Input, Tooltip, Tree } from 'antd'
import { type Key, useMemo, useState } from 'react'
import { type AssetFolder, DEFAULT_FOLDER, searchFolders } from '#contract/folder.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import styles from './folder.module.css'
import { idsOf } from './folder-tree.ts'
import { Marked } from './Marked.tsx'

interface Node {
  key: number
  title: string
  disabled: boolean
  refusal: string | null
  children: Node[]
}

/** A folder tree to choose one from, with a filter by name; a folder that `refusalOf` refuses says why. */
export function FolderPicker(props: {
  folders: readonly AssetFolder[]
  value: number | null
  onChange: (id: number | null) => void
  refusalOf?: (id: number) => string | null
}) {
  const { folders, value, onChange, refusalOf } = props
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed, SEARCH_DELAY_MS)
  const [opened, setOpened] = useState<Key[]>([DEFAULT_FOLDER])
  const shown = useMemo(() => searchFolders(folders, keyword), [folders, keyword])
  const nodes = useMemo(() => {
    const toNode = (folder: AssetFolder): Node => {
      const refusal = refusalOf?.(folder.id) ?? null
      return {
        key: folder.id,
        title: folder.name,
        refusal,
        disabled: refusal !== null,
        children: folder.subDirs.map(toNode),
      }
    }
    return shown.map(toNode)
  }, [shown, refusalOf])

  return (
    <div className={styles.picker}>
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder="搜索文件夹"
        aria-label="搜索文件夹"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles.pickerTree}>
        {nodes.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword ? '没有匹配的文件夹' : '还没有文件夹'} />
        ) : (
          <Tree<Node>
            blockNode
            treeData={nodes}
            expandedKeys={keyword.trim() ? shown.flatMap(idsOf) : opened}
            onExpand={setOpened}
            selectedKeys={value === null ? [] : [value]}
            onSelect={([key]) => onChange(typeof key === 'number' ? key : null)}
            titleRender={(node) => (
              <Tooltip title={node.refusal} mouseEnterDelay={0.6}>
                <span className={styles.title}>
                  <FolderOutlined className={styles.icon} />
                  <Marked text={node.title} keyword={keyword} />
                </span>
              </Tooltip>
            )}
          />
        )}
      </div>
    </div>
  )
}
