import { AppstoreOutlined, FundOutlined, TeamOutlined } from '@ant-design/icons'
import type { ComponentType } from 'react'
import { paths } from '../../lib/paths.ts'

export interface MenuPage {
  title: string
  to: string
  /** Paths with this prefix belong to this page too. */
  also?: string[]
  /** What the viewer must have to use it: the admin flag, or any advertiser. */
  needs?: 'admin' | 'advertiser'
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
      { title: '自定义人群', to: paths.customCrowd(), needs: 'advertiser' },
      { title: '人群资产', to: paths.assets(), also: ['/cowd-manage/assets/'], needs: 'advertiser' },
      { title: '标签管理', to: paths.tags(), needs: 'advertiser' },
      { title: '用户列表', to: paths.userList(), also: ['/cowd-manage/user-behavior/'], needs: 'advertiser' },
    ],
  },
  {
    title: '营销活动',
    key: 'campaign-manage',
    icon: FundOutlined,
    pages: [{ title: '活动列表', to: paths.activities(), also: ['/campaign-manage/'], needs: 'advertiser' }],
  },
  {
    title: '基础管理',
    key: 'basic-manage',
    icon: AppstoreOutlined,
    pages: [
      { title: '广告主授权', to: paths.advertiserData() },
      { title: '数据接入', to: paths.dataAccess(), needs: 'advertiser' },
      { title: '屏蔽与同意', to: paths.suppression(), needs: 'advertiser' },
      { title: '推送通知', to: paths.webhooks(), needs: 'advertiser' },
      { title: '接口与令牌', to: paths.tokens() },
      { title: '成员管理', to: paths.users(), needs: 'admin' },
    ],
  },
]

/** The groups and pages of the menu that this viewer can use; `advertisers` are the viewer's. */
export const menuFor = (viewer: { is_admin: boolean }, advertisers: readonly unknown[]): MenuGroup[] =>
  MENU.map((group) => ({
    ...group,
    pages: group.pages.filter(({ needs }) => {
      if (needs === 'admin') return viewer.is_admin
      return needs === undefined || advertisers.length > 0
    }),
  })).filter(({ pages }) => pages.length > 0)

/** The menu page that a path belongs to. */
export function menuPageOf(pathname: string): MenuPage | undefined {
  return MENU.flatMap((group) => group.pages).find(
    (page) =>
      pathname === page.to ||
      pathname.startsWith(`${page.to}/`) ||
      page.also?.some((start) => pathname.startsWith(start)),
  )
}
