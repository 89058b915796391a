import { z } from 'zod'
import type { PlanParts } from '#contract/activity/there.ts'
import type { StepHooks } from '../audience-platform.ts'
import { idNumber } from '../lossless-json.ts'
import { ALWAYS, type PlanSession } from '../plan-platform.ts'
import { goneMeansRefused, lastSecondThere, mustSucceed } from '../video/plan-items.ts'
import type { VideoWire } from '../video/wire.ts'
import { adName, audienceOf, PATH } from './plan-creation.ts'

/** What an update takes of a plan's setting. The other fields are fixed with it. */
const SETTING = [
  ...['budget', 'cpa_bid', 'roi_goal', 'deep_external_action', 'deep_bid_type', 'video_schedule_type'],
  ...['live_schedule_type', 'start_time', 'end_time', 'schedule_time', 'schedule_fixed_range', 'product_new_open'],
  'qcpx_mode',
]
const CREATIVES = [
  ...['creative_material_mode', 'creative_list', 'programmatic_creative_media_list'],
  ...['programmatic_creative_title_list', 'programmatic_creative_card', 'first_industry_id', 'second_industry_id'],
  ...['third_industry_id', 'ad_keywords', 'is_homepage_hide'],
]
/** Fields that hold ids, which were read as text where a number would lose digits. */
const ID = /(_ids?|_words|_categories|_accounts|^city|^retargeting_tags_.*)$/
const LONG_NUMBER = /^[1-9]\d{15,18}$/

const Detail = z.looseObject({
  name: z.string().nullish(),
  delivery_setting: z.record(z.string(), z.unknown()),
  audience: z.record(z.string(), z.unknown()).nullish(),
})
const Updated = z.object({ error_list: z.array(z.object({ error_message: z.string().nullish() })).nullish() })
const Changed = z.object({ errors: z.array(z.object({ error_message: z.string().nullish() })).nullish() })

const picked = (object: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (object[name] == null ? [] : [[name, object[name]]])))

/** What was read, as it is written again: ids are numbers. */
function writable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => writable(one, name))
  if (typeof value === 'string') return ID.test(name) && LONG_NUMBER.test(value) ? idNumber(value) : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, writable(one, key)]))
}

/** Writes parts of a plan. An update replaces the whole plan, so that what it had is read and sent along. */
export const commerceUpdate =
  (wire: VideoWire) =>
  async (account: PlanSession, plan_id: string, parts: Partial<PlanParts>, on: StepHooks): Promise<void> => {
    const about = { advertiser_id: idNumber(account.external_id) }
    const { title, targeting, end, hours } = parts
    if (title !== undefined || targeting !== undefined) {
      const query = { ...about, ad_id: idNumber(plan_id) }
      const had = await wire.get(Detail, { account, on, path: `${PATH}/detail/get/`, query })
      const name = title && adName(title)
      // The name that it has is refused.
      const isRenamed = name !== undefined && name !== had.name
      if (isRenamed || targeting !== undefined) {
        const json = {
          ...{ ...about, ad_id: idNumber(plan_id) },
          ...(isRenamed && { name }),
          delivery_setting: picked(had.delivery_setting, SETTING),
          audience: targeting === undefined ? (writable(had.audience ?? {}) as object) : audienceOf(targeting),
          ...(writable(picked(had, CREATIVES)) as object),
        }
        const updating = wire.post(Updated, { account, on, path: `${PATH}/update/`, body: { json } })
        mustSucceed({ errors: (await goneMeansRefused(updating)).error_list })
      }
    }
    if (end !== undefined) {
      const schedule =
        end === null
          ? { schedule_type: 'SCHEDULE_FROM_NOW' }
          : { schedule_type: 'SCHEDULE_START_END', end_time: lastSecondThere(end) }
      const json = { ...about, ad_ids: [idNumber(plan_id)], ...schedule }
      mustSucceed(await wire.post(Changed, { account, on, path: `${PATH}/schedule_date/update/`, body: { json } }))
    }
    if (hours !== undefined) {
      const json = { ...about, ad_ids: [idNumber(plan_id)], schedule_time: hours ?? ALWAYS }
      mustSucceed(await wire.post(Changed, { account, on, path: `${PATH}/schedule_time/update/`, body: { json } }))
    }
  }
