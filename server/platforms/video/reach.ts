import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { PlatformFault } from '../audience-platform.ts'
import { idNumber, WireCount } from '../lossless-json.ts'
import type { ReachOf } from '../targeting-platform.ts'
import type { AdminInfo } from './admin-info.ts'
import { estimateQuery } from './estimate-query.ts'
import { contentOfTargeting, REGION, type VideoContent } from './package-content.ts'
import { wireOf } from './package-wire.ts'
import type { VideoWire } from './wire.ts'

/** Bands of the coarser set, which estimates take alone, with those of the finer set that make them up. */
const BANDS: Readonly<Record<string, readonly string[]>> = {
  AGE_BETWEEN_18_23: ['AGE_BETWEEN_18_19', 'AGE_BETWEEN_20_23'],
  AGE_BETWEEN_24_30: ['AGE_BETWEEN_24_30'],
  AGE_BETWEEN_31_40: ['AGE_BETWEEN_31_35', 'AGE_BETWEEN_36_40'],
}
/** 41 to 49 and 50 and above end at other ages than the finer bands, but together they are the same. */
const ELDER = ['AGE_BETWEEN_41_49', 'AGE_ABOVE_50']
const FINE_ELDER = ['AGE_BETWEEN_41_45', 'AGE_BETWEEN_46_50', 'AGE_BETWEEN_51_55', 'AGE_BETWEEN_56_59', 'AGE_ABOVE_60']
const COARSE = [...Object.keys(BANDS), ...ELDER]

/** The coarser bands of the same ages. Fault 'refused' where there are none. */
export function estimatedAges(ages: readonly string[]): string[] {
  if (ages.every((age) => COARSE.includes(age))) return [...ages]
  const whole = Object.keys(BANDS).filter((band) => BANDS[band]?.every((fine) => ages.includes(fine)))
  const elder = FINE_ELDER.every((fine) => ages.includes(fine)) ? ELDER : []
  const covered = [...whole.flatMap((band) => BANDS[band] ?? []), ...(elder.length > 0 ? FINE_ELDER : [])]
  if (ages.some((age) => !covered.includes(age))) {
    throw new PlatformFault('refused', outcome('estimate_unavailable', { field: 'age' }))
  }
  return [...whole, ...elder]
}

/** Landing types of ads that 抖音 alone shows. */
const OF_AWEME: readonly (string | null | undefined)[] = ['AWEME', 'LIVE']
const AppReach = z
  .object({ num: WireCount.catch(0) })
  .nullish()
  .catch(null)
const Reach = z.record(z.string(), AppReach)

/**
 * One number for an estimate, which the platform gives app by app and without a total: that of 抖音 for what only 抖音
 * shows, otherwise the largest, since a sum would count people twice.
 */
export function reachOfApps(apps: z.output<typeof Reach>, landing_type: FiveTabTargeting['landing_type']): number {
  if (OF_AWEME.includes(landing_type)) return apps.aweme?.num ?? 0
  return Math.max(0, ...Object.values(apps).map((app) => app?.num ?? 0))
}

/** The query's fields, whose names differ in part from those that packages are written with. */
function fieldsOf(content: VideoContent, targeting: FiveTabTargeting, city: readonly string[]) {
  const {
    retargeting_tags,
    auto_extend_targets: _targets,
    // Estimates know no version.
    harmony_osv: _version,
    ...fields
  } = wireOf({ ...content, ...(content.district === REGION && { city: [...city] }) }, targeting)
  return {
    ...fields,
    ...(content.age && { age: estimatedAges(content.age) }),
    ...(retargeting_tags !== undefined && { retargeting_tags_include: retargeting_tags }),
  }
}

/** Asks the platform how many people a targeting covers. */
export const videoReach =
  (wire: VideoWire, admin: AdminInfo): ReachOf<FiveTabTargeting> =>
  async (account, targeting, _goals, on) => {
    const content = contentOfTargeting(targeting)
    const region_version = content.district === REGION ? await admin.regionVersion(account, on) : null
    const query = await estimateQuery(
      content.city ?? [],
      (city) => ({
        advertiser_id: idNumber(account.external_id),
        ...fieldsOf(content, targeting, city),
        ...(region_version !== null && { region_version }),
      }),
      () => admin.knownRegions(account, on),
    )
    const apps = await wire.get(Reach, { account, on, path: '2/tools/estimate_audience/', query })
    return reachOfApps(apps, targeting.landing_type)
  }
