import { FolderOpenOutlined, FolderOutlined } from '@ant-design/icons'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import styles from './folder.module.css'
import { Marked } from './Marked.tsx'

interface Props {
  name: string
  /** Shown on hover; defaults to the name. */
  hint?: string | null
  /** Highlighted in the name. */
  keyword: string
  isOpen?: boolean
  /** Said behind the name. */
  mark?: string | null
}

/** A folder in a tree. */
export function FolderTitle({ name, hint, keyword, isOpen = false, mark = null }: Props) {
  const Icon = isOpen ? FolderOpenOutlined : FolderOutlined
  return (
    <WholeOnHover text={hint ?? name}>
      <span className={styles.title}>
        <Icon className={styles.icon} />
        <Marked text={name} keyword={keyword} />
        {mark !== null && <span className={styles.mark}>{mark}</span>}
      </span>
    </WholeOnHover>
  )
}
