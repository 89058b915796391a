import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { draw } from '../population/draw.ts'
import { both, type Crowd, countOf, everyone, USERS_EACH } from '../population/population.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { accountFor } from './advertisers.ts'
import { audienceMembers } from './audiences.ts'
import { Refusal, success } from './envelope.ts'
import type { Geo } from './geo.ts'
import { targetingAt } from './targeting.ts'
import { codesAt, eachAt, idAt, listAt, objectAt, textAt, wholeAt } from './values.ts'

/** Placements, and how many of the people use one on a day. */
const SITES = {
  SITE_SET_MOBILE_UNION: 0.62,
  SITE_SET_WECHAT: 0.55,
  SITE_SET_MOMENTS: 0.58,
  SITE_SET_CHANNELS: 0.44,
  SITE_SET_WECHAT_SEARCH: 0.2,
  SITE_SET_WECHAT_PLUGIN: 0.3,
  SITE_SET_TENCENT_NEWS: 0.24,
  SITE_SET_TENCENT_VIDEO: 0.31,
  SITE_SET_PCQQ: 0.11,
  SITE_SET_QBSEARCH: 0.12,
  SITE_SET_SEARCH_SCENE: 0.09,
} as const
type Site = keyof typeof SITES
const NAMES = Object.keys(SITES) as Site[]
const SITES_MOST = 32
/** In these, people are found by where they live alone. */
const WECHAT: readonly Site[] = [
  ...(['SITE_SET_WECHAT', 'SITE_SET_MOMENTS', 'SITE_SET_CHANNELS'] as const),
  ...(['SITE_SET_WECHAT_SEARCH', 'SITE_SET_WECHAT_PLUGIN'] as const),
]
const BID_MODES = ['BID_MODE_CPC', 'BID_MODE_CPM', 'BID_MODE_OCPC', 'BID_MODE_OCPM'] as const
const SCHEDULE = /^[01]{336}$/
/** Of those who use a placement on some day, this many use it every day. */
const DAILY = 0.6
const SITE_KEY = 0x5173
const SHOWN_EACH = 4
const NARROW = 500_000
const WIDE = 20_000_000
/** Fen. */
const BID = { least: 10, most: 1_000_000 }

const V3 = {
  texts: ['adgroup_name', 'marketing_goal', 'marketing_target_type', 'marketing_carrier_type'],
  objects: ['scene_spec'],
}

/** How many people a targeting would reach in a day. */
export function estimationCalls({ db, switches }: Parts): Record<string, Interface> {
  function estimate(context: Context): Answer {
    const { given, generation } = context
    const account_id = accountFor(context, 18001)
    const sites = generation === 3 ? newerFields(context) : olderFields(context)
    const targeting = targetingAt(given.json('targeting') ?? {}, 'targeting', {
      generation,
      account_id,
      isOpen: switches.now.social_restricted_targeting,
      members: (id, path) => audienceMembers(db, account_id, id, path),
    })
    checkPlaces(sites, targeting.geo)
    return success(figures(targeting.reach(), sites, generation))
  }
  return { 'POST estimation/get': { scopes: ['ads_management'], isStrict: true, act: estimate } }
}

function newerFields({ given }: Context): Site[] {
  for (const name of V3.texts) given.text(name)
  given.id('adgroup_id')
  given.boolean('automatic_site_enabled')
  given.oneOf('bid_mode', BID_MODES)
  given.number('bid_amount', BID.least, BID.most)
  goal(given.text('optimization_goal'), 'optimization_goal')
  const schedule = given.text('time_series')
  if (schedule !== undefined && !SCHEDULE.test(schedule)) throw new Refusal(31002, ['time_series'])
  const scene = given.json('scene_spec')
  if (scene !== undefined) objectAt(scene, 'scene_spec', ['display_scene'])
  return sitesAt(given.json('site_set'), 'site_set')
}

