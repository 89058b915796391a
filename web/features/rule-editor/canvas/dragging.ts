import { CROWD_TAG, dropOutcome, mayAddRule, type RuleNode } from '#contract/rule.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** Data of a drag: a tag, and the leaf that it is dragged from, if any. */
export interface DragLoad {
  shown: ShownTag
  from?: string | undefined
}

/** Drop target below the rules; a tag dropped there becomes a rule of its own. */
export const NEW_RULE = 'new-rule'
export const leafDropId = (leaf: string) => `leaf:${leaf}`

export const isLoad = (data: unknown): data is DragLoad => typeof data === 'object' && data !== null && 'shown' in data

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

export const hintForNew = (rule: RuleNode, { from }: DragLoad): DropHint =>
  mayAddRule(rule)
    ? { takes: true, words: from ? '移到一条新规则，与以上取交集' : '新建一条规则，与以上取交集' }
    : { takes: false, words: '一个人群最多包含 64 条规则' }
