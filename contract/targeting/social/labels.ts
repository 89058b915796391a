/** Codes of the choices with the platform's labels. 不限 is no code: the dimension is null then. */
export const LABELS = {
  geo_location: { REGIONS: '按地域', CUSTOM_LOCATIONS: '按商圈与地点' },
  location_types: {
    LIVE_IN: '常住',
    VISITED_IN: '去过',
    RECENTLY_IN: '近期',
    TRAVEL_IN: '旅行',
    LIVE_AND_RECENTLY: '常住且近期',
    CAA_RECENTLY_IN: 'CAA 近期',
    INTELLIGENCE: '预估实时位置',
  },
  gender: { MALE: '男性', FEMALE: '女性' },
  education: {
    DOCTOR: '博士',
    MASTER: '硕士',
    BACHELOR: '本科',
    JUNIOR_COLLEGE: '专科',
    SENIOR: '高中',
    JUNIOR: '初中',
    PRIMARY: '小学',
  },
  marital_status: {
    SINGLE: '单身',
    IN_LOVE: '热恋',
    NEWLY_MARRIED: '新婚',
    MARRIED: '已婚',
    PARENTING: '育儿',
    PARENTING_0: '育儿（孕育中）',
    PARENTING_0_6: '育儿（宝宝 0-6 个月）',
    PARENTING_6_12: '育儿（宝宝 6-12 个月）',
    PARENTING_12_24: '育儿（宝宝 1-2 岁）',
    PARENTING_24_36: '育儿（宝宝 2-3 岁）',
    CHILD_PRE_SCHOOL: '育儿（孩子 3-6 周岁）',
    CHILD_PRIMARY_SCHOOL: '育儿（孩子 6-12 周岁）',
    CHILD_JUNIOR_SCHOOL: '育儿（孩子 12-15 周岁）',
    CHILD_HIGH_SCHOOL: '育儿（孩子 15-18 周岁）',
  },
  working_status: {
    COLLEGE_STUDENT: '在校大学生',
    BUSINESS_USER: '商旅用户',
    GOVERNMENT_OFFICER: '政府公职人员',
    SCIENCE_EDUCATOR: '科研教育者',
    IT_WORKER: 'IT 互联网工作者',
    HEALTH_CARE_WORKER: '医护工作者',
  },
  financial_situation: { CAR_OWNERS: '有车人士', HOME_OWNERS: '有房人士' },
  consumption_type: { PAID_GOODS_VIRTUAL: '虚拟商品付费', PAID_GOODS_REAL: '实物商品付费' },
  game_consumption_level: { HIGH: '高消费用户', NORMAL: '普通消费用户' },
  consumption_status: { HIGH: '高消费', LOW: '低消费' },
  behavior: { CUSTOM: '自定义' },
  behavior_scene: {
    BEHAVIOR_INTEREST_SCENE_ALL: '全部场景',
    BEHAVIOR_INTEREST_SCENE_APP: 'App',
    BEHAVIOR_INTEREST_SCENE_ECOMMERCE: '电商',
    BEHAVIOR_INTEREST_SCENE_INFORMATION: '资讯',
  },
  behavior_time_window: {
    BEHAVIOR_INTEREST_TIME_WINDOW_SEVEN_DAY: '7 天',
    BEHAVIOR_INTEREST_TIME_WINDOW_FIFTEEN_DAY: '15 天',
    BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY: '30 天',
    BEHAVIOR_INTEREST_TIME_WINDOW_THREE_MONTH: '3 个月',
    BEHAVIOR_INTEREST_TIME_WINDOW_SIX_MONTH: '6 个月',
    BEHAVIOR_INTEREST_TIME_WINDOW_ONE_YEAR: '1 年',
  },
  interest: { CUSTOM: '自定义' },
  excluded_dimension: {
    EXCLUDED_DIMENSION_UID: '同账号广告',
    EXCLUDED_DIMENSION_COMPANY_ACCOUNT: '同主体广告',
    EXCLUDED_DIMENSION_APP: '同应用',
    EXCLUDED_DIMENSION_PRODUCT: '同商品',
    // The platform's own spelling, without a D.
    EXCLUDE_DIMENSION_WORKTABLE: '同工作台广告',
    EXCLUDED_DIMENSION_CAMPAIGN: '同计划广告',
    EXCLUDED_DIMENSION_BUSINESS_MANAGER: '同商务管家广告',
  },
  conversion_behavior_list: {
    OPTIMIZATIONGOAL_APP_DOWNLOAD: '下载',
    OPTIMIZATIONGOAL_APP_ACTIVATE: '激活',
    OPTIMIZATIONGOAL_APP_REGISTER: '注册',
    OPTIMIZATIONGOAL_APP_PURCHASE: '付费次数',
    OPTIMIZATIONGOAL_ONE_DAY_RETENTION: '次日留存',
    OPTIMIZATIONGOAL_FOLLOW: '关注',
    OPTIMIZATIONGOAL_PROMOTION_CLICK_KEY_PAGE: '公众号内注册',
    OPTIMIZATIONGOAL_MESSAGE_AFTER_FOLLOW: '公众号内发消息',
    OPTIMIZATIONGOAL_CLICK_MENU_AFTER_FOLLOW: '公众号内点击菜单栏',
    OPTIMIZATIONGOAL_VIEW_COMMODITY_PAGE: '商品详情页浏览',
    OPTIMIZATIONGOAL_ECOMMERCE_CART: '加入购物车',
    OPTIMIZATIONGOAL_ECOMMERCE_ORDER: '下单',
    OPTIMIZATIONGOAL_ECOMMERCE_CHECKOUT: 'H5 购买',
    OPTIMIZATIONGOAL_DELIVERY: '发货',
    OPTIMIZATIONGOAL_LEADS: '销售线索',
    OPTIMIZATIONGOAL_PAGE_RESERVATION: '表单预约',
    OPTIMIZATIONGOAL_ONLINE_CONSULTATION: '在线咨询',
    OPTIMIZATIONGOAL_PAGE_EFFECTIVE_ONLINE_CONSULT: '有效在线咨询',
    OPTIMIZATIONGOAL_TELEPHONE_CONSULTATION: '电话拨打',
    OPTIMIZATIONGOAL_APPLY: '完件',
  },
} as const

/** A dimension whose choices are a fixed list of codes. */
export type ChoiceField = keyof typeof LABELS
export type CodeOf<F extends ChoiceField> = keyof (typeof LABELS)[F] & string

/** The codes of a dimension, in the order of the screen. */
export const codesOf = <F extends ChoiceField>(field: F): [CodeOf<F>, ...CodeOf<F>[]] =>
  // Each table has at least one code.
  Object.keys(LABELS[field]) as [CodeOf<F>, ...CodeOf<F>[]]

export const isChoice = (field: string): field is ChoiceField => Object.hasOwn(LABELS, field)

/** The label of a code; a code that is not known stands for itself. */
export function labelOf(field: ChoiceField, code: string): string {
  const labels: Readonly<Record<string, string>> = LABELS[field]
  return Object.hasOwn(labels, code) ? (labels[code] as string) : code
}
