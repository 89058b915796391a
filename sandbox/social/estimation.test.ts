import { beforeAll, describe, expect, test } from 'vitest'
import { countOf, USERS_EACH } from '../population/population.ts'
import { ofGender } from '../population/traits.ts'
import { ACCOUNT, id, OTHER, socialForTest } from './testing.ts'

const { bench, now, caller, older, anAudience, send } = await socialForTest()

const SHENZHEN = { location_types: ['LIVE_IN'], regions: [440300] }
const CIRCLE = { longitude: 114.05, latitude: 22.54, radius: 25_000 }
const WOMEN = { gender: ['FEMALE'] }
const LEARNED = { education: ['BACHELOR', 'MASTER'] }
const RICH = { consumption_status: ['HIGH'] }
const DOING = { behavior_or_interest: { behavior: [{ category_id_list: [10_000] }] } }

describe('the call', () => {
  const estimate = (more: object, from = caller) => from.post('estimation/get', { account_id: id(ACCOUNT), ...more })
  const FIELDS = [
    ...['approximate_count', 'max_active_user_count', 'impression', 'min_users_daily', 'max_users_daily'],
    ...['min_exposure_daily', 'max_exposure_daily', 'min_bid_amount', 'max_bid_amount', 'suggest_min_bid_amount'],
    ...['suggest_max_bid_amount', 'suggest_bid_content_ocpa', 'targeting_status', 'suggest_targeting'],
    'is_real_exposure_supported',
  ]

  test('answers users in all fields, the same every time, fewer on fewer placements', async () => {
    const targeting = WOMEN
    const { data } = await estimate({ targeting })
    expect(Object.keys(data).sort()).toEqual([...FIELDS, 'stage_bid_info'].sort())
    expect(data).toMatchObject({ max_active_user_count: countOf(ofGender('GENDER_FEMALE')) * USERS_EACH })
    expect((await estimate({ targeting })).data).toEqual(data)
    const count = async (site_set: string[]) => {
      const { approximate_count } = (await estimate({ targeting, site_set })).data as unknown as {
        approximate_count: number
      }
      return approximate_count
    }
    const [news, both] = [
      await count(['SITE_SET_TENCENT_NEWS']),
      await count(['SITE_SET_TENCENT_NEWS', 'SITE_SET_WECHAT']),
    ]
    expect(news).toBeLessThan(both)
    expect(news).toBeGreaterThan(0)
  })

  test('the older generation nests what it asks, and takes behaviours', async () => {
    const answer = await estimate(
      {
        targeting: { ...DOING, ...WOMEN },
        campaign_spec: { campaign_type: 'CAMPAIGN_TYPE_NORMAL', daily_budget: 5000 },
        adgroup: { site_set: ['SITE_SET_TENCENT_NEWS'], bid_amount: 100, optimization_goal: 'OPTIMIZATIONGOAL_CLICK' },
        scene_spec: { display_scene: ['DISPLAY_SCENE_FEED'] },
        adcreative: [{ adcreative_template_id: 5 }],
      },
      older,
    )
    expect(answer).toMatchObject({ code: 0, message: '' })
    expect(Object.keys(answer.data).sort()).toEqual([...FIELDS].sort())
  })

  test('it needs the scope of ads', async () => {
    now.token = await bench.token('social', [ACCOUNT], ['audience_management', 'ads_insights'])
    expect((await estimate({})).code).toBe(11014)
    now.token = await bench.token('social', [ACCOUNT], ['ads_management'])
    expect((await estimate({})).code).toBe(0)
    expect((await caller.get('estimation/get', { account_id: id(ACCOUNT) })).code).toBe(12007)
  })

  const geo = (more: object) => ({ targeting: { geo_location: { ...SHENZHEN, ...more } } })
  const circle = (more: object) => geo({ regions: undefined, custom_locations: [{ ...CIRCLE, ...more }] })
  const many = (count: number) => Array.from({ length: count }, (_, no) => no + 1)
  test.each<[string, object, number]>([
    ['no account', { account_id: undefined }, 18001],
    ['an unknown parameter', { adgroup: {} }, 31002],
    ['a targeting that is a list', { targeting: [] }, 18002],
    ['an unknown field of the targeting', { targeting: { career: [] } }, 31002],
    ['behaviours, which are gone', { targeting: DOING }, 31002],
    ['consumption, which is gone', { targeting: RICH }, 31002],
    ['two sexes', { targeting: { gender: ['MALE', 'FEMALE'] } }, 18003],
    ['no sex', { targeting: { gender: [] } }, 18012],
    ['a code that is none', { targeting: { gender: ['M'] } }, 18009],
    ['a code twice', { targeting: { education: ['MASTER', 'MASTER'] } }, 31002],
    ['a code that is a number', { targeting: { gender: [1] } }, 18002],
    ['an age below 18', { targeting: { age: [{ min: 17, max: 30 }] } }, 18004],
    ['an age above 66', { targeting: { age: [{ min: 18, max: 67 }] } }, 18003],
    ['an age that ends nowhere', { targeting: { age: [{ min: 18 }] } }, 18001],
    ['a range of three years', { targeting: { age: [{ min: 18, max: 21 }] } }, 31002],
    ['half a year', { targeting: { age: [{ min: 18.5, max: 30 }] } }, 18002],
    ['six ranges', { targeting: { age: many(6).map((no) => ({ min: 18 + no, max: 40 + no })) } }, 18003],
    ['no place at all', geo({ regions: undefined }), 18001],
    ['no way of being there', geo({ location_types: undefined }), 18001],
    ['a region that is none', geo({ regions: [5] }), 31002],
    ['a region as text', geo({ regions: ['440300'] }), 18002],
    ['more than 2,000 regions', geo({ regions: many(2001) }), 18003],
    ['a 商圈 that is none', geo({ business_districts: [5] }), 31002],
    ['a circle of 199 metres', circle({ radius: 199 }), 18004],
    ['a circle of 25,001 metres', circle({ radius: 25_001 }), 18003],
    ['a longitude of seven decimals', circle({ longitude: 114.1234567 }), 18014],
    ['a latitude beyond the pole', circle({ latitude: 91 }), 18003],
    ['a circle without a radius', circle({ radius: undefined }), 18001],
    ['a circle with a name', circle({ name: '上海' }), 31002],
    [
      'travellers in a circle',
      { targeting: { geo_location: { location_types: ['TRAVEL_IN'], custom_locations: [CIRCLE] } } },
      31002,
    ],
    ['visitors on WeChat', { ...geo({ location_types: ['VISITED_IN'] }), site_set: ['SITE_SET_WECHAT'] }, 31002],
    [
      'brands in and out',
      { targeting: { device_brand_model: { included_list: [61_000], excluded_list: [61_001] } } },
      31002,
    ],
    ['an audience that is none', { targeting: { custom_audience: [5] } }, 50005],
    [
      '201 audiences in and out',
      { targeting: { custom_audience: many(101), excluded_custom_audience: many(100) } },
      18003,
    ],
    ['an exclusion without its kind', { targeting: { excluded_converted_audience: {} } }, 18001],
    [
      'an exclusion that is gone',
      { targeting: { excluded_converted_audience: { excluded_dimension: 'EXCLUDED_DIMENSION_CAMPAIGN' } } },
      18009,
    ],
    [
      'three conversions',
      {
        targeting: {
          excluded_converted_audience: {
            excluded_dimension: 'EXCLUDED_DIMENSION_UID',
            conversion_behavior_list: ['OPTIMIZATIONGOAL_A', 'OPTIMIZATIONGOAL_B', 'OPTIMIZATIONGOAL_C'],
          },
        },
      },
      18003,
    ],
    ['an unknown placement', { site_set: ['SITE_SET_TV'] }, 18009],
    ['an unknown bid mode', { bid_mode: 'CPC' }, 18009],
    ['a schedule of a day', { time_series: '1'.repeat(48) }, 31002],
  ])('%s is refused', async (_, change, code) => {
    expect((await estimate(change)).code).toBe(code)
  })

  test.each<[string, object, number]>([
    ['an age of 16', { age: [{ min: 16, max: 30 }] }, 31002],
    ['an age of 13', { age: [{ min: 13, max: 30 }] }, 18004],
    ['401 regions', { geo_location: { ...SHENZHEN, regions: many(401) } }, 18003],
    ['behaviours of two kinds', { behavior_or_interest: { behavior: [{}, {}] } }, 18003],
    ['a behaviour of nothing', { behavior_or_interest: { behavior: [{}] } }, 18001],
    ['251 categories', { behavior_or_interest: { interest: { category_id_list: many(251) } } }, 18003],
    ['a category that is gone', { behavior_or_interest: { interest: { category_id_list: [5] } } }, 31002],
    [
      'four scenes',
      { behavior_or_interest: { behavior: [{ category_id_list: [10_000], scene: ['A', 'B', 'C', 'D'] }] } },
      18003,
    ],
    [
      'a window that is none',
      { behavior_or_interest: { behavior: [{ category_id_list: [10_000], time_window: 'DAY' }] } },
      18009,
    ],
    ['an intention that is none', { behavior_or_interest: { intention: { targeting_tags: [5] } } }, 31002],
    [
      'the exclusion of days',
      {
        excluded_converted_audience: {
          excluded_dimension: 'EXCLUDED_DIMENSION_UID',
          excluded_day: 'EXCLUDED_DAY_ONE_DAY',
        },
      },
      31002,
    ],
    ['an os left out', { excluded_os: ['IOS'] }, 31002],
  ])('the older generation refuses %s', async (_, targeting, code) => {
    expect((await estimate({ targeting }, older)).code).toBe(code)
  })

  test('what is open to some industries alone can be closed', async () => {
    await bench.control('switches', { social_restricted_targeting: false })
    expect((await estimate({ targeting: LEARNED })).code).toBe(31033)
    expect((await estimate({ targeting: LEARNED }, older)).code).toBe(0)
  })
})

