import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type RegionNames, regionCodesIn } from '#contract/targeting/lines.ts'
import { findTags } from '#contract/targeting-tags.ts'
import { queryOf } from '../../lib/query.ts'
import { usePublicRegionNames } from './public-regions.ts'
import { regionNamesIn } from './region-names.ts'

const HOUR_MS = 3_600_000

/**
 * The names of the regions in targetings, as the account's platform gives them. What it does not name, or none can be
 * asked, has its public name, and so has every region until the platform answers; empty while neither is loaded. No two
 * districts have one name.
 */
export function useRegionNames(
  accountId: number | undefined,
  ...targetings: readonly (Readonly<Record<string, unknown>> | undefined)[]
): RegionNames {
  const codes = targetings.flatMap((targeting) => (targeting ? regionCodesIn(targeting) : []))
  const tree = useQuery({
    ...queryOf(findTags, { body: { advertiser_id: accountId ?? 0, type: 'REGION', filtering: [] } }),
    enabled: accountId !== undefined && codes.length > 0,
    staleTime: HOUR_MS,
    meta: { silent: 'optional' },
  })
  const nodes = tree.data?.REGION
  const theirs = useMemo(() => regionNamesIn(nodes ?? []), [nodes])
  const others = usePublicRegionNames(codes.some((code) => !theirs.has(code)))
  return useMemo(() => new Map([...others, ...theirs]), [others, theirs])
}
