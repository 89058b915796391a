import { useQuery } from '@tanstack/react-query'
import { Alert, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { listPlatforms } from '#contract/authorisation.ts'
import { platformInfo } from '#contract/platform.ts'
import { DrawnBelow } from '../../components/DrawnBelow.tsx'
import space from '../../components/space.module.css'
import text from '../../components/text.module.css'
import { queryOf } from '../../lib/query.ts'

/** Above the accounts, says which platforms are simulated by the sandbox; for admins with a link to its page. */
export function SandboxNotice({ children }: { children: ReactNode }) {
  const platforms = useQuery({ ...queryOf(listPlatforms), staleTime: 60_000 })
  const names = (platforms.data?.list ?? [])
    .filter((one) => one.is_sandbox)
    .map((one) => platformInfo(one.platform).name)
  const page = platforms.data?.sandbox_page ?? null
  const notice = names.length > 0 && (
    <Alert
      showIcon
      type="info"
      title={
        <>
          {names.join('、')}当前连接的是沙箱：授权与推送只在本机模拟，不会到达真实的广告平台。
          {page !== null && (
            <Tooltip title="只能在运行本服务的机器上打开；地址中有密钥，请勿转发">
              <a href={page} target="_blank" rel="noreferrer" className={text.underlined}>
                沙箱的状态与开关
              </a>
            </Tooltip>
          )}
        </>
      }
      className={space.above}
    />
  )
  return (
    <>
      {notice}
      <DrawnBelow isKnown={!platforms.isPending}>{children}</DrawnBelow>
    </>
  )
}
