import type { Json } from '../json.ts'
import { businessDistrictOf } from '../population/business-districts.ts'
import { ACTION_DAYS } from '../population/reach.ts'
import { regionOf } from '../population/regions.ts'
import { LOCATION_TYPES } from '../population/whereabouts.ts'
import type { Body } from './arguments.ts'
import { BEHAVIORS } from './creators.ts'
import { badRequest } from './envelope.ts'

export const LANDING_TYPES = [
  ...['EXTERNAL', 'ARTICLE', 'GOODS', 'DPA', 'STORE', 'AWEME', 'SHOP', 'APP_ANDROID', 'APP_IOS', 'APP_HARMONY'],
  ...['LIVE', 'QUICK_APP', 'MICRO_GAME'],
] as const
const BRANDS = [
  ...['HONOR', 'APPLE', 'HUAWEI', 'XIAOMI', 'SAMSUNG', 'OPPO', 'VIVO', 'MEIZU', 'GIONEE', 'COOLPAD', 'LENOVO', 'LETV'],
  ...['ZTE', 'CHINAMOBILE', 'HTC', 'PEPPER', 'NUBIA', 'HISENSE', 'QIKU', 'TCL', 'SONY', 'SMARTISAN', '360', 'ONEPLUS'],
  ...['LG', 'MOTO', 'NOKIA', 'GOOGLE'],
]
/** Two sets of bands, which may not be mixed. */
export const AGES_WIDE = [
  'AGE_BETWEEN_18_23',
  'AGE_BETWEEN_24_30',
  'AGE_BETWEEN_31_40',
  'AGE_BETWEEN_41_49',
  'AGE_ABOVE_50',
]
const AGES_FINE = [
  ...['AGE_BETWEEN_18_19', 'AGE_BETWEEN_20_23', 'AGE_BETWEEN_24_30', 'AGE_BETWEEN_31_35', 'AGE_BETWEEN_36_40'],
  ...['AGE_BETWEEN_41_45', 'AGE_BETWEEN_46_50', 'AGE_BETWEEN_51_55', 'AGE_BETWEEN_56_59', 'AGE_ABOVE_60'],
]
const LISTS: Readonly<Record<string, readonly string[]>> = {
  age: [...new Set([...AGES_WIDE, ...AGES_FINE])],
  platform: ['ANDROID', 'IOS', 'HARMONY', 'PC', 'WAP', 'IPAD'],
  device_type: ['MOBILE', 'PAD'],
  device_brand: BRANDS,
  ac: ['WIFI', '2G', '3G', '4G', '5G'],
  carrier: ['MOBILE', 'UNICOM', 'TELCOM'],
  aweme_fan_behaviors: BEHAVIORS,
  auto_extend_targets: ['REGION', 'GENDER', 'AGE', 'CUSTOM_AUDIENCE', 'AD_TAG', 'INTEREST_TAG'],
  filter_event: [
    'AD_CONVERT_EXTERNAL_ACTION',
    'AD_CONVERT_TYPE_ACTIVE',
    'AD_CONVERT_TYPE_ACTIVE_REGISTER',
    'AD_CONVERT_TYPE_PAY',
  ],
}
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  gender: ['GENDER_FEMALE', 'GENDER_MALE', 'NONE', 'GENDER_UNLIMITED'],
  district: ['REGION', 'OVERSEA', 'BUSINESS_DISTRICT', 'NONE'],
  location_type: LOCATION_TYPES,
  region_version: ['1.0.0', '2.3.2'],
  interest_action_mode: ['UNLIMITED', 'CUSTOM', 'RECOMMEND'],
  harmony_osv: ['5.0', '0.0', 'NONE'],
  aweme_fan_time_scope: ['FIFTEEN_DAYS', 'THIRTY_DAYS', 'SIXTY_DAYS'],
  hide_if_converted: [
    ...['NO_EXCLUDE', 'AD', 'CAMPAIGN', 'ADVERTISER', 'APP', 'CUSTOMER', 'ORGANIZATION', 'GLOBAL_APP'],
  ],
  converted_time_duration: [...['NONE', 'TODAY', 'SEVEN_DAY', 'ONE_MONTH', 'THREE_MONTH', 'SIX_MONTH', 'TWELVE_MONTH']],
}
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  action_days: ACTION_DAYS,
  hide_if_exists: [0, 1, 2],
  filter_aweme_abnormal_active: [0, 1],
  filter_aweme_fans_count: [200, 500, 1000],
  filter_own_aweme_fans: [0, 1],
}
const IDS_MOST = 3500
const WORDS_MOST = 1000
const PLACES_MOST = 1000
const PRICE = { step: 500, most: 11_000 }
/** Lists that custom behaviour alone has. */
const CUSTOM_ONLY = ['action_categories', 'action_words', 'interest_categories', 'interest_words'] as const
const MOBILE = ['ANDROID', 'IOS', 'HARMONY', 'WAP', 'IPAD']

