import { z } from 'zod'
import { type PlatformCode, platformOfCode } from '../platform.ts'

/** The most values of a condition that are kept; the rest is counted. */
export const VALUES_KEPT = 50

/** A condition of a package made on its platform that our targeting cannot hold, by the platform's own name and codes. */
export interface LeftOut {
  field: string
  /** The first of them. */
  values: string[]
  count: number
}

/** The same in words. */
export const LeftOutWords = z.object({
  field: z.string().describe('平台上的字段'),
  label: z.string().describe('条件的名称；不认识的是平台上的字段'),
  words: z.array(z.string()).describe('内容；不认识的是平台上的取值'),
})
export type LeftOutWords = z.output<typeof LeftOutWords>

interface Said {
  label: string
  values?: Readonly<Record<string, string>>
}
type Vocabulary = Readonly<Record<string, Said>>

const ON_OFF = { ON: '开启', OFF: '关闭', '1': '开启', '0': '关闭' }
const DAYS = {
  TODAY: '当天',
  SEVEN_DAY: '7 天',
  ONE_MONTH: '1 个月',
  THREE_MONTH: '3 个月',
  SIX_MONTH: '6 个月',
  TWELVE_MONTH: '12 个月',
}

/** What the vendor of platforms 2 and 3 calls what packages hold. */
const VENDOR: Vocabulary = {
  landing_type: { label: '定向包类型' },
  marketing_goal: { label: '营销场景', values: { LIVE: '直播', VIDEO_AND_IMAGE: '短视频与图片' } },
  delivery_range: { label: '投放范围', values: { UNION: '穿山甲', UNIVERSAL: '通投智选' } },
  ad_type: { label: '广告类型', values: { SEARCH: '搜索广告' } },
  gender: { label: '性别' },
  age: { label: '年龄', values: { AGE_ABOVE_0_17: '18 岁以下', AGE_BELOW_18: '18 岁以下' } },
  career: { label: '职业状态' },
  district: { label: '地理位置', values: { OVERSEA: '海外' } },
  city: { label: '地域' },
  district_type: { label: '地域方式', values: { true: '排除所选地域' } },
  location_type: { label: '地点类型' },
  exclude_limited_region: { label: '排除限运地域', values: ON_OFF },
  electric_fence_region: { label: '电子围栏地域' },
  geolocation: { label: '地图上的地点' },
  business_ids: { label: '商圈' },
  interest_action_mode: { label: '行为兴趣' },
  smart_interest_action: { label: '行为兴趣' },
  action_scene: { label: '行为场景' },
  action_days: { label: '行为天数' },
  action_categories: { label: '行为类目' },
  action_words: { label: '行为关键词' },
  interest_categories: { label: '兴趣类目', values: { '0': '系统推荐' } },
  interest_words: { label: '兴趣关键词' },
  retargeting_tags: { label: '定向人群' },
  retargeting_tags_include: { label: '定向人群' },
  retargeting_tags_exclude: { label: '排除人群' },
  platform: { label: '平台' },
  device_type: { label: '设备类型' },
  ac: { label: '网络' },
  carrier: { label: '运营商' },
  carrier_region_optimize: { label: '运营商地域优化', values: ON_OFF },
  device_brand: { label: '手机品牌' },
  launch_price: { label: '手机价格' },
  activate_type: { label: '新用户' },
  android_osv: { label: '最低安卓版本' },
  ios_osv: { label: '最低 iOS 版本' },
  harmony_osv: { label: '最低鸿蒙版本' },
  aweme_fan_behaviors: { label: '达人互动行为' },
  aweme_fan_time_scope: { label: '达人互动时间' },
  aweme_fan_behaviors_days: { label: '达人互动时间' },
  aweme_fan_categories: { label: '达人分类' },
  aweme_fan_accounts: { label: '抖音达人' },
  aweme_fans_numbers: { label: '抖音号粉丝相似人群' },
  filter_aweme_abnormal_active: { label: '过滤高活跃用户', values: ON_OFF },
  filter_aweme_fans_count: { label: '过滤高关注数用户' },
  filter_own_aweme_fans: { label: '过滤自己的粉丝', values: ON_OFF },
  live_platform_tags: { label: '直播平台精选人群' },
  new_customer: { label: '新客' },
  auto_extend_enabled: { label: '智能放量', values: ON_OFF },
  auto_extend_targets: {
    label: '可开放定向',
    values: { AD_TAG: '广告标签', INTEREST_TAG: '兴趣标签', INTEREST_ACTION: '行为兴趣' },
  },
  smart_extend: { label: '智能扩展', values: ON_OFF },
  hide_if_converted: {
    label: '过滤已转化用户',
    values: {
      NO_EXCLUDE: '不过滤',
      AD: '同广告计划',
      CAMPAIGN: '同广告组',
      ADVERTISER: '同广告账户',
      APP: '同应用',
      CUSTOMER: '同公司账户',
      ORGANIZATION: '同组织账户',
      GLOBAL_APP: '同应用（全部账户）',
      PROJECT: '同项目',
      PROMOTION: '同广告',
    },
  },
  converted_time_duration: { label: '过滤时间范围', values: DAYS },
  filter_event: {
    label: '过滤的转化行为',
    values: {
      AD_CONVERT_TYPE_ACTIVE: '激活',
      AD_CONVERT_TYPE_ACTIVE_REGISTER: '注册',
      AD_CONVERT_TYPE_PAY: '付费',
    },
  },
  hide_if_exists: { label: '已安装用户', values: { FILTER: '过滤', TARGETING: '仅定向' } },
  superior_popularity_type: { label: '媒体定向', values: { GAME: '游戏优质媒体' } },
  flow_package: { label: '定向流量包' },
  exclude_flow_package: { label: '排除流量包' },
  article_category: { label: '文章分类' },
  search_extended: { label: '搜索智能拓流' },
}

