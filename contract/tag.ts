import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

/** The values of `tag_type`. In rules there is also CROWD_TAG, a history crowd. */
export const ATTRIBUTE_TAG = 1 as const
export const EVENT_TAG = 2 as const
export const TagType = z.union([z.literal(ATTRIBUTE_TAG), z.literal(EVENT_TAG)])
export type TagType = z.infer<typeof TagType>
export const TAG_TYPE_LABELS: Record<TagType, string> = { [ATTRIBUTE_TAG]: '属性标签', [EVENT_TAG]: '事件标签' }
/** Name of the built-in tag that holds everyone of its advertiser. */
export const ALL_PEOPLE_TAG = '全部用户'

/** Icons of audience tag categories, key to Chinese name; the web maps a key to a picture. */
export const CATEGORY_ICONS = {
  all: '全部用户',
  city_level: '城市级别',
  lifestyle: '生活方式',
  age: '年龄',
  os: '操作系统',
  channel: '渠道偏好',
  ad_format: '广告形式',
  app: '应用',
  launch_time: '设备上市时间',
  province: '省份',
  model: '机型',
  device_price: '设备价格',
  vip: '会员',
  routine: '作息',
  places: '常去地点',
  manufacturer: '厂商',
  gender: '性别',
  media: '媒体渠道',
  exposure: '曝光',
  click: '点击',
  visit: '访问',
  pay: '支付',
  share: '分享',
  order: '下单',
  browse: '浏览',
  landing: '落地页',
  follow: '关注公众号',
  scan: '扫码',
  form: '提交表单',
  lottery: '抽奖',
  winner: '中奖',
  subscribe: '订阅消息',
  other: '其他',
} as const
export type CategoryIcon = keyof typeof CATEGORY_ICONS
export const CategoryIcon = z.enum(keysOf(CATEGORY_ICONS))

/** How many viewers may make for one advertiser; tags and categories made by imports are not counted. */
export const TAGS_MAX = 5000
export const CATEGORIES_MAX = 500

// Definitions of tags

const Field = z.string().min(1).max(200)
/** The longest value, in characters, that a condition names. */
export const VALUE_MAX = 1000
const Value = z.string().max(VALUE_MAX)

/** Operators of conditions on a value. */
export const VALUE_OPS = { equals: '等于', in: '属于', range: '介于', exists: '有值' } as const

/**
 * A condition on one value. `range` is from <= value < to, either end open; numbers compare as numbers, dates
 * (`YYYY-MM-DD[ HH:MM:SS]`) as times.
 */
export const ValueCondition = z.discriminatedUnion('is', [
  z.object({ is: z.literal('equals'), value: Value }),
  z.object({ is: z.literal('in'), values: z.array(Value).min(1, '请至少选择一个值').max(1000) }),
  z
    .object({ is: z.literal('range'), from: Value.nullable(), to: Value.nullable(), as: z.enum(['number', 'date']) })
    .refine((r) => r.from !== null || r.to !== null, '请至少填写范围的一端'),
  z.object({ is: z.literal('exists') }),
])
export type ValueCondition = z.infer<typeof ValueCondition>

/** Whether a range with these ends can hold a value. A day alone means its first moment; a time follows a blank or a T. */
export function isRangeInOrder(from: string, to: string, as: 'number' | 'date'): boolean {
  if (as === 'number') return Number(from) < Number(to)
  const moment = (text: string) => (text.length === 10 ? `${text} 00:00:00` : text.replace('T', ' '))
  return moment(from) < moment(to)
}