export interface Place {
  name: string
  long: number
  lat: number
  radius: number
  [part: string]: Json
}
/** The targeting of a package: what its calls gave, by their names. */
export interface Fields {
  [name: string]: Json | undefined
  age?: string[]
  city?: bigint[]
  geolocation?: Place[]
  business_ids?: bigint[]
  retargeting_tags?: bigint[]
  retargeting_tags_exclude?: bigint[]
}
export const textOf = (fields: Fields, name: string, fallback = ''): string => String(fields[name] ?? fallback)
export const listOf = (fields: Fields, name: string): string[] => ((fields[name] ?? []) as Json[]).map(String)

export interface Reading {
  landing_type: string
  /** A package must name the version of HarmonyOS, which an estimate does not know. */
  isPackage?: boolean
  /** What a package held before; what a call leaves out stays. */
  before?: Fields
  /** Names of the two lists of crowds. */
  crowds: readonly [include: string, exclude: string]
  hasCrowd(id: string): boolean
  /** More values of `district`, where a call knows them. */
  districts?: readonly string[]
}

/** Reads the targeting of a call and checks it by the vendor's rules. */
export function readFields(given: Body, reading: Reading): Fields {
  const now: Fields = {}
  const put = (name: string, value: Json | undefined) => {
    if (value !== undefined) now[name] = value
  }
  for (const [name, values] of Object.entries(LISTS)) put(name, codes(given, name, values))
  for (const [name, values] of Object.entries(CHOICES)) {
    const known = name === 'district' ? [...values, ...(reading.districts ?? [])] : values
    const value = given.text(name, { isOptional: true })
    if (value !== undefined && !known.includes(value)) throw badRequest(`${name}: 只能是${known.join('、')}`)
    put(name, value)
  }
  for (const [name, of] of Object.entries(NUMBERS)) put(name, given.optionalNumber(name, { of }))
  for (const name of ['city', 'business_ids', 'aweme_fan_categories', 'aweme_fan_accounts', ...CUSTOM_ONLY]) {
    put(name, ids(given, name, name.endsWith('_words') ? WORDS_MOST : IDS_MOST))
  }
  const [include, exclude] = reading.crowds
  put('retargeting_tags', ids(given, include, IDS_MOST))
  put('retargeting_tags_exclude', ids(given, exclude, IDS_MOST))
  put('geolocation', given.optionalList('geolocation', PLACES_MOST)?.map(placeOf))
  put('launch_price', priceOf(given))
  refuseWrongBeside(now)
  const fields = { ...reading.before, ...now }
  dropIdle(fields)
  refuseIncomplete(fields, reading)
  return fields
}

function codes(given: Body, name: string, values: readonly string[]): string[] | undefined {
  const chosen = given.optionalList(name, values.length)?.map(String)
  const wrong = chosen?.find((one) => !values.includes(one))
  if (wrong !== undefined) throw badRequest(`${name}: 不支持的取值: ${wrong}`)
  return chosen
}

function ids(given: Body, name: string, most: number): bigint[] | undefined {
  return given.optionalList(name, most)?.map((one) => {
    if (typeof one !== 'bigint' && !(typeof one === 'number' && Number.isInteger(one))) {
      throw badRequest(`${name}: 应为整数数组`)
    }
    if (one < 0) throw badRequest(`${name}: 应为正整数`)
    return BigInt(one)
  })
}

function placeOf(one: Json): Place {
  const refuse = (why: string) => badRequest(`geolocation: ${why}`)
  if (typeof one !== 'object' || one === null || Array.isArray(one)) throw refuse('应为对象数组')
  const { name, long, lat, radius } = one
  if (typeof name !== 'string' || name === '') throw refuse('缺少name')
  if (typeof long !== 'number' || Math.abs(long) > 180) throw refuse('long不正确')
  if (typeof lat !== 'number' || Math.abs(lat) > 90) throw refuse('lat不正确')
  if (typeof radius !== 'number' || !Number.isInteger(radius) || radius < 3000 || radius > 15_000) {
    throw refuse('radius应为3000到15000')
  }
  const known = ['name', 'long', 'lat', 'radius', 'province', 'city', 'district', 'street', 'street_number']
  const unknown = Object.keys(one).find((key) => !known.includes(key))
  if (unknown !== undefined) throw refuse(`未知的字段${unknown}`)
  return { ...one, name, long, lat, radius }
}

function priceOf(given: Body): number[] | undefined {
  const prices = given.optionalList('launch_price', 100)?.map(Number)
  if (prices === undefined) return undefined
  if (prices.length !== 2) throw badRequest('launch_price: 应为2个整数')
  const isStep = (price: number) => price >= 0 && price <= PRICE.most && price % PRICE.step === 0
  const [low = 0, high = 0] = prices
  if (!prices.every(isStep)) throw badRequest(`launch_price: 应为${PRICE.step}的倍数`)
  if (low >= high) throw badRequest('launch_price: 下限应小于上限')
  return prices
}

const has = (fields: Fields, name: string) => ((fields[name] ?? []) as Json[]).length > 0

