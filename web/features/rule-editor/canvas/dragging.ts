import { CROWD_TAG, dropOutcome, mayAddRule, OPS, type RuleNode, type RuleOp } from '#contract/rule.ts'
import { numbersOf, type Place, partOf } from '../state/move-box.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** Data of a drag: a tag, and the leaf that it is dragged from, if any. */
export interface DragLoad {
  shown: ShownTag
  from?: string | undefined
}

/** Data of a drag: a box of the canvas. */
export interface BoxLoad {
  box: string
}

/** Drop targets below the rules; a tag dropped there becomes a rule of its own, joined by the operator. */
export const newRuleDropId = (op: RuleOp) => `new-rule:${op}`
export const leafDropId = (leaf: string) => `leaf:${leaf}`

const has = (data: unknown, key: string) => typeof data === 'object' && data !== null && key in data
export const isLoad = (data: unknown): data is DragLoad => has(data, 'shown')
export const isBoxLoad = (data: unknown): data is BoxLoad => has(data, 'box')
export const isPlace = (data: unknown): data is Place => has(data, 'beside')

/** What drop targets accept: tags, or boxes. */
export const acceptsTags = ({ data }: { data: unknown }): boolean => isLoad(data)
export const acceptsBoxes = ({ data }: { data: unknown }): boolean => isBoxLoad(data)

/** What dropping here would do; `takes` says whether the target accepts it. */
export interface DropHint {
  takes: boolean
  words: string
}

export function hintFor(leaf: RuleNode, { shown, from }: DragLoad): DropHint {
  if (from === leaf.id) return { takes: false, words: '原来的位置' }
  const outcome = dropOutcome(leaf, shown)
  if (outcome.type === 'refused') return { takes: false, words: outcome.words }
  if (outcome.type === 'none') return { takes: false, words: '已在此规则中' }
  const verb = from ? '移到此规则' : '加入此规则'
  if (shown.tag_type === CROWD_TAG) return { takes: true, words: from ? '移到此规则' : '设为历史人群' }
  if (leaf.subTags.length === 0) return { takes: true, words: verb }
  const joins = { n: '，取交集', u: '，取并集', e: '，从中去掉' }
  return { takes: true, words: `${verb}${joins[leaf.op ?? 'n']}` }
}

const NEW_JOINS: Record<RuleOp, string> = { n: '与以上取交集', u: '与以上取并集', e: '从以上去掉' }

export const hintForNew = (rule: RuleNode, { from }: DragLoad, op: RuleOp): DropHint =>
  mayAddRule(rule)
    ? { takes: true, words: `${from ? '移到一条新规则' : '新建一条规则'}，${NEW_JOINS[op]}` }
    : { takes: false, words: '一个人群最多包含 64 条规则' }

/** What dropping a box here would do, such as 移到规则 2 之前（交）. */
export function wordsForPlace(rule: RuleNode, { beside, place }: Place): string {
  const around = partOf(rule, beside)?.around
  return `移到${numbersOf(rule, beside)} ${place === 'before' ? '之前' : '之后'}${around ? `（${OPS[around.op]}）` : ''}`
}
