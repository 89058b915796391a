import { z } from 'zod'
import { CommaList, Id, IdParam, keysOf, meaningsOf, RefreshFlag, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { sentenceOf } from './outcome.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { RegionPlan } from './region-plan.ts'
import { withSpellings } from './spellings.ts'
import { unstorable } from './storable.ts'
import { PlatformId } from './targeting/common.ts'
import { CrowdRow } from './targeting/five-tab/crowd-row.ts'
import { FILTERS, TAG_TYPES } from './targeting/tag-types.ts'

const group = '定向包'

/** The most values of one filter, and names asked for at once. */
const VALUES_MAX = 350
const FilterField = z.enum(keysOf(FILTERS))
export const Filtering = z
  .array(
    z.object({
      field: FilterField.describe(meaningsOf(FILTERS)),
      values: z
        .array(z.union([z.string().max(200), z.int()]).transform(String))
        .max(VALUES_MAX)
        .describe('值'),
    }),
  )
  .max(keysOf(FILTERS).length)

const FilteringText = z
  .string()
  .max(20_000)
  .transform((text, ctx) => {
    const refused = (message: string) => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    try {
      const value: unknown = JSON.parse(text)
      // A text is checked like the body of the POST.
      const unkept = unstorable({ filtering: value })
      return unkept ? refused(sentenceOf(unkept)) : value
    } catch {
      return refused('参数「filtering」应为列表的 JSON 文字')
    }
  })
  .pipe(Filtering)

export const REGION_LEVELS = { PROVINCE: '省', CITY: '市', DISTRICT: '区县', BUSINESS_DISTRICT: '商圈' } as const
export type RegionLevel = keyof typeof REGION_LEVELS

/** A region, category or keyword; one without children has an empty list. */
export interface TagNode {
  value: string
  label: string
  /** The platform's own text, such as 12.3万; null where it counts nobody. */
  num: string | null
  /** Of a region; a municipality's districts stand right below it. */
  level?: RegionLevel | undefined
  children: TagNode[]
}
export const TagNode: z.ZodType<TagNode> = z
  .object({
    value: PlatformId.or(z.string()).describe('编号，保存在定向内容中'),
    label: z.string().describe('名称'),
    num: z.string().nullable().describe('覆盖人数，平台给的文字；平台不计数的为 null'),
    level: z
      .enum(keysOf(REGION_LEVELS))
      .optional()
      .describe(`地域的级别：${meaningsOf(REGION_LEVELS)}`),
    get children(): z.ZodArray<z.ZodType<TagNode>> {
      return z.array(TagNode).describe('下级')
    },
  })
  .meta({ id: 'TargetingTag', description: '地域、类目或关键词' })

export const Creator = z
  .object({
    label_id: z.string().describe('达人编号，保存在定向内容中'),
    author_name: z.string().describe('达人名称'),
    aweme_id: z.string().describe('抖音号'),
    avatar: z.string().describe('头像地址；没有时为空'),
    category_name: z.string().describe('所属分类'),
    cover_num_str: z.string().describe('覆盖人数，平台给的文字'),
    total_fans_num_str: z.string().describe('粉丝数，平台给的文字'),
  })
  .meta({ id: 'TargetingCreator', description: '抖音达人' })
export type Creator = z.output<typeof Creator>

/** When the answer was read from the platform; it is the last copy where the platform could not be reached. */
const Age = {
  read_at: Seconds.describe('从平台读取的时间，时间戳（秒）'),
  fail_outcome: AnyOutcome.nullable(),
}
const nodes = (words: string) => z.array(TagNode).optional().describe(`${words}；type 为它时才有`)

const Tags = z.object({
  REGION: nodes('省、市、区县'),
  REGION_PLAN: z.array(RegionPlan).optional().describe('广告主在这个平台的地域包，新建的在前；type 为它时才有'),
  BUSINESS_DISTRICT: nodes('省、市、区县与商圈'),
  INTENTION: nodes('意向'),
  BEHAVIOR: nodes('行为类目'),
  INTEREST: nodes('兴趣类目'),
  BEHAVIOR_KEYWORDS: nodes('行为关键词，最多 50 个'),
  INTEREST_KEYWORDS: nodes('兴趣关键词，最多 50 个'),
  AWEME: nodes('达人分类'),
  AWEME_AUTHOR: z
    .object({
      authors: z.array(Creator).describe('达人，最多 50 个'),
      categories: z.array(TagNode).describe('名称相符的达人分类；只在按词搜索时有'),
    })
    .optional()
    .describe('达人；type 为它时才有'),
  ...Age,
})
export type Tags = z.output<typeof Tags>

const Path = '/api/v1/gdtcrowd/custom/targetings' as const
const tags = {
  path: `${Path}/tags/{v}`,
  also: [`${Path}/tags`],
  group,
  params: z.object({
    v: z.coerce
      .number()
      .pipe(z.union([z.literal(1), z.literal(2)]))
      .default(2)
      .describe('接口的版本，1 或 2，两者相同'),
  }),
  data: Tags,
} as const
const TagType = z.enum(keysOf(TAG_TYPES)).describe(meaningsOf(TAG_TYPES))
/** The most types of one call; each may be a call to the platform. */
const TYPES_MAX = 4
const words = '筛选条件，每种 type 认识的不同，不认识的会被拒绝'

/** Filters as an object: one that searches, one that asks for what is known. */
const FilterObject = z
  .strictObject({
    query_word: z.string().max(200).optional().describe('搜索的词'),
    query_list: z
      .array(z.union([z.string().max(200), z.int()]))
      .max(VALUES_MAX)
      .optional()
      .describe('编号'),
  })
  .describe('写成对象的筛选条件')
const filteringOf = ({ query_word, query_list }: z.output<typeof FilterObject>) => [
  ...(query_word === undefined ? [] : [{ field: 'query_word' as const, values: [query_word] }]),
  ...(query_list === undefined ? [] : [{ field: 'query_list' as const, values: query_list }]),
]

export const getTags = endpoint({
  method: 'GET',
  ...tags,
  summary: '平台的地域、行为、兴趣与达人：整棵树，或按词搜索；以及广告主的地域包',
  query: withSpellings(
    z.object({
      advertiser_id: IdParam.describe('平台账户 ID'),
      type: TagType,
      filtering: FilteringText.optional().describe(
        `${words}；写成 JSON 文字：\`[{"field":"query_word","values":["手机"]}]\``,
      ),
    }),
    { adv_id: { for: 'advertiser_id', schema: IdParam } },
  ),
})

export const findTags = endpoint({
  method: 'POST',
  ...tags,
  summary: '同 GET 的一种，条件写在请求体里，可以一次取几种',
  body: withSpellings(
    z.object({
      advertiser_id: Id.describe('平台账户 ID'),
      type: z
        .union([TagType, z.array(TagType).min(1).max(TYPES_MAX)])
        .describe(`${meaningsOf(TAG_TYPES)}；可以是其中几种的列表，条件对每种都适用`),
      filtering: Filtering.default([]).describe(words),
    }),
    {
      adv_id: { for: 'advertiser_id', schema: Id },
      filter: { for: 'filtering', schema: FilterObject, read: filteringOf },
    },
  ),
  readers: true,
})

/** Which of the account's crowds a picker shows. */
const CROWD_KINDS = { '0': '平台精选人群', '1': '自定义人群' } as const

/** Whether a crowd has an effect in a package now. */
export const CROWD_STATES = { available: '可以用于投放', frozen: '未生效' } as const
const CrowdState = z.enum(keysOf(CROWD_STATES))

export const listTargetingCrowds = endpoint({
  method: 'GET',
  path: `${Path}/dmp`,
  group,
  summary: '平台账户可用于定向的人群，包括不是从这里推送的',
  query: withSpellings(
    z.object({
      advertiser_id: IdParam.describe('平台账户 ID'),
      type: z
        .enum(keysOf(CROWD_KINDS))
        .optional()
        .describe(`${meaningsOf(CROWD_KINDS)}；不填则两种都列`),
      status: CommaList.pipe(z.array(CrowdState))
        .optional()
        .describe(`只列这些状态的人群，逗号分隔：${meaningsOf(CROWD_STATES)}`),
      name: z.string().max(100).optional().describe('名称包含的文字'),
      page: z.coerce.number().int().min(1).max(10_000).default(1).describe('页码，从 1 开始'),
      page_size: z.coerce.number().int().min(1).max(500).default(10).describe('每页条数，1 到 500'),
      refresh: RefreshFlag,
    }),
    { adv_id: { for: 'advertiser_id', schema: IdParam } },
  ),
  data: z.object({
    list: z.array(CrowdRow).describe('本页的人群'),
    total_num: z.int().describe('符合条件的人群总数'),
    recommend_num: z.int().describe('其中平台精选人群的个数'),
    ...Age,
  }),
})
