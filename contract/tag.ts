import { z } from 'zod'
import { ID_MAX, Id, IdParam, IdParams, keysOf, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { TagDefinition, type TagKind } from './tag-definition.ts'

/** The values of `tag_type`. In rules there is also CROWD_TAG, a history crowd. */
export const ATTRIBUTE_TAG = 1 as const
export const EVENT_TAG = 2 as const
export const TagType = z.union([z.literal(ATTRIBUTE_TAG), z.literal(EVENT_TAG)]).describe('1 属性标签，2 事件标签')
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
export const CategoryIcon = z.enum(keysOf(CATEGORY_ICONS)).describe('分类的图标，例如 city_level 城市级别')

/** How many viewers may make for one advertiser; tags and categories made by imports are not counted. */
export const TAGS_MAX = 5000
export const CATEGORIES_MAX = 500

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
  z.object({
    code: z.literal('tooLong').describe('超过长度的值'),
    params: z
      .object({ count: z.int().describe('值的个数'), max: z.int().describe('上限，字符') })
      .describe('有多少个，上限是多少'),
  }),
  /** Bytes that are not UTF-8, or a NUL, which Postgres cannot store. */
  z.object({
    code: z.literal('notText').describe('不是有效文本的值'),
    params: z.object({ count: z.int().describe('值的个数') }).describe('有多少个'),
  }),
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
  /** Of a category: its tags, whether or not they are in this answer. */
  tags?: number | undefined
  group?: TagTreeNode[] | undefined
}
export const TagTreeNode: z.ZodType<TagTreeNode> = z
  .object({
    id: Id.describe('标签 ID；分类的则是分类 ID'),
    tag: z.string().describe('标签或分类的名称'),
    count: z.int().nullable().describe('准确人数；首次计算完成前为 null，分类为 null'),
    icon: CategoryIcon,
    tag_type: TagType,
    counted_at: Seconds.nullable().describe('count 所依据数据的时间，时间戳（秒）；尚无结果时为 null'),
    is_built_in: z.boolean().describe('是否是内置的「全部用户」标签'),
    tags: z.int().optional().describe('分类下的标签数，只答分类时也有；按 keyword 查找时是找到的个数；标签没有这一项'),
    get group(): z.ZodOptional<z.ZodArray<z.ZodType<TagTreeNode>>> {
      return z.array(TagTreeNode).optional().describe('分类下的标签；只答分类时为空；标签没有这一项')
    },
  })
  .meta({ id: 'TagTreeNode', description: '标签树的一个分类（有 group）或标签' })

export const getTagTree = endpoint({
  isRepeated: true,
  method: 'GET',
  path: '/api/tree',
  group: '标签',
  summary: '标签树：全部，或只答分类（most）、一个分类（category_id）；keyword 按标签名或分类名查找，拼音与首字母也可',
  query: z.object({
    tag_type: z.coerce.number().pipe(TagType).default(ATTRIBUTE_TAG).describe('1 属性标签，2 事件标签'),
    adv_id: IdParam.describe('广告主 ID'),
    people_id: z.coerce.number().int().nonnegative().max(ID_MAX).optional().describe('正在编辑的人群 ID，可不填'),
    keyword: z.string().max(100).optional().describe('标签名或分类名包含这段文字，或以它为拼音、首字母'),
    most: z.coerce
      .number()
      .int()
      .min(0)
      .optional()
      .describe('标签总数超过它时只答分类及其标签数（全部用户除外），0 即总是如此；不填则含全部标签'),
    category_id: IdParam.optional().describe('只答这个分类的标签'),
  }),
  data: z.object({
    adv: z.object({ id: Id.describe('广告主 ID'), name: z.string().describe('广告主名称') }).describe('广告主'),
    data: z.array(TagTreeNode).describe('分类，各含其标签'),
  }),
})

// The management page

export const TagRow = z.object({
  id: Id.describe('标签 ID'),
  name: z.string().describe('标签名称'),
  tag_type: TagType,
  category_id: Id.describe('所属分类 ID'),
  definition: TagDefinition,
  text: z.string().describe('定义的一句话，用属性、事件与值的显示名称'),
  /** Made by an import, not by a viewer. */
  is_automatic: z.boolean().describe('是否由导入自动生成'),
  is_built_in: z.boolean().describe('是否是内置的「全部用户」标签'),
  is_hidden: z.boolean().describe('是否已隐藏：标签树中不出现，使用它的规则不变'),
  count: z.int().nullable().describe('准确人数；首次计算完成前为 null'),
  counted_at: Seconds.nullable().describe('count 所依据数据的时间，时间戳（秒）；尚无结果时为 null'),
  /** A rebuild is waiting or running; count is the last result. */
  refreshing: z.boolean().describe('是否正在等待或进行重算；count 是上次的结果'),
  /** Why the last rebuild failed, as a sentence. */
  error: z.string().nullable().describe('上次重算失败的原因，一句话；没有失败时为 null'),
  error_outcome: AnyOutcome.nullable(),
  /** Crowds that use it. */
  used_by: z.int().describe('使用它的人群数'),
})
export type TagRow = z.infer<typeof TagRow>

export const TagCategory = z.object({
  id: Id.describe('分类 ID'),
  name: z.string().describe('分类名称'),
  icon: CategoryIcon,
  tag_type: TagType,
  tags: z.int().describe('标签个数'),
  /** For a category made for an attribute: its values without a tag. */
  left_out: z.array(LeftOut).describe('由属性生成的分类：没有标签的值'),
})
export type TagCategory = z.infer<typeof TagCategory>

