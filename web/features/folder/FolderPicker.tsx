import { Empty, Tree } from 'antd'
import { useMemo } from 'react'
import type { AssetFolder } from '#contract/folder.ts'
import { FirstField } from '../../components/FirstField.tsx'
import { FolderTitle } from './FolderTitle.tsx'
import styles from './folder.module.css'
import { useFolderSearch } from './use-folder-search.tsx'

interface Node {
  key: number
  title: string
  name: string
  isPresent: boolean
  disabled: boolean
  refusal: string | null
  children: Node[]
}

/**
 * Chooses a folder from a tree with a search by name; folders that `refusalOf` refuses are disabled and say why, and so is
 * the `present` one, which is marked.
 */
export function FolderPicker(props: {
  folders: readonly AssetFolder[]
  value: number | null
  onChange: (id: number | null) => void
  refusalOf?: (id: number) => string | null
  present?: number | undefined
}) {
  const { folders, value, onChange, refusalOf, present } = props
  const { keyword, shown, expandedKeys, onExpand, field } = useFolderSearch(folders)
  const nodes = useMemo(() => {
    const toNode = ({ id, name, subDirs }: AssetFolder): Node => {
      const refusal = refusalOf?.(id) ?? null
      const isPresent = id === present
      const disabled = isPresent || refusal !== null
      return { key: id, title: '', name, refusal, isPresent, disabled, children: subDirs.map(toNode) }
    }
    return shown.map(toNode)
  }, [shown, refusalOf, present])

  return (
    <div className={styles.picker}>
      <FirstField />
      {field}
      <div className={styles.pickerTree}>
        {nodes.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword ? '没有匹配的文件夹' : '还没有文件夹'} />
        ) : (
          <Tree<Node>
            blockNode
            treeData={nodes}
            expandedKeys={expandedKeys}
            onExpand={onExpand}
            selectedKeys={value === null ? [] : [value]}
            onSelect={([key]) => onChange(typeof key === 'number' ? key : null)}
            titleRender={({ name, refusal, isPresent }) => (
              <FolderTitle name={name} hint={refusal} keyword={keyword} mark={isPresent ? '当前位置' : null} />
            )}
          />
        )}
      </div>
    </div>
  )
}