/** What one call may not say at once. */
function refuseWrongBeside(fields: Fields): void {
  const custom = CUSTOM_ONLY.find((name) => has(fields, name))
  if (custom && fields.interest_action_mode !== 'CUSTOM') {
    throw badRequest(`${custom}: 仅在interest_action_mode为CUSTOM时填写`)
  }
  const { district } = fields
  const isMap = district === 'BUSINESS_DISTRICT'
  const isRegion = district !== undefined && district !== 'NONE' && !isMap
  if (has(fields, 'city') && !isRegion) throw badRequest('city: 仅在district为REGION或OVERSEA时填写')
  for (const name of ['geolocation', 'business_ids']) {
    if (has(fields, name) && !isMap) throw badRequest(`${name}: 仅在district为BUSINESS_DISTRICT时填写`)
  }
}

/** Forgets what stood before and no longer applies. */
function dropIdle(fields: Fields): void {
  const drop = (names: readonly string[]) => {
    for (const name of names) delete fields[name]
  }
  const district = textOf(fields, 'district', 'NONE')
  if (district === 'NONE' || district === 'BUSINESS_DISTRICT') drop(['city', 'region_version'])
  if (district === 'NONE') drop(['location_type'])
  if (district !== 'BUSINESS_DISTRICT') drop(['geolocation', 'business_ids'])
  if (fields.interest_action_mode !== 'CUSTOM') drop([...CUSTOM_ONLY, 'action_days'])
}

/** What is missing of a package, or contradicts itself. */
function refuseIncomplete(fields: Fields, reading: Reading): void {
  const { landing_type, isPackage = false, crowds, hasCrowd, districts = [] } = reading
  const age = listOf(fields, 'age')
  if (![AGES_WIDE, AGES_FINE].some((set) => age.every((one) => set.includes(one)))) {
    throw badRequest('age: 两套年龄分段不能混用')
  }
  placesMustBeWhole(fields, districts)
  const platform = listOf(fields, 'platform')
  if (platform.includes('PC') && platform.some((one) => MOBILE.includes(one))) {
    throw badRequest('platform: PC与移动端互斥')
  }
  if (platform.includes('HARMONY') && landing_type !== 'APP_HARMONY') {
    throw badRequest('platform: HARMONY仅支持landing_type为APP_HARMONY')
  }
  if (isPackage && platform.includes('HARMONY') && textOf(fields, 'harmony_osv') !== '5.0') {
    throw badRequest('harmony_osv: platform包含HARMONY时须为5.0')
  }
  const brands = listOf(fields, 'device_brand')
  if (landing_type === 'APP_ANDROID' && brands.includes('APPLE')) throw badRequest('device_brand: 安卓应用不支持APPLE')
  if (landing_type === 'APP_IOS' && brands.some((one) => one !== 'APPLE')) {
    throw badRequest('device_brand: iOS应用仅支持APPLE')
  }
  for (const [no, list] of (['retargeting_tags', 'retargeting_tags_exclude'] as const).entries()) {
    const lost = listOf(fields, list).find((id) => !hasCrowd(id))
    if (lost !== undefined) throw badRequest(`${crowds[no]}: 人群包不存在: ${lost}`)
  }
  for (const target of listOf(fields, 'auto_extend_targets')) {
    if (!isRestricted(fields, target)) throw badRequest(`auto_extend_targets: 没有设置对应的定向: ${target}`)
  }
}

function placesMustBeWhole(fields: Fields, districts: readonly string[]): void {
  const district = textOf(fields, 'district', 'NONE')
  if (district === 'NONE') return
  if (district === 'BUSINESS_DISTRICT') {
    if (!has(fields, 'geolocation') && !has(fields, 'business_ids')) {
      throw badRequest('geolocation: 缺少必填参数')
    }
    const unknown = listOf(fields, 'business_ids').find((id) => !businessDistrictOf(id))
    if (unknown !== undefined) throw badRequest(`business_ids: 商圈不存在: ${unknown}`)
    return
  }
  if (!has(fields, 'city')) throw badRequest('city: 缺少必填参数')
  if (fields.region_version === undefined && !districts.includes(district)) {
    throw badRequest('region_version: 缺少必填参数')
  }
  if (fields.location_type === undefined) throw badRequest('location_type: 缺少必填参数')
  const unknown = listOf(fields, 'city').find((code) => !regionOf(code))
  if (unknown !== undefined) throw badRequest(`city: 地域不存在: ${unknown}`)
}

/** Whether a package restricts what smart expansion would open. */
function isRestricted(fields: Fields, target: string): boolean {
  switch (target) {
    case 'REGION':
      return textOf(fields, 'district', 'NONE') !== 'NONE'
    case 'GENDER':
      return textOf(fields, 'gender', 'NONE').startsWith('GENDER_') && fields.gender !== 'GENDER_UNLIMITED'
    case 'AGE':
      return has(fields, 'age')
    case 'CUSTOM_AUDIENCE':
      return has(fields, 'retargeting_tags') || has(fields, 'retargeting_tags_exclude')
    default:
      return true
  }
}
