import { Alert, Flex } from 'antd'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { AdvertiserDetail } from '#contract/advertiser.ts'
import { platformInfo } from '#contract/platform.ts'
import space from '../../components/space.module.css'
import { paths } from '../../lib/paths.ts'
import { concernOf, endingWords, STATES } from './account-words.ts'

const SHOWN_MAX = 5

/** Accounts whose authorisation no longer works or ends soon. */
export function ConcernAlert({ advertisers, now }: { advertisers: z.infer<typeof AdvertiserDetail>[]; now: number }) {
  const found = advertisers
    .flatMap((advertiser) => advertiser.accounts.map((account) => ({ advertiser: advertiser.name, account })))
    .flatMap((one) => {
      const concern = concernOf(one.account, now)
      return concern === 'broken' || concern === 'ending' ? [{ ...one, concern }] : []
    })
  if (found.length === 0) return null
  const broken = found.filter((one) => one.concern === 'broken').length
  const ending = found.length - broken
  const counts = [
    broken > 0 ? `${broken} 个账户的授权已失效，向它们的推送会暂停` : '',
    ending > 0 ? `${ending} 个账户的授权将在 7 天内到期` : '',
  ]
  return (
    <Alert
      showIcon
      type={broken > 0 ? 'error' : 'warning'}
      title={counts.filter(Boolean).join('；')}
      description={
        <Flex vertical gap={2}>
          {found
            .toSorted((one, other) => Number(other.concern === 'broken') - Number(one.concern === 'broken'))
            .slice(0, SHOWN_MAX)
            .map(({ advertiser, account }) => (
              <span key={account.id}>
                <Link to={paths.advertiserData({ account_id: account.id })}>{account.name}</Link>
                {`（${advertiser}，${platformInfo(account.platform).name}）：`}
                {endingWords(account, now) ?? STATES[account.state].name}
              </span>
            ))}
          {found.length > SHOWN_MAX && <span>另有 {found.length - SHOWN_MAX} 个，见下表。</span>}
        </Flex>
      }
      className={space.above}
    />
  )
}
