import { createContext, use } from 'react'
import type { DataOf } from '#contract/endpoint.ts'
import type { getConsole } from '#contract/viewer.ts'

/** The deployment: saas or rps, its time zone and version. */
export type Edition = DataOf<typeof getConsole>

export const EditionContext = createContext<Edition | null>(null)

export function useEdition(): Edition & { isSaas: boolean } {
  const edition = use(EditionContext)
  if (!edition) throw new Error('useEdition is called outside of the Edition provider')
  return { ...edition, isSaas: edition.deployment === 'saas' }
}
