/** What a platform's dictionaries are asked for. */
export const TAG_TYPES = {
  REGION: '地域',
  REGION_PLAN: '地域包',
  BUSINESS_DISTRICT: '商圈',
  BEHAVIOR: '行为类目',
  INTEREST: '兴趣类目',
  BEHAVIOR_KEYWORDS: '行为关键词',
  INTEREST_KEYWORDS: '兴趣关键词',
  INTENTION: '意向',
  AWEME: '达人分类',
  AWEME_AUTHOR: '抖音达人',
} as const
export type TagType = keyof typeof TAG_TYPES

/** Fields of a question's filters. */
export const FILTERS = {
  behaviors: '对达人的行为',
  action_scene: '行为场景',
  action_days: '行为天数',
  query_word: '搜索的词',
  category_id: '达人分类的编号',
  aweme_id: '抖音号，求相似的达人',
  ids: '编号，求它们的名称',
  near_category: '类目的编号，求相关的关键词',
  near_keyword: '关键词的编号，求相关的关键词',
  words: '关键词的文字，求其中仍然有效的',
  near_word: '词，求相关的关键词',
  query_list: '同 ids；关键词没有编号的平台同 words',
} as const
export type FilterField = keyof typeof FILTERS
