import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect } from 'react'
import { listAdvertiserData, listAdvertisers, type PlatformAccount } from '#contract/advertiser.ts'
import { listPlatforms, revokeAuthorisation, startAuthorisation } from '#contract/authorisation.ts'
import type { DataOf } from '#contract/endpoint.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { useConfirm } from '../../components/use-confirm.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { lossesOf } from './account-words.ts'
import styles from './advertiser.module.css'
import { revokedWith } from './shared-login.ts'

export interface Authorising {
  /** Opens the platform's OAuth page, which returns here. */
  start(adv_id: number, platform: PlatformCode): void
  /** Asks, then revokes the account with those that share its token. */
  revoke(account: PlatformAccount): void
  /** Why a platform cannot be authorised; null if it can. */
  refusalOf(platform: PlatformCode): string | null
  /** The authorisation whose OAuth page is being opened. */
  leaving: { adv_id: number; platform: PlatformCode } | null
}

/** Starts and revokes authorisations. */
export function useAuthorise(): Authorising {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const platforms = useQuery({ ...queryOf(listPlatforms), staleTime: 60_000 })
  const start = useAction(startAuthorisation, [], { onSuccess: ({ url }) => window.location.assign(url) })
  const { reset } = start
  useEffect(() => {
    // The browser's back button may restore this page from its cache: clear the leaving state.
    const back = (event: PageTransitionEvent) => {
      if (event.persisted) reset()
    }
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [reset])
  const revoke = useAction(revokeAuthorisation, [listAdvertiserData, listAdvertisers], {
    onSuccess: ({ revoked }) =>
      message.success(revoked.length > 1 ? `已撤销 ${revoked.length} 个账户的授权` : '已撤销授权'),
  })
  const readOnly = useReadOnly()
  const queries = useQueryClient()
  const lossesWith = (account: PlatformAccount) => {
    // Loaded, since the row that was clicked is of this list.
    const shown = queries.getQueryData<DataOf<typeof listAdvertiserData>>(queryOf(listAdvertiserData).queryKey)
    return lossesOf(revokedWith(shown?.list ?? [], account, (adv_id) => readOnly(adv_id) === null))
  }
  const leaving = start.isPending || start.isSuccess ? (start.variables?.body ?? null) : null
  return {
    start: (adv_id, platform) => start.mutate({ body: { adv_id, platform } }),
    revoke: (account) =>
      confirm({
        title: `撤销账户「${account.name}」的授权`,
        content: (
          <ul className={styles.facts}>
            <li>账户 ID {account.external_id}</li>
            {lossesWith(account).map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        ),
        okText: '撤销授权',
        isDanger: true,
        onOk: () => revoke.mutateAsync({ params: { id: account.id } }),
      }),
    refusalOf: (platform) => platforms.data?.list.find((one) => one.platform === platform)?.refusal ?? null,
    leaving,
  }
}
