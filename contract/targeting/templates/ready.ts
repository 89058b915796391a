import { type Platform, type PlatformCode, platformOfCode } from '../../platform.ts'
import type { FiveTabTargeting } from '../five-tab/schema.ts'
import type { SocialTargeting } from '../social/schema.ts'

/** 北京 上海 广州 深圳, then cities of the second line in the order of their codes. */
export const CITIES: readonly string[] = [
  ...['110000', '310000', '440100', '440300'],
  ...['120000', '130100', '140100', '210100', '210200', '220100', '230100', '320100', '320200', '320500', '330100'],
  ...['330200', '330300', '340100', '350100', '350200', '360100', '370100', '370200', '410100', '420100', '430100'],
  ...['440600', '441900', '450100', '500000', '510100', '520100', '530100', '610100', '620100'],
]

/** A template that the console brings along. */
export interface ReadyTemplate {
  key: string
  name: string
  targeting: Readonly<Record<string, unknown>>
}

const inCities: FiveTabTargeting = {
  district: ['CITY'],
  regions: { regions: [...CITIES], regionsPlan: [] },
  location_types: ['HOME'],
}
const fiveTab = (key: string, name: string, targeting: FiveTabTargeting): ReadyTemplate => ({ key, name, targeting })
const social = (key: string, name: string, targeting: SocialTargeting): ReadyTemplate => ({ key, name, targeting })

const YOUNG_WOMEN: FiveTabTargeting = {
  ...inCities,
  gender: ['GENDER_FEMALE'],
  age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'],
}
const COUPLES: FiveTabTargeting = {
  age: ['AGE_BETWEEN_24_30', 'AGE_BETWEEN_31_40'],
  smart_interest_action: 'RECOMMEND',
}

/** The package type of a new package is chosen beside its template; these are the ones that fit. */
const READY: Partial<Record<Platform, readonly ReadyTemplate[]>> = {
  social: [
    social('young-women', '一二线年轻女性', {
      age: [{ min: 18, max: 30 }],
      gender: ['FEMALE'],
      geo_location: 'REGIONS',
      regions: [...CITIES],
      location_types: ['LIVE_IN'],
    }),
    social('graduates', '本科及以上职场人', {
      age: [{ min: 24, max: 45 }],
      education: ['DOCTOR', 'MASTER', 'BACHELOR'],
    }),
    social('parents', '育儿家庭', {
      age: [{ min: 24, max: 45 }],
      marital_status: ['PARENTING_0', 'PARENTING_0_6', 'PARENTING_6_12', 'PARENTING_12_24', 'PARENTING_24_36'],
    }),
    social('elderly', '中老年人群', { age: [{ min: 50, max: 66 }] }),
  ],
  video: [
    fiveTab('young-women', '一二线年轻女性', { landing_type: 'EXTERNAL', ...YOUNG_WOMEN }),
    fiveTab('costly-phones', '高价手机用户', {
      landing_type: 'EXTERNAL',
      launch_price_by: ['CUSTOM'],
      launch_price: [5000, 11_000],
    }),
    fiveTab('recommended', '青壮年系统推荐兴趣', { landing_type: 'EXTERNAL', ...COUPLES }),
    fiveTab('elderly', '中老年人群', { landing_type: 'EXTERNAL', age: ['AGE_ABOVE_50'] }),
  ],
  commerce: [
    fiveTab('young-women', '一二线年轻女性', { landing_type: 'LIVE', ...YOUNG_WOMEN }),
    fiveTab('new-buyers', '店铺新客', { landing_type: 'LIVE', new_customer: 'NO_BUY', exclude_limited_region: 1 }),
    fiveTab('recommended', '青壮年系统推荐兴趣', { landing_type: 'LIVE', ...COUPLES }),
    fiveTab('elderly', '中老年人群', { landing_type: 'LIVE', age: ['AGE_ABOVE_50'] }),
  ],
}

export const readyTemplates = (code: PlatformCode): readonly ReadyTemplate[] => READY[platformOfCode(code)] ?? []
