/** The tabs of the editor of platforms 2 and 3, in their order. */
export const TABS = {
  demography: '人口学属性',
  behaviour: '用户行为',
  crowd: '自定义人群',
  device: '设备定向',
  special: '特殊定向',
} as const
export type Tab = keyof typeof TABS
export const TAB_ORDER = Object.keys(TABS) as Tab[]

/** Every field of the form that stands in a tab: in which one and under which label, in the order of the screen. */
export const FIELDS = {
  age: { tab: 'demography', label: '年龄' },
  gender: { tab: 'demography', label: '性别' },
  career_by: { tab: 'demography', label: '按职业状态' },
  career: { tab: 'demography', label: '职业状态' },
  district: { tab: 'demography', label: '地理位置' },
  regions: { tab: 'demography', label: '地域' },
  custom_locations: { tab: 'demography', label: '商圈' },
  location_types: { tab: 'demography', label: '地点类型' },
  exclude_limited_region: { tab: 'demography', label: '排除限运地域' },

  smart_interest_action: { tab: 'behaviour', label: '行为兴趣' },
  action_scene: { tab: 'behaviour', label: '行为场景' },
  action_days: { tab: 'behaviour', label: '行为天数' },
  action_tags: { tab: 'behaviour', label: '行为' },
  interest_tags: { tab: 'behaviour', label: '兴趣' },

  auto_crowd_mode: { tab: 'crowd', label: '自定义人群' },
  retargeting_tags_include: { tab: 'crowd', label: '定向人群' },
  retargeting_tags_exclude: { tab: 'crowd', label: '排除人群' },

  platform: { tab: 'device', label: '平台' },
  device_type: { tab: 'device', label: '设备类型' },
  ac: { tab: 'device', label: '网络' },
  carrier: { tab: 'device', label: '运营商' },
  device_brand_by: { tab: 'device', label: '按手机品牌' },
  device_brand: { tab: 'device', label: '手机品牌' },
  launch_price_by: { tab: 'device', label: '按手机价格' },
  launch_price: { tab: 'device', label: '手机价格' },
  activate_type: { tab: 'device', label: '首次激活时间' },

  aweme_fan_by: { tab: 'special', label: '抖音达人' },
  aweme_fan_behaviors: { tab: 'special', label: '用户行为类型' },
  aweme_fan_time_scope: { tab: 'special', label: '行为时间范围' },
  user_aweme_fan: { tab: 'special', label: '达人分类和抖音达人' },
  auto_extend_enabled: { tab: 'special', label: '智能放量' },
  auto_extend_targets: { tab: 'special', label: '可开放定向' },
  new_customer: { tab: 'special', label: '新客' },
  live_platform_tags: { tab: 'special', label: '平台精选人群包' },
} as const satisfies Record<string, { tab: Tab; label: string }>

export type Field = keyof typeof FIELDS
export const FIELD_ORDER = Object.keys(FIELDS) as Field[]