/** What the social platform calls them; what stands inside another field follows after a dot. */
const SOCIAL: Vocabulary = {
  age: { label: '年龄' },
  gender: { label: '性别' },
  education: { label: '学历' },
  marital_status: { label: '婚恋育儿' },
  financial_situation: { label: '资产状态' },
  consumption_status: { label: '消费能力' },
  consumption_type: { label: '消费类型' },
  game_consumption_level: { label: '游戏消费能力' },
  working_status: { label: '工作状态' },
  residential_community_price: { label: '居住社区价格' },
  'geo_location.location_types': { label: '地点类型' },
  'geo_location.regions': { label: '地域' },
  'geo_location.business_districts': { label: '商圈' },
  'geo_location.custom_locations': { label: '地图上的地点' },
  'geo_location.geo_location_auto_audience': { label: '地域智能扩展', values: { true: '开启' } },
  user_os: { label: '操作系统' },
  excluded_os: { label: '排除操作系统', values: { ANDROID_PURE_MODE: '安卓纯净模式' } },
  new_device: { label: '新设备' },
  device_price: {
    label: '设备价格',
    values: {
      PRICE_1500_LESS: '1500 元以下',
      PRICE_1500_2500: '1500-2500 元',
      PRICE_2500_3500: '2500-3500 元',
      PRICE_3500_4500: '3500-4500 元',
      PRICE_4500_MORE: '4500 元以上',
    },
  },
  'device_brand_model.included_list': { label: '设备品牌型号' },
  'device_brand_model.excluded_list': { label: '排除设备品牌型号' },
  network_type: {
    label: '联网方式',
    values: { WIFI: 'Wi-Fi', NET_2G: '2G', NET_3G: '3G', NET_4G: '4G', NET_5G: '5G' },
  },
  network_operator: { label: '移动运营商', values: { CMCC: '中国移动', CUC: '中国联通', CTC: '中国电信' } },
  network_scene: {
    label: '上网场景',
    values: { PUBLIC_PLACE: '公共场所', HOME: '家庭', COMPANY: '公司', SCHOOL: '学校' },
  },
  app_install_status: { label: '应用安装', values: { NOT_INSTALLED: '未安装', INSTALLED: '已安装' } },
  'wechat_ad_behavior.actions': { label: '微信再营销' },
  'wechat_ad_behavior.excluded_actions': { label: '微信再营销（排除）' },
  'wechat_ad_behavior.corp_id': { label: '企业微信编号' },
  custom_audience: { label: '定向人群' },
  excluded_custom_audience: { label: '排除人群' },
  deprecated_custom_audience: { label: '已停用的定向人群' },
  deprecated_excluded_custom_audience: { label: '已停用的排除人群' },
  deprecated_region: { label: '已停用的地域' },
  paid_user: { label: '付费用户' },
  'behavior_or_interest.behavior.category_id_list': { label: '行为类目' },
  'behavior_or_interest.behavior.keyword_list': { label: '行为关键词' },
  'behavior_or_interest.behavior.targeting_tags': { label: '行为标签' },
  'behavior_or_interest.behavior.scene': { label: '行为场景' },
  'behavior_or_interest.behavior.time_window': { label: '行为时间' },
  'behavior_or_interest.behavior.intensity': {
    label: '行为强度',
    values: { BEHAVIOR_INTEREST_INTENSITY_ALL: '不限', BEHAVIOR_INTEREST_INTENSITY_HIGH: '高' },
  },
  'behavior_or_interest.interest.category_id_list': { label: '兴趣类目' },
  'behavior_or_interest.interest.keyword_list': { label: '兴趣关键词' },
  'behavior_or_interest.interest.targeting_tags': { label: '兴趣标签' },
  'behavior_or_interest.intention.targeting_tags': { label: '意向' },
  'excluded_converted_audience.excluded_dimension': { label: '排除已转化用户' },
  'excluded_converted_audience.conversion_behavior_list': { label: '转化行为' },
  'excluded_converted_audience.excluded_day': {
    label: '排除已转化用户的时间',
    values: {
      EXCLUDED_DAY_ONE_DAY: '1 天',
      EXCLUDED_DAY_SEVEN_DAY: '7 天',
      EXCLUDED_DAY_ONE_MONTH: '1 个月',
      EXCLUDED_DAY_TWO_MONTH: '2 个月',
      EXCLUDED_DAY_THREE_MONTH: '3 个月',
      EXCLUDED_DAY_SIX_MONTH: '6 个月',
    },
  },
}
const VOCABULARIES: Readonly<Record<string, Vocabulary>> = { social: SOCIAL, video: VENDOR, commerce: VENDOR }

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** What is left out in words; names and codes that nobody knows stand for themselves. */
export function leftOutWords(platform: PlatformCode, leftOut: readonly LeftOut[]): LeftOutWords[] {
  const vocabulary = own(VOCABULARIES, platformOfCode(platform)) ?? {}
  return leftOut.map(({ field, values, count }) => {
    const said = own(vocabulary, field)
    const words = values.map((value) => own(said?.values ?? {}, value) ?? value)
    const rest = count - values.length
    return { field, label: said?.label ?? field, words: rest > 0 ? [...words, `等 ${count} 项`] : words }
  })
}
