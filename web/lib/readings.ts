import { useQuery } from '@tanstack/react-query'
import { type Readings, readingsFrom } from '#contract/find-text.ts'

/** The table of readings, about 100 KB compressed, once somebody searches and it is loaded. Without them a search goes by characters alone. */
export function useReadings(isWanted: boolean): Readings | null {
  const { data } = useQuery({
    queryKey: ['readings of characters'],
    queryFn: async () => ({ readings: readingsFrom((await import('pinyin-pro')).polyphonic) }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    meta: { silent: 'optional' },
  })
  return data?.readings ?? null
}
