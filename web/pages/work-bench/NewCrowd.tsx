import { useState } from 'react'
import { useFocusBack } from '../../components/use-focus-back.ts'
import type { CrowdTarget, MadeCrowd } from '../../features/activity/workbench/new-crowd.ts'
import { NewCrowdDrawer } from './NewCrowdDrawer.tsx'
import { PushNewCrowd } from './PushNewCrowd.tsx'

/** A rule crowd for a plan: the rule editor in a drawer, then the push of what was saved to the plan's account. */
export function NewCrowd(props: {
  advId: number
  target: CrowdTarget
  /** Gives the crowd's audience on the account. */
  onMade: (audience: MadeCrowd) => void
  onClose: () => void
}) {
  const { advId, target, onMade, onClose } = props
  useFocusBack()
  const [saved, setSaved] = useState<MadeCrowd | null>(null)
  if (saved === null) return <NewCrowdDrawer advId={advId} onSaved={setSaved} onClose={onClose} />
  return <PushNewCrowd advId={advId} crowd={saved} target={target} onPushed={onMade} onClose={onClose} />
}
