/** The tabs of the social editor, in their order. */
export const TABS = {
  place: '地理位置',
  demography: '人口学属性',
  behaviour: '行为兴趣',
  crowd: '自定义人群',
  conversion: '排除已转化',
} as const
export type Tab = keyof typeof TABS
export const TAB_ORDER = Object.keys(TABS) as Tab[]

/** Every dimension of the form: in which tab and under which label, in the order of the screen. */
export const FIELDS = {
  geo_location: { tab: 'place', label: '地理位置' },
  regions: { tab: 'place', label: '地域' },
  custom_locations: { tab: 'place', label: '商圈与地点' },
  location_types: { tab: 'place', label: '地点类型' },

  age: { tab: 'demography', label: '年龄' },
  gender: { tab: 'demography', label: '性别' },
  education: { tab: 'demography', label: '学历' },
  marital_status: { tab: 'demography', label: '婚恋育儿' },
  working_status: { tab: 'demography', label: '工作状态' },
  financial_situation: { tab: 'demography', label: '资产状态' },
  consumption_type: { tab: 'demography', label: '消费类型' },
  game_consumption_level: { tab: 'demography', label: '游戏消费能力' },
  consumption_status: { tab: 'demography', label: '消费能力' },
  residential_community_price: { tab: 'demography', label: '居住社区价格' },

  behavior: { tab: 'behaviour', label: '行为' },
  behavior_scene: { tab: 'behaviour', label: '行为场景' },
  behavior_time_window: { tab: 'behaviour', label: '行为时间' },
  behavior_categories: { tab: 'behaviour', label: '行为类目' },
  behavior_keywords: { tab: 'behaviour', label: '行为关键词' },
  interest: { tab: 'behaviour', label: '兴趣' },
  interest_categories: { tab: 'behaviour', label: '兴趣类目' },
  interest_keywords: { tab: 'behaviour', label: '兴趣关键词' },
  intention: { tab: 'behaviour', label: '意向' },

  custom_audience: { tab: 'crowd', label: '定向人群' },
  excluded_custom_audience: { tab: 'crowd', label: '排除人群' },

  excluded_dimension: { tab: 'conversion', label: '排除已转化用户' },
  conversion_behavior_list: { tab: 'conversion', label: '转化行为' },
} as const satisfies Record<string, { tab: Tab; label: string }>

export type Field = keyof typeof FIELDS
export const FIELD_ORDER = Object.keys(FIELDS) as Field[]
