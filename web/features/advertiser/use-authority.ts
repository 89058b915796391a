import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { covers, listAdvertisers, mayOpenTab, scopeHolders } from '#contract/advertiser.ts'
import { type AssetTab, COMBINED_TAB, type PlatformCode, platformOfTab } from '#contract/platform.ts'
import { useEdition } from '../../lib/edition.ts'
import { queryOf } from '../../lib/query.ts'
import { useAdvertiser } from './advertiser-context.tsx'

/** What is needed: an assets tab, or scopes on the advertisers (-1) or on a platform's accounts. */
export type Authority = { tab: AssetTab } | { authType: -1 | PlatformCode; scope: string | readonly string[] }

/** The platform whose accounts must cover scopes; null where the viewer's advertisers decide. */
function accountsAsked(wanted: Authority, isSaas: boolean) {
  if ('authType' in wanted) {
    return wanted.authType === -1 ? null : { platform: wanted.authType, scopes: wanted.scope }
  }
  if (isSaas || wanted.tab === COMBINED_TAB) return null
  const { code, scopes } = platformOfTab(wanted.tab)
  return { platform: code, scopes }
}

/** Whether the authority is held; undefined while loading. The server refuses by the same rule. */
function useHeld(wanted: Authority) {
  const { deployment, isSaas } = useEdition()
  const { advertisers } = useAdvertiser()
  const asked = accountsAsked(wanted, isSaas)
  const accounts = useQuery({
    ...queryOf(listAdvertisers, { query: asked === null ? {} : scopeHolders(asked.platform, asked.scopes) }),
    enabled: asked !== null,
    staleTime: 60_000,
    meta: { inPlace: true },
  })
  const rows = asked === null ? advertisers : accounts.data?.data
  const isHeld =
    rows &&
    ('tab' in wanted
      ? mayOpenTab(deployment, wanted.tab, advertisers, rows)
      : rows.some((row) => covers(row.scope_list, wanted.scope)))
  const error = accounts.data ? null : accounts.error
  /** `platform`: whose accounts decide; null where the viewer's advertisers do. */
  return { isHeld, platform: asked?.platform ?? null, error, refetch: () => void accounts.refetch() }
}

/** -1: the advertisers themselves decide; else the platform whose accounts do. */
const typeOf = (wanted: Authority): number =>
  'tab' in wanted ? (wanted.tab === COMBINED_TAB ? -1 : platformOfTab(wanted.tab).code) : wanted.authType

export function useAuthority(wanted: Authority) {
  const { authorityAsked } = useAdvertiser()
  const type = typeOf(wanted)
  const ask = useEffectEvent(() => authorityAsked(type))
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each type
  useEffect(() => ask(), [type])
  return useHeld(wanted)
}
