import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { estimateReach } from '#contract/targeting-estimate.ts'
import { useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'
import { type Editing, useEditing } from '../editor-context.ts'

type Estimate = DataOf<typeof estimateReach>

/** An estimate starts this long after the last change, ms. */
const DELAY_MS = 2000
/** An answered estimate is not asked for again so long, ms. */
const KEPT_MS = 600_000
/** A platform that did not answer is asked again after this time, ms. */
const AGAIN_MS = 30_000
/** Why there is no estimate of a form at any time, until somebody changes something. */
const SETTLED = new Set([
  ...['estimate_goal_missing', 'estimate_unsupported', 'estimate_too_long', 'estimate_scope_missing'],
  'account_without_login',
])

const mayComeLater = (answer: Estimate | undefined) =>
  answer !== undefined && answer.code !== 0 && !SETTLED.has(answer.fail_outcome?.code ?? '')

const asked = ({ editor, accountId }: Editing, form: unknown) => ({
  ...queryOf(estimateReach, {
    params: { version: 2 },
    body: { advertiser_id: accountId, targeting: editor.savedTargeting(form) },
  }),
  staleTime: ({ state }: { state: { data: Estimate | undefined } }) => (mayComeLater(state.data) ? 0 : KEPT_MS),
  retry: false,
  meta: { silent: 'caller' as const },
})

/**
 * The estimated reach of the form, once it has rested. While a newer one is on its way, the last figure stays. A query
 * that nobody waits for any more is cancelled.
 */
export function useReach() {
  const editing = useEditing()
  const { editor, form } = editing
  const rested = useDebounced(form, DELAY_MS)
  const isComplete = useMemo(() => editor.faults(rested, {}).length === 0, [editor, rested])
  const reach = useQuery({
    ...asked(editing, rested),
    enabled: isComplete,
    placeholderData: (last: Estimate | undefined) => last,
    refetchInterval: ({ state }) => (state.error || mayComeLater(state.data) ? AGAIN_MS : false),
  })
  return { reach, rested, isComplete, isNewer: form !== rested || (isComplete && reach.isPlaceholderData) }
}

/**
 * How many people more a form reaches without each of its dimensions; empty until all are estimated. They are asked for
 * one after the other, and no more once one is not answered, so that they stand in nobody's way.
 */
export function useNarrowing(form: unknown, count: number | null) {
  const editing = useEditing()
  const { editor } = editing
  const client = useQueryClient()
  const dimensions = useMemo(() => editor.dimensions(form), [editor, form])
  // One dimension without the others leaves everyone, which tells nothing new.
  const shown = count === null || dimensions.length < 2 ? [] : dimensions
  const { data: wider = [] } = useQuery({
    queryKey: ['reach without each dimension', editing.accountId, editor.savedTargeting(form)],
    queryFn: async ({ signal }) => {
      const counts: number[] = []
      for (const { without } of shown) {
        const answer = await client.fetchQuery(asked(editing, without))
        if (answer.approximate_count === null) return []
        signal.throwIfAborted()
        counts.push(answer.approximate_count)
      }
      return counts
    },
    enabled: shown.length > 0,
    staleTime: ({ state }) => (state.data?.length ? KEPT_MS : 0),
    refetchInterval: ({ state }) => (state.error || state.data?.length === 0 ? AGAIN_MS : false),
    retry: false,
    meta: { silent: 'caller' },
  })
  return shown.flatMap(({ label, isOpened }, no) => {
    const among = wider[no]
    return among === undefined ? [] : [{ label, isOpened, lost: Math.max(0, among - (count ?? 0)) }]
  })
}
