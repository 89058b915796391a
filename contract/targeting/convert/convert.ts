import { fiveTabPlatform } from '../five-tab/platforms.ts'
import type { PackageCode } from '../package-codes.ts'
import { fiveTabToSocial, socialToFiveTab } from './across.ts'
import type { Conversion, CopyTarget } from './conversion.ts'
import { convertFiveTab } from './five-tab.ts'
import { convertSocial } from './social.ts'

/** What a targeting becomes on another account or platform. It can be saved there as it is. */
export function convertTargeting(
  from: PackageCode,
  targeting: Record<string, unknown>,
  to: PackageCode,
  target: CopyTarget,
): Conversion {
  const [source, goal] = [fiveTabPlatform(from), fiveTabPlatform(to)]
  // What has not the five-tab editor has the social one.
  if (source && goal) return convertFiveTab(source, targeting, goal, target)
  if (source) return fiveTabToSocial(source, targeting)
  return goal ? socialToFiveTab(targeting, goal, target) : convertSocial(targeting, target)
}
