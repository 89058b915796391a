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

/** A page shows a first load's failure in place of the data; data already shown stays, so a failed refetch is announced. */
const isShownInPlace = (query: Query<unknown, unknown>) =>
  query.state.data === undefined && query.observers.some(({ options }) => options.meta?.inPlace)

/** Announces each failure once, unless the page shows it or the caller handles it (`meta`). */
export function createQueryClient({ announce, onSignedOut }: Announcements) {
  const signedOut = () => onSignedOut(queries.find({ queryKey: queryOf(getViewer).queryKey })?.state.data !== undefined)
  /** An outage fails every query of the page; it is shown once. */
  let isOutageShown = false
  const queries: QueryCache = new QueryCache({
    onError: (error, query) => {
      if (isFault(error, 'signedOut')) return signedOut()
      if (query.meta?.silent) {
        // The next poll, or the caller, says the others.
        if (query.meta.silent === 'optional') console.warn(`[renqun] ${query.queryKey[0]}`, error)
        return
      }
      if (isOutage(error)) {
        if (isOutageShown) return
        isOutageShown = true
      }
      if (isShownInPlace(query)) console.warn(`[renqun] ${query.queryKey[0]}`, error)
      else announce(error.message || '请求失败')
    },
    onSuccess: () => {
      isOutageShown = false
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
