import { createContext, use } from 'react'
import type { z } from 'zod'
import type { Viewer as ViewerSchema } from '#contract/viewer.ts'

export type Viewer = z.infer<typeof ViewerSchema>

export const ViewerContext = createContext<Viewer | null>(null)

/** The signed-in viewer. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (!viewer) throw new Error('useViewer is called outside of the frame')
  return viewer
}