function olderFields({ given }: Context): Site[] {
  const campaign = given.json('campaign_spec')
  if (campaign !== undefined) {
    const { campaign_id, campaign_type, daily_budget } = objectAt(campaign, 'campaign_spec', [
      ...['campaign_id', 'campaign_type', 'daily_budget'],
    ])
    if (campaign_id !== undefined) idAt(campaign_id, 'campaign_spec.campaign_id')
    if (campaign_type !== undefined) textAt(campaign_type, 'campaign_spec.campaign_type', 1, 64)
    if (daily_budget !== undefined) wholeAt(daily_budget, 'campaign_spec.daily_budget', 0, 400_000_000)
  }
  const scene = given.json('scene_spec')
  if (scene !== undefined) {
    const { display_scene } = objectAt(scene, 'scene_spec', ['display_scene'])
    if (display_scene !== undefined) {
      eachAt(display_scene, 'scene_spec.display_scene', { most: 32 }, (one, at) => textAt(one, at, 1, 64))
    }
  }
  const creatives = given.json('adcreative')
  if (creatives !== undefined) {
    for (const one of listAt(creatives, 'adcreative', { most: 100 })) {
      if (typeof one !== 'object' || one === null || Array.isArray(one)) throw new Refusal(18002, ['adcreative'])
    }
  }
  const adgroup = given.json('adgroup')
  if (adgroup === undefined) return NAMES
  const { site_set, bid_amount, promoted_object_type, optimization_goal, bid_mode } = objectAt(adgroup, 'adgroup', [
    ...['site_set', 'bid_amount', 'promoted_object_type', 'optimization_goal', 'bid_mode'],
  ])
  if (bid_amount !== undefined) wholeAt(bid_amount, 'adgroup.bid_amount', BID.least, BID.most)
  if (bid_mode !== undefined) codesAt([bid_mode], 'adgroup.bid_mode', BID_MODES)
  if (promoted_object_type !== undefined) textAt(promoted_object_type, 'adgroup.promoted_object_type', 1, 64)
  if (optimization_goal !== undefined) {
    goal(textAt(optimization_goal, 'adgroup.optimization_goal', 1, 128), 'adgroup.optimization_goal')
  }
  return sitesAt(site_set, 'adgroup.site_set')
}

function goal(given: string | undefined, path: string) {
  if (given !== undefined && !/^OPTIMIZATIONGOAL_[A-Z0-9_]+$/.test(given)) throw new Refusal(18009, [path])
}
const sitesAt = (value: Json | undefined, path: string): Site[] =>
  value === undefined ? NAMES : codesAt(value, path, NAMES, SITES_MOST)

function checkPlaces(sites: readonly Site[], geo: Geo | null) {
  const isAsked = sites.length < NAMES.length
  if (!isAsked || !geo || !sites.some((site) => WECHAT.includes(site))) return
  if (geo.types.some((type) => type !== 'LIVE_IN')) throw new Refusal(31002, ['targeting.geo_location.location_types'])
}

const known = new Map<string, Crowd>()
/** The people who use one of the placements on some day, or every day. */
function usersOf(sites: readonly Site[], isDaily: boolean): Crowd {
  const name = `${isDaily} ${[...sites].sort().join()}`
  const users =
    known.get(name) ??
    everyone((person) =>
      sites.some((site) => {
        const drawn = draw(SITE_KEY + NAMES.indexOf(site), person) / 2 ** 32
        return drawn < SITES[site] * (isDaily ? DAILY : 1)
      }),
    )
  known.set(name, users)
  return users
}

function figures(reached: Crowd, sites: readonly Site[], generation: 1 | 3): object {
  const people = (crowd: Crowd) => countOf(both(reached, crowd)) * USERS_EACH
  const [most, least] = [people(usersOf(sites, false)), people(usersOf(sites, true))]
  const status = most === 0 ? 'UNPREDICTABLE' : most < NARROW ? 'NARROW' : most > WIDE ? 'WIDE' : 'SUITABLE'
  return {
    approximate_count: most,
    max_active_user_count: countOf(reached) * USERS_EACH,
    impression: most * SHOWN_EACH,
    min_users_daily: least,
    max_users_daily: most,
    min_exposure_daily: least * SHOWN_EACH,
    max_exposure_daily: most * SHOWN_EACH,
    min_bid_amount: BID.least,
    max_bid_amount: BID.most,
    suggest_min_bid_amount: 1500,
    suggest_max_bid_amount: 6000,
    suggest_bid_content_ocpa: '建议出价 15.00 到 60.00 元',
    targeting_status: `TARGETING_STATUS_${status}`,
    suggest_targeting: status === 'NARROW' ? ['age', 'geo_location'] : [],
    is_real_exposure_supported: false,
    ...(generation === 3 && {
      stage_bid_info: { stage_name: '学习期', lower_bound: 1500, upper_bound: 6000, default_bid: 3000, ratio: 100 },
    }),
  }
}
