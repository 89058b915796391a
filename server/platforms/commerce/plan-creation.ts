import { z } from 'zod'
import type { CommerceCreation } from '#contract/activity/creation.ts'
import type { PlanParts, PlanTargeting, WantedPlan } from '#contract/activity/there.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import type { AccountSession } from '../audience-platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import { type PlanCreating, planName } from '../plan-platform.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import { goneMeansRefused, yuanOf } from '../video/plan-items.ts'
import type { VideoWire } from '../video/wire.ts'
import { audienceObject } from './audience-object.ts'

export const PATH = 'v1.0/qianchuan/ad'
/** Live rooms alone: plans for products need creatives. That a live room needs none is unconfirmed. */
const GOAL = 'LIVE_PROM_GOODS'
const FIXED = { marketing_goal: GOAL, marketing_scene: 'FEED' } as const
/** 50 Chinese characters, of which no more than 30 can be looked for. */
const NAME = { max: 30, unit: 'characters' } as const
/** Names are unique, so that a creation that comes late is refused; how late the list may be is not published. */
const LISTED_WITHIN_S = 5

const Made = z.object({ ad_id: WireId })
const Found = z.object({ list: rowsOf(z.object({ ad_id: WireId, name: z.string().nullish() })) })

export const adName = (title: PlanParts['title']): string => planName(title, NAME)

/**
 * A plan's `audience`: a package that was made on the platform by its id, ours with all that they restrict. None of our
 * crowds are there.
 */
export const audienceOf = ({ package: own, package_id }: PlanTargeting): Record<string, unknown> =>
  package_id === null ? audienceObject((own ?? {}) as FiveTabTargeting) : { orientation_id: idNumber(package_id) }

/** How a plan's dates are written at its creation. */
function scheduleOf({ start, end, hours }: WantedPlan): Record<string, unknown> {
  return {
    ...(end === null
      ? { live_schedule_type: 'SCHEDULE_FROM_NOW' }
      : { live_schedule_type: 'SCHEDULE_START_END', start_time: start, end_time: end }),
    ...(hours !== null && { schedule_time: hours }),
  }
}

/** Creates plans for live rooms. The platform creates them switched on: whoever wants one off switches it afterwards. */
export function commerceCreating(wire: VideoWire): PlanCreating {
  const bodyOf = (account: AccountSession, wanted: WantedPlan) => {
    const { title, budget, targeting } = wanted
    // The rules of plans keep the choices of other platforms away.
    const { aweme_id, bid, external_action, smart_bid_type } = wanted.creation as CommerceCreation
    return {
      advertiser_id: idNumber(account.external_id),
      name: adName(title),
      ...FIXED,
      ...(aweme_id !== null && { aweme_id: idNumber(aweme_id) }),
      delivery_setting: {
        ...{ smart_bid_type, external_action },
        budget_mode: budget.mode === 'total' ? 'BUDGET_MODE_TOTAL' : 'BUDGET_MODE_DAY',
        budget: yuanOf(budget.fen ?? 0),
        ...(bid !== null && { cpa_bid: yuanOf(bid) }),
        ...scheduleOf(wanted),
      },
      audience: audienceOf(targeting),
    }
  }

  return {
    listedWithin: LISTED_WITHIN_S,

    async find(account, { title }, on) {
      const name = adName(title)
      const filtering = { marketing_goal: GOAL, marketing_scene: 'ALL', status: 'ALL', ad_name: name }
      const query = { advertiser_id: idNumber(account.external_id), filtering, page: 1, page_size: 100 }
      const { list } = await wire.get(Found, { account, on, path: `${PATH}/get/`, query })
      return list.find((one) => one.name === name)?.ad_id ?? null
    },

    async make(account, wanted, on) {
      const json = bodyOf(account, wanted)
      const made = wire.post(Made, { account, on, path: `${PATH}/create/`, body: { json } })
      return (await goneMeansRefused(made)).ad_id
    },
  }
}
