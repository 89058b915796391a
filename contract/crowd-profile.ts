import { z } from 'zod'
import { CommaIds, Id, IdParam, IdParams, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { FALSE_DISCOVERIES } from './profile-figures.ts'
import { TagType } from './tag.ts'

/** How many tags one answer counts. */
export const PROFILE_TAGS_MAX = 400
const CATEGORIES_MAX = 50

const Side = z.object({
  id: Id.nullable().describe('人群 ID；全部用户为 null'),
  kind: z.enum(['rule', 'custom', 'everyone']).describe('rule 组合定向包，custom 上传的人群，everyone 全部用户'),
  name: z.string().describe('名称'),
  count: z.int().describe('人数；上传的人群是匹配到的用户数'),
  counted_at: Seconds.describe('人数所用数据的时间，时间戳（秒）'),
})

const Fraction = z.number().nullable().describe('占比，0 到 1；没有人时为 null')

const Value = z.object({
  tag_id: Id.describe('标签 ID'),
  name: z.string().describe('标签名称'),
  count: z.int().describe('人群中持有标签的人数'),
  share: Fraction.describe('人群中的占比，0 到 1；人群没有人时为 null'),
  base_count: z.int().describe('对照中持有标签的人数'),
  base_share: Fraction.describe('对照中的占比，0 到 1；对照没有人时为 null'),
  tgi: z.number().nullable().describe('TGI：人群中的占比除以对照中的占比，乘 100；对照中没有这样的人时为 null'),
  p_value: z
    .number()
    .nullable()
    .describe(
      '两者占比的差异出于偶然的概率（双侧 z 检验，同时在两者里的人不重复计算）；人数太少或两者相同、不作检验时为 null',
    ),
  is_significant: z
    .boolean()
    .describe(`差异是否显著：按 Benjamini-Hochberg 校正，误判的比例不超过 ${FALSE_DISCOVERIES * 100}%`),
})

export const getCrowdProfile = endpoint({
  method: 'GET',
  path: '/api/people/{id}/profile',
  group: '人群资产',
  summary: '人群画像：人群中持有各个标签的准确人数，与全部用户或另一个人群相比的 TGI 与显著性',
  params: IdParams,
  query: z.object({
    against: IdParam.optional().describe('对照的人群 ID，同一广告主；不填则与全部用户相比'),
    category_ids: CommaIds.refine((ids) => ids.length <= CATEGORIES_MAX, `最多选择 ${CATEGORIES_MAX} 个分类`)
      .optional()
      .describe(`只看这些标签分类，逗号分隔；不填则从属性分类开始，最多 ${PROFILE_TAGS_MAX} 个标签`),
  }),
  data: z.object({
    adv_id: Id.describe('人群所属广告主的 ID'),
    crowd: Side.describe('人群'),
    base: Side.describe('对照'),
    both: z.int().describe('既在人群里也在对照里的人数'),
    groups: z
      .array(
        z.object({
          id: Id.describe('标签分类 ID'),
          name: z.string().describe('标签分类，例如属性的名称'),
          tag_type: TagType,
          counted_at: Seconds.nullable().describe(
            '其中最早的一次标签计算所用数据的时间，时间戳（秒）；没有数过的为 null',
          ),
          left_out: z.int().describe('没有数的标签：还没有结果，或超过一次的上限'),
          values: z.array(Value).describe('标签，按分类中的先后'),
        }),
      )
      .describe('数过的标签，按分类'),
    categories: z
      .array(
        z.object({
          id: Id.describe('标签分类 ID'),
          name: z.string().describe('名称'),
          tag_type: TagType,
          tags: z.int().describe('其中可用的标签数'),
        }),
      )
      .describe('可以看的全部标签分类'),
  }),
})

export const getCrowdSizes = endpoint({
  method: 'GET',
  path: '/api/people/{id}/sizes',
  group: '人群资产',
  summary: '人群的人数变化：每次计算的人数，七天以前每天一个',
  params: IdParams,
  data: z.object({
    adv_id: Id.describe('人群所属广告主的 ID'),
    kind: z.enum(['rule', 'custom']).describe('rule 组合定向包，custom 上传的人群'),
    name: z.string().describe('人群名称'),
    sizes: z
      .array(
        z.object({
          version: z.int().describe('版本号，与其他版本比较时使用'),
          counted_at: Seconds.describe('人数所用数据的时间，时间戳（秒）'),
          count: z.int().describe('人数；上传的人群是匹配到的用户数'),
          has_members: z.boolean().describe('这一版本的用户是否还保存着；已清理的不能与其他版本比较'),
        }),
      )
      .describe('人数，从早到晚；七天以前只有每天最后一次'),
  }),
})

const VersionParam = z.coerce.number().pipe(
  z
    .int()
    .positive()
    .max(2 ** 32 - 1),
)
const ComparedVersion = z.object({
  version: z.int().describe('版本号'),
  counted_at: Seconds.describe('数据的时间，时间戳（秒）'),
  count: z.int().describe('人数'),
  has_members: z.boolean().describe('这一版本的用户是否还保存着'),
})
const People = z.int().nullable()

export const getCrowdChanges = endpoint({
  method: 'GET',
  path: '/api/people/{id}/changes',
  group: '人群资产',
  summary: '人群的两个版本之间进入与离开的准确人数；其中一个版本的用户已清理的，人数为 null',
  params: IdParams,
  query: z.object({
    from: VersionParam.describe('较早的版本号，由 `GET /api/people/{id}/sizes` 取得'),
    to: VersionParam.describe('较晚的版本号'),
  }),
  data: z.object({
    adv_id: Id.describe('人群所属广告主的 ID'),
    from: ComparedVersion.describe('较早的版本'),
    to: ComparedVersion.describe('较晚的版本'),
    entered: People.describe('只在较晚的版本里的人数；已清理的为 null'),
    left: People.describe('只在较早的版本里的人数；已清理的为 null'),
    stayed: People.describe('两个版本里都有的人数；已清理的为 null'),
  }),
})
