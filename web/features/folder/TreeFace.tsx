import { SearchOutlined } from '@ant-design/icons'
import { Skeleton } from 'antd'
import { FieldFace } from '../../components/FieldFace.tsx'
import { ALL_FOLDERS } from '../../domain/crowd/list-state.ts'
import { AllFolders } from './AllFolders.tsx'
import styles from './folder.module.css'

/** The tree's place until its code has arrived: a page's first rows do not wait for it. */
export const TreeFace = ({ selected, onSelect }: { selected: number; onSelect: (id: number) => void }) => (
  <section className={styles.panel} aria-label="文件夹" aria-busy="true">
    <div className={`${styles.head} ${styles.headFace}`}>文件管理</div>
    <FieldFace icon={<SearchOutlined />} text="搜索文件夹" />
    <AllFolders isOpen={selected === ALL_FOLDERS} onSelect={() => onSelect(ALL_FOLDERS)} />
    <div className={styles.tree}>
      <TreeSkeleton />
    </div>
  </section>
)

/** Rows of folders that are still being fetched. */
export const TreeSkeleton = () => (
  <Skeleton active title={false} paragraph={{ rows: 6, width: ['60%', '80%', '70%', '50%', '65%', '55%'] }} />
)
