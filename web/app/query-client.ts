import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { getViewer } from '#contract/viewer.ts'
import { type CallError, isFault, UNREACHED } from '../lib/call.ts'
import { queryOf } from '../lib/query.ts'
import { isShownInPlace } from '../lib/shown-errors.ts'

interface Announcements {
  announce(msg: string): void
  /** A session that was there has ended, or there was none. */
  onSignedOut(hadSession: boolean): void
}

/** A page gets this long to show a failed query in place before a popup says it instead. */
const IN_PLACE_MS = 80

/** Calls that did not arrive are tried again; an answer, even a refusal, is final. */
const isWorthRetrying = (error: CallError) => error.code === UNREACHED && (error.status === 0 || error.status >= 502)

/** The one place where failures are told to the viewer, each of them once. */
export function createQueryClient({ announce, onSignedOut }: Announcements) {
  const signedOut = () => onSignedOut(queries.find({ queryKey: queryOf(getViewer).queryKey })?.state.data !== undefined)
  const queries: QueryCache = new QueryCache({
    onError: (error, query) => {
      if (isFault(error, 'signedOut')) return signedOut()
      if (query.meta?.quiet) return
      setTimeout(() => {
        if (!isShownInPlace(error)) announce(error.message)
      }, IN_PLACE_MS)
    },
  })
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 1 && isWorthRetrying(error),
        retryDelay: 600,
      },
      mutations: { retry: false },
    },
    queryCache: queries,
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => {
        if (isFault(error, 'signedOut')) return signedOut()
        if (!mutation.meta?.quiet) announce(error.message)
      },
    }),
  })
}
