import { useQuery } from '@tanstack/react-query'
import { labelOf } from '#contract/targeting/five-tab/labels.ts'
import { codesOf, fiveTabPlatform } from '#contract/targeting/five-tab/platforms.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { listLandingTypes } from '#contract/targeting-package.ts'
import { queryOf } from '../../lib/query.ts'

interface LandingType {
  value: string
  label: string
}

/** The package types of a platform, as the server offers them; until it has answered, those known here. */
export function useLandingTypes(platform: PackageCode): readonly LandingType[] {
  const editor = fiveTabPlatform(platform)
  const { data } = useQuery({
    ...queryOf(listLandingTypes, { query: { platform } }),
    enabled: editor !== null,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: 'optional' },
  })
  if (editor === null) return []
  return data ?? codesOf(editor, 'landing_type').map((value) => ({ value, label: labelOf('landing_type', value) }))
}
