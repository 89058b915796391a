import { useReadOnly } from '../../lib/read-only.ts'

/** Why the viewer may not make a package, new or copied from the advertiser's; null if they may. */
export function useMakingRefusal(): (advId?: number) => string | null {
  const readOnly = useReadOnly()
  return (advId) => readOnly(advId ?? 'current') ?? readOnly('shared')
}