export const WINDOW_DAYS_MAX = 3650
/** Everyone whose attribute meets the condition. */
export const AttributeDefinition = z.object({
  kind: z.literal('attribute'),
  attribute: Field,
  condition: ValueCondition,
})
/** Everyone who did the event at least `at_least` times within the window, with properties that meet all conditions. */
export const EventDefinition = z.object({
  kind: z.literal('event'),
  event: Field,
  /** Whole days ending yesterday; null is all time. */
  window_days: z.int().min(1).max(WINDOW_DAYS_MAX).nullable(),
  at_least: z.int().min(1).max(1_000_000).default(1),
  properties: z
    .array(z.object({ property: Field, condition: ValueCondition }))
    .max(10)
    .default([]),
  /** 未做过: everyone of the advertiser who does not meet the rest. */
  negated: z.boolean().default(false),
})
export type AttributeDefinition = z.infer<typeof AttributeDefinition>
export type EventDefinition = z.infer<typeof EventDefinition>
export const EveryoneDefinition = z.object({ kind: z.literal('everyone') })
export const TagDefinition = z.discriminatedUnion('kind', [AttributeDefinition, EventDefinition, EveryoneDefinition])
export type TagDefinition = z.infer<typeof TagDefinition>
export type TagKind = TagDefinition['kind']

const TYPES = {
  attribute: ATTRIBUTE_TAG,
  event: EVENT_TAG,
  everyone: ATTRIBUTE_TAG,
} as const satisfies Record<TagKind, TagType>
/** The `tag_type` of tags of a kind. */
export const tagTypeOf = (kind: TagKind): TagType => TYPES[kind]

// Values without a tag

/** The longest value, in characters, that gets a tag of its own. */
export const TAG_VALUE_MAX = 200

/** Values of an attribute that get no tag of their own, and why; they only count as 有值. */
export const LeftOut = z.discriminatedUnion('code', [
  /** More than `max` characters. */
  z.object({ code: z.literal('tooLong'), params: z.object({ count: z.int(), max: z.int() }) }),
  /** Bytes that are not UTF-8, or a NUL, which Postgres cannot store. */
  z.object({ code: z.literal('notText'), params: z.object({ count: z.int() }) }),
])
export type LeftOut = z.infer<typeof LeftOut>

/** The values without a tag, as one sentence; null when there are none. */
export function leftOutText(leftOut: readonly LeftOut[]): string | null {
  const phrases = leftOut.flatMap(({ code, params }) => {
    if (params.count === 0) return []
    return code === 'tooLong' ? `${params.count} 个超过 ${params.max} 字的值` : `${params.count} 个不是有效文本的值`
  })
  return phrases.length === 0 ? null : `另有 ${phrases.join('和 ')}，只计入「有值」`
}

// The tree that rule editors show

/** A category (has `group`) or a tag (has an id and no `group`). */
export interface TagTreeNode {
  id: number
  tag: string
  /** Exact people count; null while the first count is being made. For a category, null. */
  count: number | null
  icon: CategoryIcon
  tag_type: TagType
  /** The time for which the count holds. */
  counted_at: number | null
  /** The tag of all people; false for a category. */
  is_built_in: boolean
  group?: TagTreeNode[] | undefined
}
export const TagTreeNode: z.ZodType<TagTreeNode> = z.object({
  id: Id,
  tag: z.string(),
  count: z.int().nullable(),
  icon: CategoryIcon,
  tag_type: TagType,
  counted_at: Seconds.nullable(),
  is_built_in: z.boolean(),
  get group(): z.ZodOptional<z.ZodArray<z.ZodType<TagTreeNode>>> {
    return z.array(TagTreeNode).optional()
  },
})

export const getTagTree = endpoint({
  method: 'GET',
  path: '/api/tree',
  group: '标签',
  summary: '标签树；keyword 按标签名或分类名查找',
  query: z.object({
    tag_type: z.coerce.number().pipe(TagType).default(ATTRIBUTE_TAG),
    adv_id: IdParam,
    people_id: z.coerce.number().int().nonnegative().optional(),
    keyword: z.string().max(100).optional(),
  }),
  data: z.object({ adv: z.object({ id: Id, name: z.string() }), data: z.array(TagTreeNode) }),
})

