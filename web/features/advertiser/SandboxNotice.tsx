import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { listPlatforms } from '#contract/authorisation.ts'
import { platformInfo } from '#contract/platform.ts'
import space from '../../components/space.module.css'
import { queryOf } from '../../lib/query.ts'

/** Says which platforms are simulated by the sandbox. */
export function SandboxNotice() {
  const platforms = useQuery({ ...queryOf(listPlatforms), staleTime: 60_000 })
  const names = (platforms.data?.list ?? [])
    .filter((one) => one.is_sandbox)
    .map((one) => platformInfo(one.platform).name)
  if (names.length === 0) return null
  return (
    <Alert
      showIcon
      type="info"
      title={`${names.join('、')}当前连接的是沙箱：授权与推送只在本机模拟，不会到达真实的广告平台。`}
      className={space.above}
    />
  )
}
