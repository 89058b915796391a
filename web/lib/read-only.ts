import { createContext, use } from 'react'
import { FAULTS } from '#contract/errors.ts'

/**
 * Whose things an action changes: an advertiser's id; `current`, those of the advertiser in the top bar; `shared`,
 * things of all advertisers, such as folders.
 */
export type Changes = number | 'current' | 'shared'

interface Memberships {
  /** The advertisers of which the viewer may only look. */
  readOnlyIds: readonly number[]
  /** The advertiser in the top bar. */
  current: number | undefined
  /** They may change nothing of any advertiser. */
  isReader: boolean
}

/** Without a provider nothing is refused: the server decides. */
export const MembershipContext = createContext<Memberships>({ readOnlyIds: [], current: undefined, isReader: false })

/** Why the viewer may not change something; null if their membership lets them. The server refuses by the same rule. */
export function useReadOnly(): (changes: Changes | undefined) => string | null {
  const { readOnlyIds, current, isReader } = use(MembershipContext)
  return (changes) => {
    if (changes === undefined) return null
    if (changes === 'shared') return isReader ? FAULTS.readOnly.msg : null
    const adv_id = changes === 'current' ? current : changes
    return adv_id !== undefined && readOnlyIds.includes(adv_id) ? FAULTS.readOnly.msg : null
  }
}
