import type { Ref } from 'react'
import type { AssetFolder } from '#contract/folder.ts'
import { type MoreAction, MoreActions, moreRow } from '../../components/MoreActions.tsx'
import { FolderTitle } from './FolderTitle.tsx'
import styles from './folder.module.css'

export interface FolderRowProps {
  folder: AssetFolder
  keyword: string
  isOpen: boolean
  actions: readonly (MoreAction | '-')[]
  onUnfold: () => void
}

/** A folder in the tree, and its menu. */
export const FolderRow = (props: FolderRowProps & { ref?: Ref<HTMLElement>; className?: string }) => (
  <span ref={props.ref} className={`${moreRow} ${styles.row} ${props.className ?? ''}`}>
    <FolderTitle name={props.folder.name} keyword={props.keyword} isOpen={props.isOpen} />
    <span data-no-drag className={styles.menu}>
      <MoreActions name={`文件夹「${props.folder.name}」的操作`} onHover changes="shared" actions={props.actions} />
    </span>
  </span>
)
