import { hashKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import { canonicalTargeting } from '#contract/targeting/canonical.ts'
import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import { estimateReach, getEstimateGoals } from '#contract/targeting-estimate.ts'
import { type CallError, call } from '../../../lib/call.ts'
import { useDebounced } from '../../../lib/debounced.ts'
import { keyOf, queryOf } from '../../../lib/query.ts'
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

/** What estimates of an account count, beside the targeting. */
interface About {
  accountId: number
  /** null on platforms that need none. */
  goals: EstimateGoals | null
}

/**
 * An estimate is kept by the account, its goals, and what the targeting restricts: an answer for older goals is never
 * found again.
 */
const asked = (editor: Editing['editor'], about: About, form: unknown) => {
  const targeting = editor.savedTargeting(form)
  const input = { params: { version: 2 as const }, body: { advertiser_id: about.accountId, targeting } }
  return queryOptions<Estimate, CallError>({
    queryKey: [keyOf(estimateReach), about, canonicalTargeting(targeting)],
    queryFn: ({ signal }) => call(estimateReach, input, { signal }),
    staleTime: ({ state }) => (mayComeLater(state.data) ? 0 : KEPT_MS),
    retry: false,
    meta: { silent: 'caller' },
  })
}

/** What the account's estimates are for; undefined while this is being asked, or could not be answered. */
function useAbout() {
  const { editor, accountId } = useEditing()
  const hasGoals = editor.GoalsDialog !== null
  const goals = useQuery({
    ...queryOf(getEstimateGoals, { query: { advertiser_id: accountId } }),
    enabled: hasGoals,
    refetchInterval: ({ state }) => (state.error ? AGAIN_MS : false),
    meta: { silent: 'caller' },
  })
  // An estimate could not be told from one for other goals.
  const about: About | undefined =
    hasGoals && goals.data === undefined ? undefined : { accountId, goals: goals.data ?? null }
  return { about, unanswered: about === undefined && goals.error ? goals : null }
}

/**
 * The estimated reach of the form, once it has rested. While a newer one is on its way, the last figure stays, unless it
 * was for other goals. A query that nobody waits for any more is cancelled.
 */
export function useReach() {
  const { editor, form } = useEditing()
  const { about, unanswered } = useAbout()
  const rested = useDebounced(form, DELAY_MS)
  const isRestedComplete = useMemo(() => editor.faults(rested, {}).length === 0, [editor, rested])
  const isComplete = useMemo(() => editor.faults(form, {}).length === 0, [editor, form])
  const reach = useQuery({
    ...asked(editor, about ?? NOBODY, rested),
    enabled: isRestedComplete && about !== undefined,
    placeholderData: (last, query) => (hashKey([query?.queryKey[1]]) === hashKey([about]) ? last : undefined),
    refetchInterval: ({ state }) => (state.error || mayComeLater(state.data) ? AGAIN_MS : false),
  })
  return {
    reach,
    about,
    /** The question what estimates are for, where it was not answered. */
    unanswered,
    rested,
    /** Whether the form as it is now can be estimated. */
    isComplete,
    isNewer: form !== rested || (isComplete && reach.isPlaceholderData),
  }
}
/** Before it is known what estimates are for, none is asked for. */
const NOBODY: About = { accountId: 0, goals: null }

/** The most dimensions of a form that are left out, each a call. */
const DIMENSIONS_MAX = 12

/** How many people more a form reaches without one dimension. */
interface Bar {
  label: string
  isOpened: boolean
  lost: number
}
const NO_BARS: readonly Bar[] = []

/**
 * How many people more a form reaches without each of its dimensions; none until all are estimated. They are asked for
 * one after the other, and no more once one is not answered, so that they stand in nobody's way. Until they are answered
 * for a newer form, those of the one before stay (`isOlder`). `count`: null while the reach of the form is not known.
 */
export function useNarrowing(about: About | undefined, form: unknown, count: number | null, isNewer: boolean) {
  const { editor } = useEditing()
  const client = useQueryClient()
  const dimensions = useMemo(() => editor.dimensions(form), [editor, form])
  const asks = dimensions.slice(0, DIMENSIONS_MAX)
  // One dimension without the others leaves everyone, which tells nothing new.
  const isWanted = about !== undefined && count !== null && asks.length > 1
  const { data = NO_BARS, isPlaceholderData } = useQuery({
    queryKey: ['reach without each dimension', about, canonicalTargeting(editor.savedTargeting(form)), count],
    queryFn: async ({ signal }) => {
      const bars: Bar[] = []
      for (const { without, label, isOpened } of asks) {
        const { approximate_count } = await client.fetchQuery(asked(editor, about ?? NOBODY, without))
        if (approximate_count === null) return []
        signal.throwIfAborted()
        bars.push({ label, isOpened, lost: Math.max(0, approximate_count - (count ?? 0)) })
      }
      return bars
    },
    enabled: isWanted && !isNewer,
    placeholderData: (last, query) => (hashKey([query?.queryKey[1]]) === hashKey([about]) ? last : undefined),
    staleTime: ({ state }) => (state.data?.length ? KEPT_MS : 0),
    refetchInterval: ({ state }) => (state.error || state.data?.length === 0 ? AGAIN_MS : false),
    retry: false,
    meta: { silent: 'caller' },
  })
  return {
    bars: isWanted ? data : NO_BARS,
    isOlder: isNewer || isPlaceholderData,
    /** Dimensions beyond those that are asked for. */
    more: dimensions.length - asks.length,
  }
}
