import { AppstoreOutlined, NotificationOutlined, TeamOutlined } from '@ant-design/icons'
import type { ComponentType } from 'react'
import { paths } from '../../lib/paths.ts'

export interface MenuPage {
  title: string
  to: string
  /** Paths with this prefix belong to this page too. */
  also?: string[]
  adminOnly?: boolean
}

export interface MenuGroup {
  title: string
  key: string
  icon: ComponentType
  pages: MenuPage[]
}

/** The side bar's menu; the search lists it too. */
const MENU: MenuGroup[] = [
  {
    title: '人群管理',
    key: 'cowd-manage',
    icon: TeamOutlined,
    pages: [
      { title: '自定义人群', to: paths.customCrowd() },
      { title: '人群资产', to: paths.assets(), also: ['/cowd-manage/assets/'] },
      { title: '标签管理', to: paths.tags() },
      { title: '用户列表', to: paths.userList(), also: ['/cowd-manage/user-behavior/'] },
    ],
  },
  {
    title: '营销活动',
    key: 'campaign-manage',
    icon: NotificationOutlined,
    pages: [{ title: '活动列表', to: paths.activities(), also: ['/campaign-manage/'] }],
  },
  {
    title: '基础管理',
    key: 'basic-manage',
    icon: AppstoreOutlined,
    pages: [
      { title: '广告主授权', to: paths.advertiserData() },
      { title: '数据接入', to: paths.dataAccess() },
      { title: '屏蔽与同意', to: paths.suppression() },
      { title: '推送通知', to: paths.webhooks() },
      { title: '接口与令牌', to: paths.tokens() },
      { title: '用户管理', to: paths.users(), adminOnly: true },
    ],
  },
]

/** The menu's groups and pages for this viewer. */
export const menuFor = (viewer: { is_admin: boolean }): MenuGroup[] =>
  MENU.map((group) => ({ ...group, pages: group.pages.filter((page) => viewer.is_admin || !page.adminOnly) }))

/** The menu page that a path belongs to. */
export function menuPageOf(pathname: string): MenuPage | undefined {
  return MENU.flatMap((group) => group.pages).find(
    (page) =>
      pathname === page.to ||
      pathname.startsWith(`${page.to}/`) ||
      page.also?.some((start) => pathname.startsWith(start)),
  )
}
