import type { z } from 'zod'
import type { AdvertiserDetail, PlatformAccount } from '#contract/advertiser.ts'

type Advertiser = Pick<z.infer<typeof AdvertiserDetail>, 'id' | 'accounts'>

/** The accounts whose authorisation ends with this one's, itself included: they share its token and the viewer may change them. */
export const revokedWith = (
  advertisers: readonly Advertiser[],
  account: PlatformAccount,
  mayChange: (adv_id: number) => boolean,
): PlatformAccount[] =>
  advertisers
    .filter(({ id }) => mayChange(id))
    .flatMap(({ accounts }) => accounts)
    .filter((one) => one.id === account.id || (one.login !== null && one.login.id === account.login?.id))
