import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { getViewer } from '#contract/viewer.ts'
import { isFault } from '../lib/call.ts'
import { queryOf } from '../lib/query.ts'
import { isOutage, retrying } from '../lib/retry.ts'

interface Announcements {
  announce(msg: string): void
  /** `hadSession`: a session has ended; false when there was none. */
  onSignedOut(hadSession: boolean): void
}

/** A page shows a first load's failure in place of the data; a refetch's only where it says so beside the data. */
const isShownInPlace = (query: Query<unknown, unknown>) =>
  query.observers.some(({ options: { meta } }) =>
    query.state.data === undefined ? meta?.inPlace : meta?.inPlace === 'always',
  )

const isPolled = (query: Query<unknown, unknown>) => query.observers.some(({ options }) => options.refetchInterval)

/** Announces each failure once, unless the page shows it or the caller handles it (`meta`). */
export function createQueryClient({ announce, onSignedOut }: Announcements) {
  const signedOut = () => onSignedOut(queries.find({ queryKey: queryOf(getViewer).queryKey })?.state.data !== undefined)
  /** An outage fails every query of the page; it is shown once. */
  let isOutageShown = false
  /** A failure that every poll repeats is announced once, until the query is answered. */
  const failedPolls = new WeakSet<Query<unknown, unknown>>()
  const queries: QueryCache = new QueryCache({
    onError: (error, query) => {
      if (isFault(error, 'signedOut')) return signedOut()
      const silent = query.meta?.silent
      // The next poll, or the caller, says the others.
      if (silent && silent !== 'optional') return
      const isShown = isShownInPlace(query)
      if (silent || isShown) console.warn(`[renqun] ${query.queryKey[0]}`, error)
      if (silent) return
      if (isOutage(error)) {
        if (isOutageShown) return
        isOutageShown = true
      }
      if (isShown || failedPolls.has(query)) return
      if (isPolled(query)) failedPolls.add(query)
      announce(error.message || '请求失败')
    },
    onSuccess: (_data, query) => {
      isOutageShown = false
      failedPolls.delete(query)
    },
  })
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        ...retrying,
      },
      mutations: { retry: false },
    },
    queryCache: queries,
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => {
        if (isFault(error, 'signedOut')) return signedOut()
        if (!mutation.meta?.quiet) announce(error.message || '操作失败')
      },
    }),
  })
}
