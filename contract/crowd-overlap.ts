import { z } from 'zod'
import { Id, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { CROWD_TAG, type RuleNode } from './rule.ts'

/** How many crowds an overlap compares. */
export const OVERLAP_MAX = 5

/** Every choice of at least one of the items, in order: 2ⁿ - 1 of them. */
export function choicesOf<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items
  if (first === undefined) return []
  const others = choicesOf(rest)
  return [[first], ...others.map((chosen) => [first, ...chosen]), ...others]
}

/**
 * How many people are in exactly the crowds of each choice, from how many are in all of them: inclusion and exclusion. The
 * counts of both are by the ids of `choicesOf`, joined by commas.
 */
export function exactParts(
  ids: readonly number[],
  inAll: ReadonlyMap<string, number>,
): { ids: number[]; count: number }[] {
  const choices = choicesOf(ids)
  return choices.map((chosen) => {
    const wider = choices.filter((other) => chosen.every((id) => other.includes(id)))
    const count = wider.reduce(
      (sum, other) => sum + (inAll.get(other.join(',')) ?? 0) * ((other.length - chosen.length) % 2 === 0 ? 1 : -1),
      0,
    )
    return { ids: chosen, count }
  })
}

/** The rule of the people who are in all of `ids` and in none of the others. */
export function partRule(ids: readonly number[], others: readonly number[]): RuleNode {
  let made = 0
  const node = (op: RuleNode['op'], exps: RuleNode[], subTags: RuleNode['subTags'] = []): RuleNode => ({
    ...{ id: `n${++made}`, op, subTags, exps },
  })
  const joined = (op: 'n' | 'u', crowds: readonly number[]): RuleNode =>
    crowds.map((id) => node(null, [], [{ id, tag_type: CROWD_TAG }])).reduce((rule, crowd) => node(op, [rule, crowd]))
  const inAll = joined('n', ids)
  return others.length === 0 ? inAll : node('e', [inAll, joined('u', others)])
}

export const countOverlap = endpoint({
  method: 'POST',
  path: '/api/people/overlap',
  group: '人群资产',
  summary: '最多五个人群怎样重叠：恰好在其中某几个里的人数，准确值',
  body: z.object({
    ids: z
      .array(Id)
      .min(2, '请选择至少两个人群')
      .max(OVERLAP_MAX, `最多比较 ${OVERLAP_MAX} 个人群`)
      .describe(`同一广告主的 2 到 ${OVERLAP_MAX} 个人群的 ID，组合定向包或上传的人群；重复的只算一个`),
  }),
  readers: true,
  data: z.object({
    crowds: z
      .array(
        z.object({
          id: Id.describe('人群 ID'),
          kind: z.enum(['rule', 'custom']).describe('rule 组合定向包，custom 上传的人群'),
          name: z.string().describe('人群名称'),
          count: z.int().describe('人数；上传的人群是匹配到的用户数'),
          counted_at: Seconds.describe('人数所用数据的时间，时间戳（秒）'),
        }),
      )
      .describe('比较的人群，按给出的顺序'),
    parts: z
      .array(
        z.object({
          ids: z.array(Id).describe('在这些人群里，且不在其余人群里'),
          count: z.int().describe('这样的人数'),
        }),
      )
      .describe('每一种组合；各部分相加等于至少在一个人群里的人数'),
  }),
})
