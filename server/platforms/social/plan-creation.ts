import { z } from 'zod'
import type { SocialCreation } from '#contract/activity/creation.ts'
import type { PlanTargeting, WantedPlan } from '#contract/activity/there.ts'
import { outcome } from '#contract/outcome.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { PlatformFault, type StepHooks } from '../audience-platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import { ALWAYS, type PlanCreating, type PlanSession, planName } from '../plan-platform.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import { plain } from './plain.ts'
import { requestIdOf } from './request-id.ts'
import { targetingObject } from './targeting-object.ts'
import type { SocialWire } from './wire.ts'

/**
 * What stands in every plan that is created here. Put together from the rules of the fields, not from an example of the
 * platform; whether a page may be left without its details, and whether places must be named, is unconfirmed.
 */
const FIXED = {
  marketing_carrier_type: 'MARKETING_CARRIER_TYPE_JUMP_PAGE',
  automatic_site_enabled: true,
  bid_mode: 'BID_MODE_OCPM',
  configured_status: 'AD_STATUS_SUSPEND',
} as const
/** A plan without an end. The field may be empty; that it then has no end is unconfirmed. */
export const OPEN_END = ''
/** 180 bytes and 60 full-width characters, where a Latin letter is half of one; no text of so many bytes is longer. */
const NAME = { max: 120, unit: 'bytes' } as const
/** Names are unique, and a plan is listed once its creation has answered; an answer that was lost takes no longer. */
const LISTED_WITHIN_S = 2

const Made = z.object({ adgroup_id: WireId })
const Found = z.object({ list: rowsOf(z.object({ adgroup_id: WireId, adgroup_name: z.string() })) })

export const adgroupName = (title: WantedPlan['title'] | { name: string; mark: null }): string =>
  plain(planName(title, NAME))

/** Who changes a plan; the platform refuses changes by nobody. */
export function operatorOf({ user_token }: PlanSession): { user_token: string } {
  if (user_token === null) throw new PlatformFault('refused', outcome('plan_operator_missing'))
  return { user_token }
}

/** The platform's `targeting` of a plan: its current generation has no packages, so all of it is sent. */
export function targetingOf({ package: own, include, exclude }: PlanTargeting): Record<string, unknown> {
  const targeting = (own ?? {}) as SocialTargeting
  const all = (ids: readonly string[] | null | undefined, more: readonly string[]) => [
    ...new Set([...(ids ?? []), ...more]),
  ]
  return targetingObject(
    {
      ...targeting,
      custom_audience: all(targeting.custom_audience, include),
      excluded_custom_audience: all(targeting.excluded_custom_audience, exclude),
    },
    'v3.0',
  )
}

/** Creates ad groups, without a creative, which is added on the platform. */
export function socialCreating(wire: SocialWire): PlanCreating {
  const bodyOf = ({ external_id }: PlanSession, wanted: WantedPlan) => {
    const { title, start, end, hours, budget, targeting } = wanted
    // The rules of plans keep the choices of other platforms away.
    const { kind: _, marketing_asset_id, bid, ...creation } = wanted.creation as SocialCreation
    return {
      account_id: idNumber(external_id),
      adgroup_name: adgroupName(title),
      ...{ ...FIXED, ...creation },
      ...(marketing_asset_id !== null && { marketing_asset_id: idNumber(marketing_asset_id) }),
      ...(bid !== null && { bid_amount: bid }),
      begin_date: start,
      end_date: end ?? OPEN_END,
      time_series: hours ?? ALWAYS,
      daily_budget: budget.fen ?? 0,
      targeting: targetingOf(targeting),
    }
  }

  return {
    listedWithin: LISTED_WITHIN_S,

    async find(account: PlanSession, { title }: WantedPlan, on: StepHooks) {
      const name = adgroupName(title)
      const query = {
        account_id: account.external_id,
        filtering: [{ field: 'adgroup_name', operator: 'EQUALS', values: [name] }],
        ...{ fields: ['adgroup_id', 'adgroup_name'], page: 1, page_size: 10 },
      }
      const { list } = await wire.get(Found, { account, on, path: 'adgroups/get', query })
      return list.find(({ adgroup_name }) => adgroup_name === name)?.adgroup_id ?? null
    },

    async make(account, wanted, on) {
      const json = bodyOf(account, wanted)
      const { adgroup_id } = await wire.post(Made, {
        ...{ account, on, path: 'adgroups/add', query: operatorOf(account), body: { json } },
        ...{ requestId: requestIdOf(wanted.key, json), isIdKept: true },
      })
      return adgroup_id
    },
  }
}
