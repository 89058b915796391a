import { useQuery } from '@tanstack/react-query'
import { Alert, Flex } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { listPlatforms } from '#contract/authorisation.ts'
import { AUDIENCE_CODES, isAudienceCode, type PlatformCode } from '#contract/platform.ts'
import { DrawnBelow } from '../../components/DrawnBelow.tsx'
import space from '../../components/space.module.css'
import { paths } from '../../lib/paths.ts'
import { queryOf } from '../../lib/query.ts'
import { AuthoriseButtons } from './AuthoriseButtons.tsx'
import { useAdvertiser } from './advertiser-context.tsx'
import { useAuthorise } from './use-authorise.tsx'

/** Above a list, while the advertiser has no authorised account: nothing can be pushed before, with a link to authorise. */
export function FirstAccountNotice({ children }: { children: ReactNode }) {
  const { advertiser } = useAdvertiser()
  const authorising = useAuthorise()
  const advertisers = useQuery({ ...queryOf(listAdvertiserData), staleTime: 60_000, meta: { silent: 'optional' } })
  const platforms = useQuery({ ...queryOf(listPlatforms), staleTime: 60_000 })
  const found = advertisers.data?.list.find((one) => one.id === advertiser?.id)
  const isSandbox = platforms.data?.list.some((one) => one.is_sandbox) ?? false
  const isKnown = !advertisers.isPending && !platforms.isPending
  const notice = isKnown && found && !found.accounts.some(isUsable) && (
    <Alert
      showIcon
      closable
      type="info"
      title={`还没有已授权的平台账户，授权后人群才能推送${isSandbox ? '（当前连接沙箱，只在本机模拟）' : ''}`}
      action={
        <Flex gap={8} align="center" wrap>
          <AuthoriseButtons adv_id={found.id} authorising={authorising} platforms={AUDIENCE_CODES} />
          <Link to={paths.advertiserData({ adv_id: found.id })}>查看账户</Link>
        </Flex>
      }
      className={space.above}
    />
  )
  return (
    <>
      {notice}
      <DrawnBelow isKnown={isKnown}>{children}</DrawnBelow>
    </>
  )
}

/** Whether crowds can be pushed to an account now. */
const isUsable = ({ platform, state }: { platform: PlatformCode; state: string }) =>
  isAudienceCode(platform) && state === 'authorised'
