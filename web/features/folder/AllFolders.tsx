import { AppstoreOutlined } from '@ant-design/icons'
import styles from './folder.module.css'

/** Above the folders: the crowds of all of them. */
export const AllFolders = ({ isOpen, onSelect }: { isOpen: boolean; onSelect: () => void }) => (
  <button type="button" className={styles.all} aria-pressed={isOpen} onClick={onSelect}>
    <AppstoreOutlined aria-hidden className={styles.icon} />
    全部
  </button>
)
