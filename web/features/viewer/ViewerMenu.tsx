import { BgColorsOutlined, KeyOutlined, LockOutlined, LogoutOutlined } from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { later } from '../../components/later.tsx'
import { paths } from '../../lib/paths.ts'
import type { ThemeChoice } from '../../lib/saved-context.ts'
import { useThemeSwitch } from '../../lib/theme-choice.ts'
import { useSignOut } from './use-sign-out.ts'
import { ViewerFace } from './ViewerFace.tsx'
import styles from './viewer.module.css'
import { useViewer } from './viewer-context.ts'

const PasswordDialog = later(() => import('./PasswordDialog.tsx').then((file) => file.PasswordDialog))

const THEMES: Record<ThemeChoice, string> = { light: '浅色', dark: '深色', system: '跟随系统' }

export function ViewerMenu({ startsOpen }: { startsOpen: boolean }) {
  const [isOpen, setOpen] = useState(startsOpen)
  const viewer = useViewer()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const themes = useThemeSwitch()
  const [isChanging, setChanging] = useState(false)

  const items: NonNullable<MenuProps['items']> = [
    {
      key: 'who',
      type: 'group',
      label: `${viewer.username}${viewer.is_admin ? '（管理员）' : ''}`,
    },
    {
      key: 'theme',
      icon: <BgColorsOutlined />,
      label: `主题：${THEMES[themes.choice]}`,
      children: (Object.keys(THEMES) as ThemeChoice[]).map((choice) => ({
        key: choice,
        label: THEMES[choice],
        onClick: () => themes.choose(choice),
      })),
    },
    { key: 'password', icon: <LockOutlined />, label: '修改密码', onClick: () => setChanging(true) },
    { key: 'tokens', icon: <KeyOutlined />, label: '接口与令牌', onClick: () => navigate(paths.tokens()) },
    { type: 'divider' },
    { key: 'out', icon: <LogoutOutlined />, label: '退出登录', onClick: signOut },
  ]
  return (
    <>
      <Dropdown
        open={isOpen}
        onOpenChange={setOpen}
        trigger={['click']}
        placement="bottomRight"
        menu={{ items, selectable: true, selectedKeys: [themes.choice], className: styles.themes }}
      >
        <ViewerFace />
      </Dropdown>
      {isChanging && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  )
}
