import { type Json, parseJson } from '../json.ts'
import { type Fields, listOf } from './package-fields.ts'
import { fieldsOf, numbersIn, type VideoPackage } from './packages.ts'

const INSTALLED = ['UNLIMITED', 'FILTER', 'TARGETING']
/** Fields that are read back as they were written. */
const ALIKE = [
  ...[
    'age',
    'city',
    'business_ids',
    'region_version',
    'location_type',
    'platform',
    'device_type',
    'device_brand',
    'ac',
  ],
  ...['carrier', 'launch_price', 'action_days', 'action_categories', 'action_words', 'interest_categories'],
  ...['interest_words', 'aweme_fan_behaviors', 'auto_extend_targets', 'converted_time_duration', 'filter_event'],
  ...['filter_aweme_fans_count', 'filter_own_aweme_fans'],
]

/** A package as it is read, whose names and types differ from those it was written with. */
export function packageRow(one: VideoPackage) {
  const fields: Fields = fieldsOf(one)
  const alike = Object.fromEntries(ALIKE.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])))
  const texts = (name: string) => (name in fields ? { [name]: listOf(fields, name) } : {})
  return {
    advertiser_id: BigInt(one.account_id),
    audience_package_id: BigInt(one.id),
    name: one.name,
    description: one.description,
    landing_type: one.landing_type,
    ...(parseJson(one.fixed) as Record<string, Json>),
    ...alike,
    ...texts('aweme_fan_accounts'),
    ...texts('aweme_fan_categories'),
    aweme_fan_time_scope: fields.aweme_fan_time_scope ?? 'FIFTEEN_DAYS',
    district: fields.district ?? 'NONE',
    gender: fields.gender === undefined || fields.gender === 'NONE' ? 'GENDER_UNLIMITED' : fields.gender,
    interest_action_mode: fields.interest_action_mode ?? 'UNLIMITED',
    retargeting_tags_include: numbersIn(fields.retargeting_tags),
    retargeting_tags_exclude: numbersIn(fields.retargeting_tags_exclude),
    geolocation: (fields.geolocation ?? []).map(({ name, lat, long, radius }) => ({ name, lat, long, radius })),
    hide_if_converted: fields.hide_if_converted ?? 'AD',
    hide_if_exists: INSTALLED[Number(fields.hide_if_exists ?? 0)],
    filter_aweme_abnormal_active: fields.filter_aweme_abnormal_active === 1 ? 'ON' : 'OFF',
  }
}
