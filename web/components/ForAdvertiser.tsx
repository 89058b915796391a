import { type ReactNode, use, useMemo } from 'react'
import { MembershipContext } from '../lib/read-only.ts'

/** What is shown within belongs to this advertiser, whichever the top bar names; undefined: to that of the top bar. */
export function ForAdvertiser({ advId, children }: { advId: number | undefined; children: ReactNode }) {
  const outer = use(MembershipContext)
  const within = useMemo(() => (advId === undefined ? outer : { ...outer, current: advId }), [outer, advId])
  return <MembershipContext value={within}>{children}</MembershipContext>
}
