import { BgColorsOutlined, FileOutlined, ImportOutlined, LogoutOutlined, PlusOutlined } from '@ant-design/icons'
import { useNavigate } from 'react-router'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import type { Entry, Section } from '../../features/search/entries.ts'
import { Palette } from '../../features/search/Palette.tsx'
import { useSignOut } from '../../features/viewer/use-sign-out.ts'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { paths } from '../../lib/paths.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { useThemeSwitch } from '../../lib/theme-choice.ts'
import { menuFor } from './menu.ts'

/** The search with the pages and actions of the console. */
export function KnownPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { advId, chooseOnArrival } = useAdvertiser()
  const known = useKnown()
  return <Palette isOpen={isOpen} onClose={onClose} known={known} advId={advId} chooseOnArrival={chooseOnArrival} />
}

/** Pages of the menu, and actions that are available everywhere. */
function useKnown(): Section[] {
  const viewer = useViewer()
  const { advertisers } = useAdvertiser()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { isDark, choose } = useThemeSwitch()
  const readOnly = useReadOnly()
  const pages: Entry[] = menuFor(viewer, advertisers).flatMap((group) =>
    group.pages.map((page) => ({
      key: page.to,
      title: page.title,
      place: group.title,
      icon: <FileOutlined />,
      run: () => navigate(page.to),
    })),
  )
  const onAdvertisers: Entry[] = [
    {
      key: 'new-crowd',
      title: '新建组合定向包',
      words: '人群 规则',
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
  ]
  const actions: Entry[] = [
    ...(advertisers.length > 0 && readOnly('current') === null ? onAdvertisers : []),
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