describe('audiences in a targeting', () => {
  let own: bigint
  beforeAll(async () => {
    now.token = await bench.token('social', [ACCOUNT])
    own = await anAudience()
    await send(own, ['a'.repeat(32)])
    await bench.control('settle')
  })
  const estimate = (audience: bigint, account: string = ACCOUNT) =>
    caller.post('estimation/get', { account_id: id(account), targeting: { custom_audience: [audience] } })

  test('an own one counts; one that is unused, broken or unknown is refused', async () => {
    const { code, data } = await estimate(own)
    expect(code).toBe(0)
    expect((data as unknown as Record<string, number>).approximate_count).toBeGreaterThan(0)
    const set = (changes: object) =>
      bench.control('audiences/set', { platform: 'social', audience_id: String(own), ...changes })
    await set({ online_status: 'OFFLINE' })
    expect((await estimate(own)).code).toBe(1801104)
    await set({ status: 'FROZEN' })
    expect((await estimate(own)).code).toBe(50014)
    await set({ status: 'SUCCESS', online_status: 'ONLINE' })
    expect((await estimate(5n)).code).toBe(50005)
  })

  test('another account may use one that it was granted, and lists it as not its own', async () => {
    const audience_id_list = [own]
    const grant = (permission: string) => ({
      account_id: id(ACCOUNT),
      audience_id_list,
      grant_type: 'GRANT_TYPE_BUSINESS',
      grant_spec: {
        grant_to_business_spec: {
          grant_business_id: 7,
          grant_scope_type: 'GRANT_SCOPE_TYPE_ACCOUNT',
          grant_account_permission: [{ account_id: id(OTHER), grant_permission_type_list: [permission] }],
        },
      },
    })
    now.token = await bench.token('social', [ACCOUNT, OTHER])
    expect((await estimate(own, OTHER)).code).toBe(50015)
    const listed = async (account: string) => {
      const { data } = await caller.get('custom_audiences/get', { account_id: account })
      return data.list.map(({ audience_id, is_own }) => ({ audience_id, is_own }))
    }
    expect(await listed(OTHER)).toEqual([])
    expect((await caller.post('audience_grant_relations/add', grant('GRANT_PERMISSION_TYPE_ALL'))).code).toBe(18009)
    expect(await caller.post('audience_grant_relations/add', grant('GRANT_PERMISSION_TYPE_TARGET'))).toMatchObject({
      code: 0,
    })
    expect((await caller.post('audience_grant_relations/add', grant('GRANT_PERMISSION_TYPE_TARGET'))).code).toBe(50027)
    expect((await estimate(own, OTHER)).code).toBe(0)
    expect(await listed(OTHER)).toEqual([{ audience_id: own, is_own: false }])
    expect(await listed(ACCOUNT)).toEqual([{ audience_id: own, is_own: true }])
    const given = await caller.get('audience_grant_relations/get', { account_id: ACCOUNT })
    expect(given.data.list).toMatchObject([{ audience_id: own, grant_type: 'GRANT_TYPE_BUSINESS' }])
    const remove = { account_id: id(ACCOUNT), audience_id: own }
    expect((await caller.post('custom_audiences/delete', remove)).code).toBe(50022)
  })
})
