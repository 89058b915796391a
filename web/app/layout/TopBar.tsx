import { Flex, Layout } from 'antd'
import { Link } from 'react-router'
import { AdvertiserSwitch } from '../../features/advertiser/AdvertiserSwitch.tsx'
import { TaskTray } from '../../features/task/TaskTray.tsx'
import { ViewerMenu } from '../../features/viewer/ViewerMenu.tsx'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { SearchBox } from './SearchBox.tsx'
import styles from './TopBar.module.css'

export function TopBar() {
  const { isSaas } = useEdition()
  return (
    <Layout.Header className={styles.bar}>
      <Link to={paths.home()} aria-label="人群，返回首页" className={styles.brand}>
        <Flex align="center" gap={10} className={styles.mark}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <span>人群</span>
        </Flex>
      </Link>
      {isSaas && (
        <div className={styles.advertiser}>
          <AdvertiserSwitch />
        </div>
      )}
      <Flex align="center" gap={8} className={styles.tools}>
        <SearchBox />
        <TaskTray />
        <ViewerMenu />
      </Flex>
    </Layout.Header>
  )
}
