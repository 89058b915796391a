import type { z } from 'zod'
import type { AdvertiserDetail } from '#contract/advertiser.ts'
import { concernOf } from './account-words.ts'

/**
 * The row that a link asks for: an account by its id; else, of an advertiser's accounts on a platform, the
 * one that needs attention most: authorised but not working, then never authorised, then any.
 */
export function shownOf(
  advertisers: readonly z.infer<typeof AdvertiserDetail>[],
  params: URLSearchParams,
  now: number,
): { adv_id: number; account_id: number | null } | null {
  const account_id = Number(params.get('account_id'))
  const holder = advertisers.find((one) => one.accounts.some((account) => account.id === account_id))
  if (holder) return { adv_id: holder.id, account_id }
  const advertiser = advertisers.find((one) => one.id === Number(params.get('adv_id')))
  if (!advertiser) return null
  const accounts = advertiser.accounts.filter((one) => one.platform === Number(params.get('platform')))
  const first =
    accounts.find((one) => concernOf(one, now) !== null) ??
    accounts.find((one) => one.state !== 'authorised') ??
    accounts[0]
  return { adv_id: advertiser.id, account_id: first?.id ?? null }
}
