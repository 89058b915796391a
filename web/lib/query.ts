import { queryOptions, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { DataOf, Endpoint, InputOf } from '#contract/endpoint.ts'
import { type CallError, call } from './call.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError
    /**
     * inPlace: the page shows a failure where the data would stand; always: also beside data that could not be fetched
     * again. silent: a failure is not shown, since the page is complete without the data (optional), the next poll
     * repeats it (polled), or the caller shows it (caller).
     */
    queryMeta: { inPlace?: boolean | 'always'; silent?: 'optional' | 'polled' | 'caller' }
    /** quiet: the caller shows a failure. */
    mutationMeta: { quiet?: boolean }
  }
}

/** First part of the key of every query of an endpoint. */
export const keyOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

/** What `useQuery` wants for a call; spread it to add options: `useQuery({...queryOf(listTags, input), meta: {inPlace: true}})`. */
export const queryOf = <E extends Endpoint>(
  endpoint: E,
  ...[input]: Record<never, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]
) =>
  queryOptions<DataOf<E>, CallError>({
    queryKey: [keyOf(endpoint), input ?? {}],
    queryFn: ({ signal }) => call<E>(endpoint, input, { signal }),
  })

/** A call that changes something. On success the queries of the `stale` endpoints are fetched again. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  stale: readonly Endpoint[] = [],
  options: Omit<UseMutationOptions<DataOf<E>, CallError, InputOf<E>>, 'mutationFn'> = {},
) {
  const client = useQueryClient()
  return useMutation<DataOf<E>, CallError, InputOf<E>>({
    ...options,
    mutationFn: (input) => call<E>(endpoint, input),
    onSuccess: async (...args) => {
      await Promise.all(stale.map((one) => client.invalidateQueries({ queryKey: [keyOf(one)] })))
      await options.onSuccess?.(...args)
    },
  })
}
