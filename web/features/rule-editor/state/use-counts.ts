import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isEmpty, leavesOf, type RuleNode } from '#contract/rule.ts'
import { countRule } from '#contract/rule-crowd.ts'
import { call } from '../../../lib/call.ts'
import { useDebounced } from '../../../lib/debounced.ts'
import { keyOf } from '../../../lib/query.ts'
import type { Draft } from '../saving/draft.ts'
import { type Counted, countsFor } from './counts.ts'
import { keyOfTag } from './shown-tags.ts'

/** A rule is counted once it has not changed for this long, ms. */
const COUNT_DEBOUNCE_MS = 250

/** Counts every node of the rule after each change and aborts the count before. The last answer stays until the next. */
export function useCounts(advId: number, rule: RuleNode, draft: Draft, seed: Counted | null) {
  const settled = useDebounced(rule, COUNT_DEBOUNCE_MS)
  const isNobody = leavesOf(settled).every(isEmpty)
  /** Shown if the newest count failed. */
  const [last, setLast] = useState(seed)
  const count = useQuery({
    queryKey: [keyOf(countRule), advId, settled],
    queryFn: async ({ signal }): Promise<Counted> => {
      const { cnt, counted_at, tags } = await draft.use((rId) =>
        call(countRule, { params: { rId }, body: { advId, rule: settled } }, { signal }),
      )
      const counted = {
        rule: settled,
        cnt,
        countedAt: counted_at,
        tags: new Map(tags.map((tag) => [keyOfTag(tag), tag.count])),
      }
      setLast(counted)
      return counted
    },
    placeholderData: keepPreviousData,
    enabled: !isNobody,
    gcTime: 60_000,
    meta: { inPlace: true },
  })
  const counted = count.data ?? last
  const counts = useMemo(() => countsFor(rule, counted), [rule, counted])
  return { counts, error: isNobody ? null : count.error, retry: count.refetch }
}
