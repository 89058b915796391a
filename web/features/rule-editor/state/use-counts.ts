import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isEmpty, leavesOf, type RuleNode } from '#contract/rule.ts'
import { countRule } from '#contract/rule-crowd.ts'
import { call } from '../../../lib/call.ts'
import { useDebounced } from '../../../lib/debounced.ts'
import { keyOf } from '../../../lib/query.ts'
import type { Draft } from '../saving/draft.ts'
import { type Counted, countsFor } from './counts.ts'
import { keyOfTag } from './shown-tags.ts'

/** How long a rule stays as it is before it is counted: several quick changes are one count. */
const COUNT_DEBOUNCE_MS = 250

/** Counts every node of the rule whenever it changed; the call before is dropped. The last answer stays until the next. */
export function useCounts(advId: number, rule: RuleNode, draft: Draft, seed: Counted | null) {
  const settled = useDebounced(rule, COUNT_DEBOUNCE_MS)
  const isNobody = leavesOf(settled).every(isEmpty)
  const count = useQuery({
    queryKey: [keyOf(countRule), advId, settled],
    queryFn: async ({ signal }): Promise<Counted> => {
      const { cnt, counted_at, tags } = await draft.use((rId) =>
        call(countRule, { params: { rId }, body: { advId, rule: settled } }, { signal }),
      )
      return {
        rule: settled,
        cnt,
        countedAt: counted_at,
        tags: new Map(tags.map((tag) => [keyOfTag(tag), tag.count])),
      }
    },
    enabled: !isNobody,
    gcTime: 60_000,
    meta: { quiet: true },
  })
  const [last, setLast] = useState(seed)
  useEffect(() => {
    if (count.data) setLast(count.data)
  }, [count.data])
  const counted = count.data ?? last
  const counts = useMemo(() => countsFor(rule, counted), [rule, counted])
  return { counts, error: isNobody ? null : count.error, retry: count.refetch }
}
