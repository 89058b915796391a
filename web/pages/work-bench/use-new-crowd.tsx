import { type ReactNode, useCallback, useState } from 'react'
import { later } from '../../components/later.tsx'
import type { CrowdTarget, MadeCrowd, MakeCrowd } from '../../features/activity/workbench/new-crowd.ts'

const NewCrowd = later(() => import('./NewCrowd.tsx').then((file) => file.NewCrowd))

/** Making a rule crowd for a plan, over the workbench. */
export function useNewCrowd(advId: number): { makeCrowd: MakeCrowd; newCrowd: ReactNode } {
  const [making, setMaking] = useState<{ target: CrowdTarget; onMade: (crowd: MadeCrowd) => void } | null>(null)
  const close = () => setMaking(null)
  return {
    makeCrowd: useCallback<MakeCrowd>((target, onMade) => setMaking({ target, onMade }), []),
    newCrowd: making && (
      <NewCrowd
        advId={advId}
        target={making.target}
        onMade={(crowd) => {
          close()
          making.onMade(crowd)
        }}
        onClose={close}
      />
    ),
  }
}
