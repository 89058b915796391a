import { type ReactNode, useState } from 'react'
import { later } from '../../components/later.tsx'
import type { Held } from './ControlDialog.tsx'

const ControlDialog = later(() => import('./ControlDialog.tsx').then((file) => file.ControlDialog))

/** Opens the dialog that sets a crowd's control group. */
export function useControlDialog(): { openControl: (crowd: Held) => void; controlDialog: ReactNode } {
  const [crowd, setCrowd] = useState<Held | null>(null)
  return {
    openControl: setCrowd,
    controlDialog: crowd && <ControlDialog crowd={crowd} onClose={() => setCrowd(null)} />,
  }
}
