import { useQuery } from '@tanstack/react-query'
import { ActivityName, findSameName } from '#contract/activity.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'

/** The id of another activity of the advertiser that has this name; null where there is none, or it is not known yet. */
export function useSameName(adv_id: number, typed: string, except: number | undefined): number | null {
  const name = useDebounced(typed, SEARCH_DELAY_MS)
  const { data } = useQuery({
    ...queryOf(findSameName, { query: { adv_id, name, ...(except !== undefined && { except }) } }),
    enabled: name === typed && ActivityName.safeParse(name).success,
    meta: { silent: 'optional' },
  })
  return name === typed ? (data?.id ?? null) : null
}
