import {
  BgColorsOutlined,
  FileOutlined,
  ImportOutlined,
  LogoutOutlined,
  PlusOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import type { Entry, Section } from '../../features/search/entries.ts'
import { Palette } from '../../features/search/Palette.tsx'
import { useSignOut } from '../../features/viewer/use-sign-out.ts'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { paths } from '../../lib/paths.ts'
import { useThemeSwitch } from '../../lib/theme-choice.ts'
import { menuFor } from './menu.ts'
import styles from './TopBar.module.css'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the search: a box in the top bar, or Ctrl K (⌘ K) anywhere. */
export function SearchBox() {
  const { advId, choose } = useAdvertiser()
  const [isOpen, setOpen] = useState(false)
  const known = useKnown()

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className={styles.search}
      >
        <Flex align="center" gap={8} className={styles.searchFace}>
          <SearchOutlined />
          <span className={styles.word}>搜索</span>
          <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        </Flex>
      </Button>
      <Palette isOpen={isOpen} onClose={() => setOpen(false)} known={known} advId={advId} chooseAdvertiser={choose} />
    </>
  )
}

/** Pages of the menu, and actions that are available everywhere. */
function useKnown(): Section[] {
  const viewer = useViewer()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { isDark, choose } = useThemeSwitch()
  const pages: Entry[] = menuFor(viewer).flatMap((group) =>
    group.pages.map((page) => ({
      key: page.to,
      title: page.title,
      place: group.title,
      icon: <FileOutlined />,
      run: () => navigate(page.to),
    })),
  )
  const actions: Entry[] = [
    {
      key: 'new-crowd',
      title: '新建人群',
      words: '组合定向包 规则',
      icon: <PlusOutlined />,
      run: () => navigate(paths.ruleCrowdEdit(0)),
    },
    {
      key: 'import',
      title: '导入数据',
      words: '上传 文件 用户 事件 csv',
      icon: <ImportOutlined />,
      run: () => navigate(paths.dataAccess()),
    },
    {
      key: 'theme',
      title: isDark ? '切换到浅色主题' : '切换到深色主题',
      icon: <BgColorsOutlined />,
      run: () => choose(isDark ? 'light' : 'dark'),
    },
    { key: 'sign-out', title: '退出登录', icon: <LogoutOutlined />, run: signOut },
  ]
  return [
    { title: '页面', entries: pages },
    { title: '操作', entries: actions },
  ]
}
