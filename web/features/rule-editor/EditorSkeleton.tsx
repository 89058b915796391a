import { Skeleton } from 'antd'
import styles from './rule-editor.module.css'

/** The editor's shape while the crowd is loaded. */
export function EditorSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 1, width: 240 }} className={styles.formSkeleton} />
      <div className={styles.body}>
        <div className={`${styles.tags} ${styles.loading}`}>
          <Skeleton active title={false} paragraph={{ rows: 10 }} />
        </div>
        <div className={`${styles.work} ${styles.loading}`}>
          <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 1, width: 200 }} />
          <Skeleton.Node active classNames={{ content: styles.canvasSkeleton }} />
        </div>
      </div>
    </div>
  )
}