// The management page

export const TagRow = z.object({
  id: Id,
  name: z.string(),
  tag_type: TagType,
  category_id: Id,
  definition: TagDefinition,
  /** Made by an import, not by a viewer. */
  is_automatic: z.boolean(),
  is_built_in: z.boolean(),
  count: z.int().nullable(),
  counted_at: Seconds.nullable(),
  /** A rebuild is waiting or running; count is the last result. */
  refreshing: z.boolean(),
  /** Why the last rebuild failed, as a sentence. */
  error: z.string().nullable(),
  error_outcome: AnyOutcome.nullable(),
  /** Crowds that use it. */
  used_by: z.int(),
})
export type TagRow = z.infer<typeof TagRow>

export const TagCategory = z.object({
  id: Id,
  name: z.string(),
  icon: CategoryIcon,
  tag_type: TagType,
  tags: z.int(),
  /** For a category made for an attribute: its values without a tag. */
  left_out: z.array(LeftOut),
})
export type TagCategory = z.infer<typeof TagCategory>

const AdvQuery = z.object({ adv_id: IdParam })
const TagName = z.string().trim().min(1, '请输入标签名称').max(60, '标签名称最多 60 个字符')
const CategoryName = z.string().trim().min(1, '请输入分类名称').max(30, '分类名称最多 30 个字符')

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tag/list',
  group: '标签',
  summary: '标签列表',
  query: PageQuery.extend({
    adv_id: IdParam,
    tag_type: z.coerce.number().pipe(TagType).optional(),
    category_id: IdParam.optional(),
    keyword: z.string().max(100).optional(),
  }),
  data: z.object({ list: z.array(TagRow), total: z.int() }),
})

export const createTag = endpoint({
  method: 'POST',
  path: '/api/tag',
  group: '标签',
  summary: `新建标签；每个广告主最多自建 ${TAGS_MAX} 个`,
  body: z.object({ adv_id: Id, name: TagName, category_id: Id, definition: TagDefinition }),
  data: z.object({ id: Id }),
})

export const updateTag = endpoint({
  method: 'PUT',
  path: '/api/tag/{id}',
  group: '标签',
  summary: '修改标签的名称、分类或定义；定义改变会重算标签与使用它的人群',
  params: IdParams,
  body: z.object({
    name: TagName.optional(),
    category_id: Id.optional(),
    definition: TagDefinition.optional(),
  }),
  data: Nothing,
})

export const deleteTag = endpoint({
  method: 'DELETE',
  path: '/api/tag/{id}',
  group: '标签',
  summary: '删除标签；正在使用时拒绝并列出使用处',
  params: IdParams,
  data: Nothing,
})

export const TagUse = z.object({ kind: z.enum(['crowd', 'draft']), id: Id, name: z.string() })
export const getTagUsage = endpoint({
  method: 'GET',
  path: '/api/tag/{id}/usage',
  group: '标签',
  summary: '标签被哪些人群使用',
  params: IdParams,
  data: z.object({
    list: z.array(TagUse),
    /** Crowds that do not name the tag but are computed from crowds that do; a change reaches them too. */
    through: z.array(z.object({ id: Id, name: z.string() })),
  }),
})

export const previewTag = endpoint({
  method: 'POST',
  path: '/api/tag/preview',
  group: '标签',
  summary: '不保存，计算一个定义此刻命中的人数',
  body: z.object({ adv_id: Id, definition: TagDefinition }),
  data: z.object({ count: z.int(), counted_at: Seconds }),
})

