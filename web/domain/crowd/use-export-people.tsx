import { type ReactNode, useState } from 'react'
import { later } from '../../components/later.tsx'

const ExportPeopleDialog = later(() => import('./ExportPeopleDialog.tsx').then((file) => file.ExportPeopleDialog))

interface Crowd {
  id: number
  name: string
}

/** Opens the dialog that exports a crowd's people. */
export function useExportPeople(): { exportPeople: (crowd: Crowd) => void; exportDialog: ReactNode } {
  const [crowd, setCrowd] = useState<Crowd | null>(null)
  return {
    exportPeople: ({ id, name }) => setCrowd({ id, name }),
    exportDialog: crowd && <ExportPeopleDialog crowd={crowd} onClose={() => setCrowd(null)} />,
  }
}
