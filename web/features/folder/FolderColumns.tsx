import { Card } from 'antd'
import type { ReactNode } from 'react'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import type { FolderKind } from './folder-calls.ts'
import styles from './folder-columns.module.css'
import { TreeFace } from './TreeFace.tsx'

const TREE = afterPage(() => import('./FolderTree.tsx'))

/** The folders at the left, the selected folder's crowds at the right. */
export function FolderColumns(props: {
  kind: FolderKind
  selected: number
  onSelect: (id: number) => void
  children: ReactNode
}) {
  const { kind, selected, onSelect, children } = props
  const tree = useAfterPage(TREE)
  return (
    <div className={styles.columns}>
      <Card className={styles.folders} classNames={{ body: styles.foldersBody }}>
        {tree ? (
          <tree.FolderTree kind={kind} selected={selected} onSelect={onSelect} />
        ) : (
          <TreeFace selected={selected} onSelect={onSelect} />
        )}
      </Card>
      <Card className={styles.list} classNames={{ body: styles.listBody }}>
        {children}
      </Card>
    </div>
  )
}