export const rebuildTags = endpoint({
  method: 'POST',
  path: '/api/tag/rebuild',
  group: '标签',
  summary: '立即重算该广告主的标签',
  body: z.object({ adv_id: Id, ids: z.array(Id).max(1000).optional() }),
  data: z.object({ queued: z.int() }),
})

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/tag/category',
  group: '标签',
  summary: '标签分类',
  query: AdvQuery.extend({ tag_type: z.coerce.number().pipe(TagType).optional() }),
  data: z.object({ list: z.array(TagCategory) }),
})

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/tag/category',
  group: '标签',
  summary: `新建分类；每个广告主最多自建 ${CATEGORIES_MAX} 个`,
  body: z.object({ adv_id: Id, name: CategoryName, icon: CategoryIcon, tag_type: TagType }),
  data: z.object({ id: Id }),
})

export const updateCategory = endpoint({
  method: 'PUT',
  path: '/api/tag/category/{id}',
  group: '标签',
  summary: '修改分类的名称或图标',
  params: IdParams,
  body: z.object({ name: CategoryName.optional(), icon: CategoryIcon.optional() }),
  data: Nothing,
})

export const deleteCategory = endpoint({
  method: 'DELETE',
  path: '/api/tag/category/{id}',
  group: '标签',
  summary: '删除空分类',
  params: IdParams,
  data: Nothing,
})

export const AttributeInfo = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'date']),
  display_name: z.string(),
  /** Known distinct values, most frequent first; at most 200, without those in `left_out`. */
  values: z.array(z.string()),
  distinct: z.int(),
  /** Values that are not among `values` and get no tag. */
  left_out: z.array(LeftOut),
})
export const EventInfo = z.object({
  name: z.string(),
  display_name: z.string(),
  properties: z.array(z.string()),
})

export const listFields = endpoint({
  method: 'GET',
  path: '/api/tag/fields',
  group: '标签',
  summary: '可用于标签定义的属性与事件',
  query: AdvQuery,
  data: z.object({ attributes: z.array(AttributeInfo), events: z.array(EventInfo) }),
})

// Definitions as phrases

const VALUES_SHOWN = 5

/** Display names of fields; if left out, the names on the wire. */
export interface FieldNames {
  attribute?: (name: string) => string
  event?: (name: string) => string
}

function conditionText(field: string, condition: ValueCondition): string {
  // A Latin name is separated from the following Chinese by a blank.
  const subject = /[!-~]$/.test(field) ? `${field} ` : field
  switch (condition.is) {
    case 'equals':
      return `${subject}等于「${condition.value}」`
    case 'in': {
      const shown = condition.values.slice(0, VALUES_SHOWN).map((value) => `「${value}」`)
      const more = condition.values.length > VALUES_SHOWN ? `等 ${condition.values.length} 个值` : ''
      return `${subject}属于${shown.join('')}${more}`
    }
    case 'range': {
      const { from, to } = condition
      const dates = condition.as === 'date'
      if (from !== null && to !== null) return `${subject}从 ${from} 到 ${to}（不含）`
      if (from !== null) return `${subject}${dates ? '不早于' : '不小于'} ${from}`
      return `${subject}${dates ? '早于' : '小于'} ${to}`
    }
    case 'exists':
      return `${subject}有值`
  }
}

/** What a tag means, as one Chinese phrase. */
export function definitionText(definition: TagDefinition, names: FieldNames = {}): string {
  switch (definition.kind) {
    case 'everyone':
      return '该广告主的全部用户'
    case 'attribute':
      return conditionText(names.attribute?.(definition.attribute) ?? definition.attribute, definition.condition)
    case 'event': {
      const window = definition.window_days === null ? '' : `过去 ${definition.window_days} 天`
      const event = `「${names.event?.(definition.event) ?? definition.event}」`
      const where = definition.properties.map((p) => conditionText(p.property, p.condition)).join('，且')
      const what = where ? `${event}（${where}）` : event
      const { at_least, negated } = definition
      // The negation of "at least N times" is "fewer than N times"; for once it is "never".
      if (at_least > 1) return `${window}做过${what}${negated ? '不足' : '至少'} ${at_least} 次`
      return `${window}${negated ? '未做过' : '做过'}${what}`
    }
  }
}
