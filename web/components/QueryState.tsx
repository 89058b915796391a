import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from './LoadError.tsx'
import space from './space.module.css'

interface Props<T> {
  query: { data: T | undefined; error: Error | null; isPending: boolean; refetch: () => unknown }
  /** A skeleton in the shape of the data. */
  skeleton?: ReactNode
  errorTitle?: string
  children: (data: T) => ReactNode
}

/** A query's skeleton, failure with a retry, or data. Data stays shown while it is fetched again. The query has `meta: {inPlace: true}`. */
export function QueryState<T>({ query, skeleton, errorTitle, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return <LoadError error={query.error} onRetry={query.refetch} {...(errorTitle ? { title: errorTitle } : {})} />
  return skeleton ?? <Skeleton active paragraph={{ rows: 6 }} className={space.skeleton} />
}
