import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button, Flex, Layout, Menu } from 'antd'
import { Link, useLocation, useNavigate } from 'react-router'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { SIDE_BAR_FOLDED_WIDTH, SIDE_BAR_WIDTH } from '../theme.ts'
import { menuFor, menuPageOf } from './menu.ts'
import styles from './SideBar.module.css'

export function SideBar({ isFolded, onFold }: { isFolded: boolean; onFold: (folded: boolean) => void }) {
  const viewer = useViewer()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { advertisers } = useAdvertiser()
  const groups = menuFor(viewer, advertisers)
  const current = menuPageOf(pathname)
  return (
    <Layout.Sider
      theme="light"
      width={SIDE_BAR_WIDTH}
      collapsedWidth={SIDE_BAR_FOLDED_WIDTH}
      collapsed={isFolded}
      className={styles.side}
    >
      <Flex vertical className={styles.column}>
        <nav aria-label="主菜单" className={styles.menu}>
          <Menu
            // Folded, groups open on hover; unfolded, all are open, also one that the first advertiser adds.
            key={`${isFolded ? 'folded' : 'open'} ${groups.length}`}
            mode="inline"
            className={styles.items}
            selectedKeys={current ? [current.to] : []}
            {...(isFolded ? {} : { defaultOpenKeys: groups.map((group) => group.key) })}
            // A click on the link navigates by itself; a key may also press the item around it.
            onClick={({ key, domEvent }) => {
              if (domEvent.type === 'keydown' && !(domEvent.target instanceof HTMLAnchorElement)) navigate(key)
            }}
            items={groups.map((group) => ({
              key: group.key,
              label: group.title,
              icon: <group.icon />,
              children: group.pages.map((page) => ({
                key: page.to,
                label: (
                  <Link to={page.to} tabIndex={-1}>
                    {page.title}
                  </Link>
                ),
              })),
            }))}
          />
        </nav>
        <Button
          type="text"
          block
          aria-label={isFolded ? '展开菜单' : '收起菜单'}
          aria-expanded={!isFolded}
          icon={isFolded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
          className={styles.fold}
          onClick={() => onFold(!isFolded)}
        />
      </Flex>
    </Layout.Sider>
  )
}
