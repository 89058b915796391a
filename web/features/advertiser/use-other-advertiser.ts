import { useEdition } from '../../lib/edition.ts'
import { useAdvertiser } from './advertiser-context.tsx'

/** Says the name of the advertiser in the top bar, where it is another one than the owner of a thing; else null. */
export function useOtherAdvertiser() {
  const { isSaas } = useEdition()
  const { advertiser } = useAdvertiser()
  return (owner_id: number): string | null =>
    isSaas && advertiser !== null && advertiser.id !== owner_id ? advertiser.name : null
}
