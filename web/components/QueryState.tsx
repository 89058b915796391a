import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from './LoadError.tsx'

interface Props<T> {
  query: { data: T | undefined; error: Error | null; isPending: boolean; refetch: () => unknown }
  /** A skeleton in the shape of what is coming. */
  skeleton?: ReactNode
  errorTitle?: string
  children: (data: T) => ReactNode
}

/** What a query gives: its skeleton, its failure with a retry, or its data. Data once shown stays while it is asked for again. */
export function QueryState<T>({ query, skeleton, errorTitle, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return <LoadError error={query.error} onRetry={query.refetch} {...(errorTitle ? { title: errorTitle } : {})} />
  return skeleton ?? <Skeleton active paragraph={{ rows: 6 }} style={{ padding: 20 }} />
}
