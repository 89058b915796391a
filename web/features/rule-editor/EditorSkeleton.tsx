import { Skeleton } from 'antd'
import styles from './rule-editor.module.css'

/** The editor's shape while the crowd is loaded. */
export function EditorSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 1, width: 240 }} style={{ height: 86 }} />
      <div className={styles.body}>
        <div className={styles.tags} style={{ padding: 16 }}>
          <Skeleton active title={false} paragraph={{ rows: 10 }} />
        </div>
        <div className={styles.work} style={{ padding: 16 }}>
          <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 1, width: 200 }} />
          <Skeleton.Node active style={{ width: '100%', height: 220 }} />
        </div>
      </div>
    </div>
  )
}
