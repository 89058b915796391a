import { Flex, Layout, theme } from 'antd'
import { Link } from 'react-router'
import { AdvertiserSwitch } from '../../features/advertiser/AdvertiserSwitch.tsx'
import { TaskTray } from '../../features/task/TaskTray.tsx'
import { ViewerMenu } from '../../features/viewer/ViewerMenu.tsx'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { SearchBox } from './SearchBox.tsx'
import styles from './TopBar.module.css'

export function TopBar() {
  const { token } = theme.useToken()
  const { isSaas } = useEdition()
  return (
    <Layout.Header
      className={styles.bar}
      style={{
        background: token.colorBgContainer,
        borderBottom: `1px solid ${token.colorBorderSecondary}`,
        display: 'flex',
        alignItems: 'center',
        lineHeight: 1.5,
      }}
    >
      <Link to={paths.home()} aria-label="人群，返回首页" className={styles.brand} style={{ color: token.colorText }}>
        <Flex align="center" gap={10} style={{ fontSize: 17, fontWeight: 600, letterSpacing: 1 }}>
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
