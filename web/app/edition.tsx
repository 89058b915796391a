import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getConsole } from '#contract/viewer.ts'
import { LoadError } from '../components/LoadError.tsx'
import { EditionContext } from '../lib/edition.ts'
import { queryOf } from '../lib/query.ts'
import { setZone } from '../lib/zone.ts'

/** Fetches once what deployment this is. Nothing is drawn before, since dates and fields depend on it. */
export function EditionProvider({ children }: { children: ReactNode }) {
  const edition = useQuery({ ...queryOf(getConsole), staleTime: Number.POSITIVE_INFINITY, meta: { inPlace: true } })
  if (edition.error) return <LoadError error={edition.error} onRetry={edition.refetch} fullPage />
  if (!edition.data) return null
  setZone(edition.data.timezone)
  return <EditionContext value={edition.data}>{children}</EditionContext>
}
