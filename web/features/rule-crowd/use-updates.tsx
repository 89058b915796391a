import { type ReactNode, useState } from 'react'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { later } from '../../components/later.tsx'

const UpdatesDialog = later(() => import('./UpdatesDialog.tsx').then((file) => file.UpdatesDialog))

/** Opens the dialog that says when a crowd is updated and which of its changes are told. */
export function useUpdates(): { updates: (crowd: RuleCrowd) => void; updatesDialog: ReactNode } {
  const [crowd, setCrowd] = useState<RuleCrowd | null>(null)
  return {
    updates: setCrowd,
    updatesDialog: crowd && <UpdatesDialog crowd={crowd} onClose={() => setCrowd(null)} />,
  }
}
