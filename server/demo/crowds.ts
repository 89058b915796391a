import type { RuleNode, RuleOp, SubTag } from '#contract/rule.ts'
import type { CategoryIcon } from '#contract/tag.ts'
import type { ValueCondition } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'

/** Tags that a marketer would add to the automatic ones. `in` names the category. */
export interface DemoTag {
  name: string
  in: string
  definition: TagDefinition
}

export const CATEGORIES: { name: string; icon: CategoryIcon }[] = [
  { name: '年龄段', icon: 'age' },
  { name: '消费能力', icon: 'vip' },
]

const attribute = (name: string, condition: ValueCondition): TagDefinition => ({
  kind: 'attribute',
  attribute: name,
  condition,
})
const range = (from: string | null, to: string | null): ValueCondition => ({ is: 'range', from, to, as: 'number' })
const event = (name: string, window_days: number | null, more: object = {}): TagDefinition => ({
  kind: 'event',
  event: name,
  window_days,
  at_least: 1,
  properties: [],
  negated: false,
  ...more,
})
const past = (days: number, name: string): DemoTag => ({
  name: `近 ${days} 天${name}`,
  in: name,
  definition: event(name, days),
})

export const TAGS: DemoTag[] = [
  ...[
    ['18-24 岁', '18', '25'],
    ['25-34 岁', '25', '35'],
    ['35-44 岁', '35', '45'],
    ['45 岁及以上', '45', null],
  ].map(([name, from, to]) => ({
    name: name as string,
    in: '年龄段',
    definition: attribute('年龄', range(from as string, to ?? null)),
  })),
  { name: '消费 1000 元以上', in: '消费能力', definition: attribute('累计消费', range('1000', null)) },
  { name: '消费 5000 元以上', in: '消费能力', definition: attribute('累计消费', range('5000', null)) },
  ...[7, 30].flatMap((days) => ['曝光', '点击', '访问', '浏览商品', '支付'].map((name) => past(days, name))),
  past(7, '加入购物车'),
  past(30, '下单'),
  { name: '近 30 天支付至少 2 次', in: '支付', definition: event('支付', 30, { at_least: 2 }) },
  {
    name: '近 90 天单笔支付满 200 元',
    in: '支付',
    definition: event('支付', 90, { properties: [{ property: '金额', condition: range('200', null) }] }),
  },
  {
    name: '近 90 天买过美妆',
    in: '支付',
    definition: event('支付', 90, { properties: [{ property: '类目', condition: { is: 'equals', value: '美妆' } }] }),
  },
  { name: '近 30 天未访问', in: '访问', definition: event('访问', 30, { negated: true }) },
]

export const FOLDERS = [
  { name: '大促活动', below: ['双11', '年货节'] },
  { name: '会员运营', below: [] },
  { name: '拉新投放', below: [] },
] as const

export interface DemoCrowd {
  name: string
  folder: string
  rule: DemoRule
  /** What happens after it was computed: it expires, or a running plan uses it. */
  later?: 'expired' | 'in use'
}

/** A rule that names tags (`分类/标签`) and earlier crowds (`@人群`). */
export type DemoRule =
  | { op: RuleOp; of: string[] }
  | { op: RuleOp; left: DemoRule; right: DemoRule }
  | { crowd: string }

const all = (...of: string[]): DemoRule => ({ op: 'n', of })
const any = (...of: string[]): DemoRule => ({ op: 'u', of })
const but = (...of: string[]): DemoRule => ({ op: 'e', of })
const join = (op: RuleOp, left: DemoRule, right: DemoRule): DemoRule => ({ op, left, right })

export const CROWDS: DemoCrowd[] = [
  {
    name: '高价值女性会员',
    folder: '默认分组',
    rule: join('n', all('性别/女', '支付/近 30 天支付'), any('会员等级/钻石会员', '会员等级/金卡会员')),
  },
  {
    name: '加购未支付-近7天',
    folder: '双11',
    rule: but('加入购物车/近 7 天加入购物车', '支付/近 7 天支付'),
  },
  {
    name: '一二线年轻果粉',
    folder: '默认分组',
    rule: join(
      'n',
      any('城市级别/一线', '城市级别/新一线', '城市级别/二线'),
      join('n', any('年龄段/18-24 岁', '年龄段/25-34 岁'), all('手机品牌/Apple')),
    ),
  },
  {
    name: '沉睡会员唤醒',
    folder: '默认分组',
    rule: join('n', any('会员等级/钻石会员', '会员等级/金卡会员', '会员等级/银卡会员'), all('访问/近 30 天未访问')),
  },
  { name: '抽奖未中奖', folder: '默认分组', rule: but('抽奖/做过抽奖', '中奖/做过中奖') },
  { name: '美妆高客单复购', folder: '会员运营', rule: all('支付/近 90 天买过美妆', '支付/近 30 天支付至少 2 次') },
  {
    name: '双11核心人群',
    folder: '双11',
    rule: join('u', { crowd: '高价值女性会员' }, { crowd: '加购未支付-近7天' }),
  },
  {
    name: '看过广告未到店',
    folder: '拉新投放',
    rule: join('e', any('曝光/近 7 天曝光', '点击/近 7 天点击'), any('访问/近 7 天访问')),
  },
  {
    name: '秋季新品投放人群',
    folder: '默认分组',
    rule: join('n', any('生活方式/精致美妆', '生活方式/美食探店'), all('点击/近 30 天点击')),
    later: 'in use',
  },
  { name: '618大促人群', folder: '大促活动', rule: all('支付/近 90 天单笔支付满 200 元'), later: 'expired' },
  {
    name: '618复购人群',
    folder: '大促活动',
    rule: join('n', { crowd: '618大促人群' }, all('支付/近 30 天支付')),
  },
]

/** The rule with ids instead of names; node ids start at `n1`. */
export function ruleOf(
  rule: DemoRule,
  idOf: { tag(path: string): SubTag; crowd(name: string): SubTag },
  next: () => string = counter(),
): RuleNode {
  const id = next()
  if ('crowd' in rule) return { id, op: null, subTags: [idOf.crowd(rule.crowd)], exps: [] }
  if ('of' in rule) return { id, op: rule.op, subTags: rule.of.map(idOf.tag), exps: [] }
  return { id, op: rule.op, subTags: [], exps: [ruleOf(rule.left, idOf, next), ruleOf(rule.right, idOf, next)] }
}

function counter(): () => string {
  let made = 0
  return () => `n${++made}`
}
