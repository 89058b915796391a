import { FolderAddOutlined } from '@ant-design/icons'
import type { ReactNode, Ref } from 'react'
import { IconButton } from '../../components/IconButton.tsx'
import styles from './folder.module.css'

export interface TreeHeadProps {
  onAdd: () => void
}

/** Above the folders: adds a folder. */
export const TreeHead = (props: TreeHeadProps & { ref?: Ref<HTMLDivElement>; children?: ReactNode }) => (
  <div ref={props.ref} className={styles.head}>
    <span>文件管理</span>
    <IconButton name="新建文件夹" changes="shared" size="small" icon={<FolderAddOutlined />} onClick={props.onAdd} />
    {props.children}
  </div>
)
