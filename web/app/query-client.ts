import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { getViewer } from '#contract/viewer.ts'
import { isFault } from '../lib/call.ts'
import { queryOf } from '../lib/query.ts'
import { isOutage, retrying } from '../lib/retry.ts'
import { isShownInPlace } from '../lib/shown-errors.ts'

interface Announcements {
  announce(msg: string): void
  /** A session that was there has ended, or there was none. */
  onSignedOut(hadSession: boolean): void
}

/** A page gets this long to show a failed query in place before a popup says it instead. */
const IN_PLACE_MS = 80

/** The one place where failures are told to the viewer, each of them once. */
export function createQueryClient({ announce, onSignedOut }: Announcements) {
  const signedOut = () => onSignedOut(queries.find({ queryKey: queryOf(getViewer).queryKey })?.state.data !== undefined)
  /** Every query of the page meets an outage; one popup says it. */
  let isOutageTold = false
  const queries: QueryCache = new QueryCache({
    onError: (error, query) => {
      if (isFault(error, 'signedOut')) return signedOut()
      if (query.meta?.quiet) return
      if (isOutage(error)) {
        if (isOutageTold) return
        isOutageTold = true
      }
      setTimeout(() => {
        if (!isShownInPlace(error)) announce(error.message)
      }, IN_PLACE_MS)
    },
    onSuccess: () => {
      isOutageTold = false
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
        if (!mutation.meta?.quiet) announce(error.message)
      },
    }),
  })
}
