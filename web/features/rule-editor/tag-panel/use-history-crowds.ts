import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { CROWD_TAG } from '#contract/rule.ts'
import { listRuleCrowds, type RuleCrowdRow } from '#contract/rule-crowd.ts'
import { queryOf } from '../../../lib/query.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** Maximum number of history crowds listed; the server searches the names of the others. */
const CROWDS_MAX = 500

const shownOf = (crowd: RuleCrowdRow): ShownTag => ({
  id: crowd.id,
  tag_type: CROWD_TAG,
  name: crowd.name,
  count: crowd.magnitude,
  countedAt: crowd.computedAt,
  icon: 'crowd',
  path: `历史人群 / ${crowd.name}`,
  isUploaded: crowd.kind === 'custom',
})

/** Computed crowds that a rule can use, except the one being edited. `name`: those whose name contains this. */
export function useHistoryCrowds(
  advId: number,
  crowdId: number,
  { name = '', isWanted = true }: { name?: string; isWanted?: boolean } = {},
) {
  const crowds = useQuery({
    ...queryOf(listRuleCrowds, {
      query: { ordinary: '1', adv_id: advId, page_size: CROWDS_MAX, ...(name ? { name } : {}) },
    }),
    enabled: isWanted,
    staleTime: 15_000,
    meta: { inPlace: true },
  })
  const items = useMemo(() => crowds.data?.res.filter(({ id }) => id !== crowdId).map(shownOf), [crowds.data, crowdId])
  return { query: crowds, items, unlisted: Math.max(0, (crowds.data?.total ?? 0) - CROWDS_MAX) }
}
