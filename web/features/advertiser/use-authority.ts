import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { covers, listAdvertisers, mayOpenTab } from '#contract/advertiser.ts'
import { type AssetTab, COMBINED_TAB, type PlatformCode, platformOfTab } from '#contract/platform.ts'
import { useEdition } from '../../lib/edition.ts'
import { queryOf } from '../../lib/query.ts'
import { useAdvertiser } from './advertiser-context.tsx'

/** What is needed: an assets tab, or scopes on the advertisers (-1) or on a platform's accounts. */
export type Authority = { tab: AssetTab } | { authType: -1 | PlatformCode; scope: string | readonly string[] }

/** The platform whose accounts' scopes decide; null where those of the viewer's advertisers do. */
function platformAsked(wanted: Authority, isSaas: boolean): PlatformCode | null {
  if ('authType' in wanted) return wanted.authType === -1 ? null : wanted.authType
  return isSaas || wanted.tab === COMBINED_TAB ? null : platformOfTab(wanted.tab).code
}

/** Whether each authority is held; undefined while loading. The server refuses by the same rule. */
function useAuthorities(wanted: readonly Authority[]) {
  const { deployment, isSaas } = useEdition()
  const { advertisers } = useAdvertiser()
  const asked = wanted.map((one) => platformAsked(one, isSaas))
  const needed = [...new Set(asked.filter((platform) => platform !== null))]
  const accounts = useQueries({
    queries: needed.map((platform) => ({
      ...queryOf(listAdvertisers, { query: { page: 1, per_page: 100, auth_type: platform } }),
      staleTime: 60_000,
      meta: { inPlace: true },
    })),
  })
  const error = accounts.find((query) => query.error && !query.data)
  const held = wanted.map((one, i) => {
    const platform = asked[i] ?? null
    const rows = platform === null ? advertisers : accounts[needed.indexOf(platform)]?.data?.data
    if (!rows) return undefined
    if ('tab' in one) return mayOpenTab(deployment, one.tab, advertisers, rows)
    return rows.some((row) => covers(row.scope_list, one.scope))
  })
  return { held, asked, error: error?.error ?? null, refetch: () => error?.refetch() }
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
  const { held, asked, error, refetch } = useAuthorities([wanted])
  /** `platform`: whose accounts decide; null where the viewer's advertisers do. */
  return { isHeld: held[0], platform: asked[0] ?? null, error, refetch }
}
