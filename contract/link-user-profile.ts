import { z } from 'zod'
import { Id, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { Somebody } from './link-user.ts'
import { RuleShape, SubTag } from './rule.ts'

const group = '用户'

/** Most values of a type that a profile names; it says how many there are. */
export const IDENTIFIERS_SHOWN = 20

const Attribute = z.object({
  name: z.string().describe('属性的显示名称'),
  text: z.string().describe('最近一次导入的值，有名称的值按名称；无权查看手机号时，像手机号的会被遮住'),
})
const HeldTag = z.object({
  id: Id.describe('标签 ID'),
  tag_type: SubTag.shape.tag_type.describe('1 属性标签，2 事件标签'),
  name: z.string().describe('标签名称'),
  category: z.string().describe('标签分类'),
  counted_at: Seconds.nullable().describe('标签最近一次计算所用数据的时间，时间戳（秒）'),
})
const HoldingCrowd = z.object({
  id: Id.describe('人群 ID'),
  kind: z.enum(['rule', 'custom']).describe('rule 规则人群，custom 上传的人群'),
  name: z.string().describe('人群名称'),
  counted_at: Seconds.nullable().describe('人群最近一次计算所用数据的时间，时间戳（秒）'),
})

export const getLinkUserProfile = endpoint({
  method: 'GET',
  path: '/api/linkuser/profile',
  group,
  summary: '一个人的档案：标识（遮住）、属性、持有的标签与所在的人群',
  query: Somebody,
  data: z.object({
    identifiers: z
      .array(
        z.object({
          id_type: IdentifierType.describe('标识的类型'),
          label: z.string().describe('类型的名称'),
          total: z.int().describe('这个人有多少个这种标识'),
          shown: z.array(z.string()).describe(`遮住中间的值，最多 ${IDENTIFIERS_SHOWN} 个；散列值不显示任何一位`),
        }),
      )
      .describe('标识，按类型；手机号在用户列表中'),
    attributes: z.array(Attribute).describe('有值的属性，按属性的先后'),
    tags: z.array(HeldTag).describe('持有的标签，按分类与先后'),
    crowds: z.array(HoldingCrowd).describe('所在的人群，新建的在前'),
    as_of: Seconds.describe('读取的时间，时间戳（秒）'),
  }),
})

export const explainLinkUser = endpoint({
  method: 'GET',
  path: '/api/linkuser/why',
  group,
  summary: '一个人为什么在或不在一个规则人群里：规则的每个节点与标签是否成立，以及决定它的事件或属性',
  query: Somebody.extend({ crowd_id: z.coerce.number().pipe(Id).describe('规则人群的 ID') }),
  data: z.object({
    name: z.string().describe('人群名称'),
    rule: RuleShape.describe('人群的规则'),
    is_in: z.boolean().describe('按人群最近一次计算的结果，这个人是否在里面'),
    computed_at: Seconds.nullable().describe('人群最近一次计算所用数据的时间，时间戳（秒）'),
    is_met: z.boolean().describe('按标签现在的结果，规则是否成立；与 is_in 不同时，人群还没有按新的标签计算'),
    nodes: z.record(z.string(), z.boolean()).describe('每个节点是否成立，按节点 id'),
    tags: z
      .array(
        SubTag.extend({
          name: z.string().describe('标签或人群的名称'),
          meaning: z.string().describe('标签的条件，一句话；人群为空'),
          is_held: z.boolean().describe('这个人是否持有'),
          evidence: z.string().nullable().describe('决定结果的事实，例如最近一次事件与次数，或属性的值；人群没有'),
          counted_at: Seconds.nullable().describe('这个结果所用数据的时间，时间戳（秒）'),
          crowd_kind: z
            .enum(['rule', 'custom'])
            .nullable()
            .describe('人群的种类：rule 规则人群，可以再问为什么，custom 上传的人群；标签为 null'),
        }),
      )
      .describe('规则用到的标签与历史人群'),
  }),
})
