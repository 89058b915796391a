import { type ReactNode, useMemo } from 'react'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { useViewer } from '../../features/viewer/viewer-context.ts'
import { MembershipContext } from '../../lib/read-only.ts'

/** Tells every page what the viewer's memberships let them change. */
export function MembershipProvider({ children }: { children: ReactNode }) {
  const { read_only_adv_ids } = useViewer()
  const { advertisers, advId } = useAdvertiser()
  const memberships = useMemo(
    () => ({
      readOnlyIds: read_only_adv_ids,
      current: advId,
      isReader: read_only_adv_ids.length > 0 && advertisers.every(({ id }) => read_only_adv_ids.includes(id)),
    }),
    [read_only_adv_ids, advertisers, advId],
  )
  return <MembershipContext value={memberships}>{children}</MembershipContext>
}
