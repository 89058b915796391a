import { Flex, Skeleton } from 'antd'
import { SIDE_BAR_FOLDED_WIDTH, SIDE_BAR_WIDTH, TOP_BAR_HEIGHT } from '../theme.ts'
import styles from './Frame.module.css'

/** The frame's shape while the viewer is being fetched. */
export function FrameSkeleton({ isFolded }: { isFolded: boolean }) {
  return (
    <div aria-busy="true" className={styles.skeleton}>
      <div className={styles.skeletonBar} style={{ height: TOP_BAR_HEIGHT }} />
      <Flex style={{ height: `calc(100% - ${TOP_BAR_HEIGHT}px)` }}>
        <div
          className={`${styles.skeletonMenu} ${isFolded ? styles.folded : ''}`}
          style={{ width: isFolded ? SIDE_BAR_FOLDED_WIDTH : SIDE_BAR_WIDTH }}
        >
          <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
        </div>
        <div className={styles.skeletonPage}>
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      </Flex>
    </div>
  )
}