const AdvQuery = z.object({ adv_id: IdParam.describe('广告主 ID') })
export const TagName = z.string().trim().min(1, '请输入标签名称').max(60, '标签名称最多 60 个字符')
export const CategoryName = z.string().trim().min(1, '请输入分类名称').max(30, '分类名称最多 30 个字符')

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tag/list',
  group: '标签',
  summary: '标签列表',
  query: PageQuery.extend({
    adv_id: IdParam.describe('广告主 ID'),
    tag_type: z.coerce.number().pipe(TagType).optional().describe('只列：1 属性标签，2 事件标签'),
    category_id: IdParam.optional().describe('只列这个分类的标签'),
    keyword: z.string().max(100).optional().describe('标签名或分类名包含这段文字，或以它为拼音、首字母'),
    id: IdParam.optional().describe('只列这个标签，例如为了查看它的定义'),
  }),
  data: z.object({ list: z.array(TagRow).describe('本页的标签'), total: z.int().describe('符合条件的标签总数') }),
})

export const createTag = endpoint({
  method: 'POST',
  path: '/api/tag',
  group: '标签',
  summary: `新建标签；每个广告主最多自建 ${TAGS_MAX} 个`,
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: TagName.describe('标签名称，1 到 60 个字符，同一分类内不可重名'),
    category_id: Id.describe('所属分类 ID'),
    definition: TagDefinition,
  }),
  data: z.object({ id: Id.describe('新标签的 ID') }),
})

export const updateTag = endpoint({
  method: 'PUT',
  path: '/api/tag/{id}',
  group: '标签',
  summary: '修改标签的名称、分类或定义；定义改变会重算标签与使用它的人群',
  params: IdParams,
  body: z.object({
    name: TagName.optional().describe('新名称，1 到 60 个字符；不填则不变'),
    category_id: Id.optional().describe('新的分类 ID；不填则不移动'),
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

export const TagUse = z.object({
  kind: z.enum(['crowd', 'draft']).describe('crowd 人群，draft 未保存的规则'),
  id: Id.describe('人群或规则的 ID'),
  name: z.string().describe('人群的名称；未保存的规则是「未保存的规则」'),
})
export const getTagUsage = endpoint({
  method: 'GET',
  path: '/api/tag/{id}/usage',
  group: '标签',
  summary: '标签被哪些人群使用',
  params: IdParams,
  data: z.object({
    list: z.array(TagUse).describe('使用它的人群与未保存的规则'),
    /** Crowds that do not name the tag but are computed from crowds that do; a change reaches them too. */
    through: z
      .array(z.object({ id: Id.describe('人群 ID'), name: z.string().describe('人群名称') }))
      .describe('没有直接用到、但经由其他人群用到它的人群'),
  }),
})

export const previewTag = endpoint({
  method: 'POST',
  path: '/api/tag/preview',
  group: '标签',
  summary: '不保存，计算一个定义此刻命中的人数',
  body: z.object({ adv_id: Id.describe('广告主 ID'), definition: TagDefinition }),
  readers: true,
  data: z.object({
    count: z.int().describe('准确人数'),
    counted_at: Seconds.describe('计数所依据数据的时间，时间戳（秒）'),
  }),
})

export const rebuildTags = endpoint({
  method: 'POST',
  path: '/api/tag/rebuild',
  group: '标签',
  summary: '立即重算该广告主的标签',
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    ids: z.array(Id).max(1000).optional().describe('只重算这些标签；不填则全部重算'),
  }),
  data: z.object({ queued: z.int().describe('排入重算的标签数') }),
})

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/tag/category',
  group: '标签',
  summary: '标签分类',
  query: AdvQuery.extend({
    tag_type: z.coerce.number().pipe(TagType).optional().describe('只列：1 属性标签，2 事件标签'),
  }),
  data: z.object({ list: z.array(TagCategory).describe('分类') }),
})

export const createCategory = endpoint({
  method: 'POST',
  path: '/api/tag/category',
  group: '标签',
  summary: `新建分类；每个广告主最多自建 ${CATEGORIES_MAX} 个`,
  body: z.object({
    adv_id: Id.describe('广告主 ID'),
    name: CategoryName.describe('分类名称，1 到 30 个字符，不可重名'),
    icon: CategoryIcon,
    tag_type: TagType,
  }),
  data: z.object({ id: Id.describe('新分类的 ID') }),
})

export const updateCategory = endpoint({
  method: 'PUT',
  path: '/api/tag/category/{id}',
  group: '标签',
  summary: '修改分类的名称或图标',
  params: IdParams,
  body: z.object({
    name: CategoryName.optional().describe('新名称，1 到 30 个字符；不填则不变'),
    icon: CategoryIcon.optional(),
  }),
  data: Nothing,
})

export const deleteCategory = endpoint({
  method: 'DELETE',
  path: '/api/tag/category/{id}',
  group: '标签',
  summary: '删除空分类；with_tags 为 1 时连同其中的标签，人群正在使用时拒绝并列出使用处',
  params: IdParams,
  query: z.object({ with_tags: z.enum(['0', '1']).default('0').describe('1 连同其中的标签删除；0 只删除空分类') }),
  data: Nothing,
})
