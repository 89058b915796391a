import { createContext } from 'react'
import type { PlatformCode } from '#contract/platform.ts'

/** The platform account for which a crowd is made. */
export interface CrowdTarget {
  platform: PlatformCode
  account: { id: number; name: string }
}

/** A crowd's audience on an account, as plans choose it. */
export interface MadeCrowd {
  id: number
  name: string
}

/** Makes a rule crowd and pushes it to an account, without leaving the workbench; null where a crowd cannot be made. */
export type MakeCrowd = (target: CrowdTarget, onMade: (crowd: MadeCrowd) => void) => void
export const MakeCrowdContext = createContext<MakeCrowd | null>(null)
