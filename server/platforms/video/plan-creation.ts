import { z } from 'zod'
import type { VideoCreation } from '#contract/activity/creation.ts'
import type { PlanParts, PlanTargeting, WantedPlan } from '#contract/activity/there.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import { type PlanCreating, planName } from '../plan-platform.ts'
import type { AdminInfo } from './admin-info.ts'
import { rowsOf } from './dictionary-rows.ts'
import { contentOfTargeting, REGION } from './package-content.ts'
import { updateOf, wireOf } from './package-wire.ts'
import { goneMeansRefused, yuanOf } from './plan-items.ts'
import type { VideoWire } from './wire.ts'

/**
 * What stands in every project that is created here: leads on the platform's own page, shown wherever it delivers. Put
 * together from the rules of the fields; that the platform takes it as a whole is unconfirmed.
 */
const FIXED = {
  operation: 'DISABLE',
  landing_type: 'LINK',
  marketing_goal: 'VIDEO_AND_IMAGE',
  ad_type: 'ALL',
  delivery_mode: 'MANUAL',
  asset_type: 'ORANGE',
  delivery_range: { inventory_catalog: 'UNIVERSAL_SMART' },
} as const
/** In manual delivery each unit has its own bid. */
const BID_TYPE = 'CUSTOM'
const PRICING: Record<VideoCreation['external_action'], string> = {
  AD_CONVERT_TYPE_FORM: 'PRICING_OCPM',
  AD_CONVERT_TYPE_CLICK_NUM: 'PRICING_CPC',
  AD_CONVERT_TYPE_SHOW_OFF_NUM: 'PRICING_CPM',
}
export const DAY = 'BUDGET_MODE_DAY'
export const INFINITE = 'BUDGET_MODE_INFINITE'
/** Two Latin letters count as one, so that no text of so many characters is longer. */
const NAME = { max: 50, unit: 'characters' } as const
/**
 * Names may be taken twice and there is no key, so a creation without an answer must be seen in the list before it is
 * repeated. How late the list may be is not published.
 */
const LISTED_WITHIN_S = 30

const Made = z.object({ project_id: WireId })
const Found = z.object({ list: rowsOf(z.object({ project_id: WireId, name: z.string() })) })

export const projectName = (title: PlanParts['title']): string => planName(title, NAME)

/** A project's `audience`: the package by its id where it stands alone, otherwise all that is restricted. */
export async function audienceOf(
  admin: AdminInfo,
  account: AccountSession,
  { package: own, package_id, include, exclude }: PlanTargeting,
  isUpdate: boolean,
  on: StepHooks,
): Promise<Record<string, unknown>> {
  // Beside a package nothing else counts.
  if (package_id !== null && include.length + exclude.length === 0) {
    return { audience_package_id: idNumber(package_id) }
  }
  const targeting = (own ?? {}) as FiveTabTargeting
  const { landing_type: _, ...content } = contentOfTargeting({
    ...targeting,
    retargeting_tags_include: [...(targeting.retargeting_tags_include ?? []), ...include],
    retargeting_tags_exclude: [...(targeting.retargeting_tags_exclude ?? []), ...exclude],
  })
  const written = isUpdate ? updateOf(content, targeting) : wireOf(content, targeting)
  const { retargeting_tags, ...fields } = written
  return {
    ...fields,
    ...(retargeting_tags !== undefined && { retargeting_tags_include: retargeting_tags }),
    ...(content.district === REGION && { region_version: await admin.regionVersion(account, on) }),
    // A project that had a package keeps it unless it is cleared.
    ...(isUpdate && { audience_package_id: 0 }),
  }
}

/** Creates projects, without a unit, which needs materials and is added on the platform. */
export function videoCreating(wire: VideoWire, admin: AdminInfo): PlanCreating {
  const bodyOf = async (account: AccountSession, wanted: WantedPlan, on: StepHooks) => {
    const { title, start, end, hours, budget, targeting } = wanted
    // The rules of plans keep the choices of other platforms away.
    const { external_action } = wanted.creation as VideoCreation
    return {
      advertiser_id: idNumber(account.external_id),
      name: projectName(title),
      ...FIXED,
      optimize_goal: { external_action },
      delivery_setting: {
        ...{ bid_type: BID_TYPE, pricing: PRICING[external_action] },
        ...(budget.fen === null ? { budget_mode: INFINITE } : { budget_mode: DAY, budget: yuanOf(budget.fen) }),
        ...(end === null
          ? { schedule_type: 'SCHEDULE_FROM_NOW' }
          : { schedule_type: 'SCHEDULE_START_END', start_time: start, end_time: end }),
        ...(hours !== null && { schedule_time: hours }),
      },
      audience: await audienceOf(admin, account, targeting, false, on),
    }
  }

  return {
    listedWithin: LISTED_WITHIN_S,

    async find(account, { title }, on) {
      // The list looks for a part of the name, so the whole is compared here.
      const query = {
        ...{ advertiser_id: idNumber(account.external_id), filtering: { name: title.mark }, page: 1, page_size: 100 },
      }
      const { list } = await wire.get(Found, { account, on, path: 'v3.0/project/list/', query })
      return list.find(({ name }) => name.endsWith(`_${title.mark}`))?.project_id ?? null
    },

    async make(account, wanted, on) {
      const json = await bodyOf(account, wanted, on)
      const made = wire.post(Made, { account, on, path: 'v3.0/project/create/', body: { json } })
      return (await goneMeansRefused(made)).project_id
    },
  }
}
