import { z } from 'zod'
import { Id } from './common.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, type TagType } from './tag.ts'

/** n 交 intersection, u 并 union, e 差: the first minus all the others. */
export const OPS = { n: '交', u: '并', e: '差' } as const
export type RuleOp = keyof typeof OPS
/** Leaves of one rule, at any depth. */
export const LEAVES_MAX = 64
/** Tags in one leaf. */
export const LEAF_TAGS_MAX = 200
/** The `tag_type` of a history crowd. */
export const CROWD_TAG = 3 as const

/** A tag, or a history crowd by the crowd's id. */
export interface SubTag {
  id: number
  tag_type: TagType | typeof CROWD_TAG
}

/** A node is a leaf (`subTags`) or has two children (`exps`). A leaf that holds a history crowd has op null. */
export interface RuleNode {
  id: string
  op: RuleOp | null
  subTags: SubTag[]
  exps: RuleNode[]
}

export const SubTag = z.object({
  id: Id.describe('标签 ID；tag_type 为 3 时是人群 ID'),
  tag_type: z
    .union([z.literal(ATTRIBUTE_TAG), z.literal(EVENT_TAG), z.literal(CROWD_TAG)])
    .describe('1 属性标签，2 事件标签，3 历史人群'),
})

/** Worked examples for the API document: women in first-tier cities; and everyone of a crowd who has not paid. */
const RULE_EXAMPLES: RuleNode[] = [
  {
    id: 'n1',
    op: 'n',
    subTags: [
      { id: 12, tag_type: ATTRIBUTE_TAG },
      { id: 31, tag_type: ATTRIBUTE_TAG },
    ],
    exps: [],
  },
  {
    id: 'n1',
    op: 'e',
    subTags: [],
    exps: [
      { id: 'n2', op: null, subTags: [{ id: 7, tag_type: CROWD_TAG }], exps: [] },
      { id: 'n3', op: 'u', subTags: [{ id: 45, tag_type: EVENT_TAG }], exps: [] },
    ],
  },
]

/** The shape only, as in answers. */
export const RuleShape: z.ZodType<RuleNode> = z
  .object({
    id: z.string().min(1).max(64).describe('节点 id，在规则内唯一，1 到 64 个字符'),
    op: z
      .enum(['n', 'u', 'e'])
      .nullable()
      .describe('运算符：n 交，u 并，e 差（第一个减去其余）；只含历史人群的节点为 null'),
    subTags: z
      .array(SubTag)
      .max(LEAF_TAGS_MAX, `一条规则最多包含 ${LEAF_TAGS_MAX} 个标签`)
      .describe('叶节点的标签；有子节点时为空'),
    get exps(): z.ZodArray<z.ZodType<RuleNode>> {
      return z.array(RuleShape).describe('两个子节点，按顺序；叶节点为空')
    },
  })
  .meta({
    id: 'RuleNode',
    description: '规则的一个节点：叶节点（subTags）或有两个子节点（exps）',
    examples: RULE_EXAMPLES,
  })

/** Checks the depth of `exps` without recursion, so that a hostile body cannot exhaust the stack. */
function tooDeep(tree: unknown): boolean {
  let level = [tree]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LEAVES_MAX || level.length > LEAVES_MAX) return true
    level = level.flatMap((n) => {
      const exps = typeof n === 'object' && n !== null ? (n as { exps?: unknown }).exps : undefined
      return Array.isArray(exps) ? exps : []
    })
  }
  return false
}

const tooWide = `一个人群最多包含 ${LEAVES_MAX} 条规则`

/** A whole rule from the wire: shape, at most 64 leaves, unique ids, a crowd alone in its leaf. */
export const Rule: z.ZodType<RuleNode> = z
  .preprocess((tree, ctx) => {
    if (tooDeep(tree)) ctx.addIssue({ code: 'custom', message: tooWide })
    return tree
  }, RuleShape)
  .superRefine((root, ctx) => {
    const reason = faultOf(root)
    if (reason) ctx.addIssue({ code: 'custom', message: reason })
  })

/** A node without children: it holds tags, a crowd, or nothing yet. */
export const isLeaf = (node: RuleNode): boolean => node.exps.length === 0
export const isEmpty = (node: RuleNode): boolean => isLeaf(node) && node.subTags.length === 0
export const holdsCrowd = (node: RuleNode): boolean => node.subTags.some((t) => t.tag_type === CROWD_TAG)
export const sameTag = (a: SubTag, b: SubTag): boolean => a.id === b.id && a.tag_type === b.tag_type
/** A rule that was just added. */
export const emptyLeaf = (id: string): RuleNode => ({ id, op: 'n', subTags: [], exps: [] })

/** Every node, parents before their children. */
export function nodesOf(root: RuleNode): RuleNode[] {
  return [root, ...root.exps.flatMap(nodesOf)]
}
export const leavesOf = (root: RuleNode): RuleNode[] => nodesOf(root).filter(isLeaf)
export const findNode = (root: RuleNode, id: string) => nodesOf(root).find((n) => n.id === id)

/** Distinct tags and crowds of a rule, in order of appearance. */
export function subTagsOf(root: RuleNode): SubTag[] {
  const seen = new Map<string, SubTag>()
  for (const tag of leavesOf(root).flatMap((leaf) => leaf.subTags)) seen.set(`${tag.tag_type}:${tag.id}`, tag)
  return [...seen.values()]
}

/** Whether each node holds for somebody, by node id; `holds` tells it of tags and history crowds. */
export function nodesHolding(root: RuleNode, holds: (tag: SubTag) => boolean): Record<string, boolean> {
  const found: Record<string, boolean> = {}
  const visit = (node: RuleNode): boolean => {
    const parts = isLeaf(node) ? node.subTags.map(holds) : node.exps.map(visit)
    const holding = COMBINE[node.op ?? 'u'](parts)
    found[node.id] = holding
    return holding
  }
  visit(root)
  return found
}

const COMBINE: Record<RuleOp, (parts: readonly boolean[]) => boolean> = {
  n: (parts) => parts.length > 0 && parts.every(Boolean),
  u: (parts) => parts.some(Boolean),
  e: ([first = false, ...others]) => first && !others.some(Boolean),
}

/** Why a tree is not a rule, as a sentence; null when it is one. Empty leaves are allowed, since a draft may have them. */
export function faultOf(root: RuleNode): string | null {
  const nodes = nodesOf(root)
  if (nodes.filter(isLeaf).length > LEAVES_MAX) return tooWide
  if (new Set(nodes.map((n) => n.id)).size < nodes.length) return '规则节点的 id 重复'
  for (const node of nodes) {
    // Counts are keyed by node id, and an object cannot have this key.
    if (node.id === '__proto__') return '规则节点的 id 不可用'
    if (!isLeaf(node)) {
      if (node.exps.length !== 2) return '规则节点应恰有两个子节点'
      if (node.subTags.length > 0) return '规则节点不能同时包含标签与子节点'
      if (node.op === null) return '规则节点缺少运算符'
    } else if (holdsCrowd(node)) {
      if (node.subTags.length > 1) return '历史人群不能与其他标签同处一条规则'
      if (node.op !== null) return '历史人群的规则没有运算符'
    } else {
      if (node.op === null && node.subTags.length > 0) return '规则节点缺少运算符'
      if (new Set(node.subTags.map((t) => t.id)).size < node.subTags.length) return '同一条规则中标签重复'
    }
  }
  return null
}

/** Ids of the empty leaves; a rule with any cannot be saved. */
export const emptyLeavesOf = (root: RuleNode): string[] =>
  leavesOf(root)
    .filter(isEmpty)
    .map((leaf) => leaf.id)

// Edits of a rule. Each returns a new tree and leaves the old one unchanged.

/** The editor's messages for refused drops. */
export const DROP_REFUSALS = {
  replacesTags: '存在其他标签，无法替换！请先删除其他标签',
  holdsCrowd: '已存在历史人群，不允许再拖入其他标签或人群',
} as const

/** The effect of dropping a tag or crowd on a leaf; `none` if it is already there. */
type DropOutcome = { type: 'add' } | { type: 'none' } | { type: 'refused'; words: string }

export function dropOutcome(leaf: RuleNode, tag: SubTag): DropOutcome {
  if (!isLeaf(leaf)) return { type: 'none' }
  if (holdsCrowd(leaf)) {
    return leaf.subTags.some((t) => sameTag(t, tag))
      ? { type: 'none' }
      : { type: 'refused', words: DROP_REFUSALS.holdsCrowd }
  }
  if (tag.tag_type === CROWD_TAG) {
    return leaf.subTags.length > 0 ? { type: 'refused', words: DROP_REFUSALS.replacesTags } : { type: 'add' }
  }
  if (leaf.subTags.some((t) => t.id === tag.id)) return { type: 'none' }
  if (leaf.subTags.length >= LEAF_TAGS_MAX)
    return { type: 'refused', words: `一条规则最多包含 ${LEAF_TAGS_MAX} 个标签` }
  return { type: 'add' }
}

/** Adds a tag or crowd to a leaf if `dropOutcome` allows it; else returns the same tree. */
export function dropTag(root: RuleNode, leafId: string, tag: SubTag): RuleNode {
  return mapNode(root, leafId, (leaf) => {
    const outcome = dropOutcome(leaf, tag)
    if (outcome.type !== 'add') return leaf
    const op = tag.tag_type === CROWD_TAG ? null : (leaf.op ?? 'n')
    return { ...leaf, op, subTags: [...leaf.subTags, { id: tag.id, tag_type: tag.tag_type }] }
  })
}

/** Removes a tag from a leaf; a leaf that held a history crowd gets the operator n again. */
export function removeTag(root: RuleNode, leafId: string, tag: SubTag): RuleNode {
  return mapNode(root, leafId, (leaf) => {
    const subTags = leaf.subTags.filter((t) => !sameTag(t, tag))
    return subTags.length < leaf.subTags.length ? { ...leaf, subTags, op: leaf.op ?? 'n' } : leaf
  })
}

/** Sets a node's operator; a leaf with a history crowd has none. */
export const setOp = (root: RuleNode, id: string, op: RuleOp): RuleNode =>
  mapNode(root, id, (node) => (holdsCrowd(node) || node.op === op ? node : { ...node, op }))

/** Moves a tag from one leaf to another; returns the same tree if the other refuses or already has it. */
export function moveTag(root: RuleNode, fromId: string, toId: string, tag: SubTag): RuleNode {
  const from = findNode(root, fromId)
  if (fromId === toId || !from?.subTags.some((t) => sameTag(t, tag))) return root
  const dropped = dropTag(root, toId, tag)
  return dropped === root ? root : removeTag(dropped, fromId, tag)
}

/** Copies a rule with new node ids, for example when a saved rule is inserted into another. */
export const withNewIds = (root: RuleNode, newId: () => string): RuleNode => ({
  ...root,
  id: newId(),
  exps: root.exps.map((child) => withNewIds(child, newId)),
})

/** Adds a rule by wrapping the tree: a new node, op n unless told, the old tree first and a new empty leaf second. */
export function addRule(root: RuleNode, nodeId: string, leafId: string, op: RuleOp = 'n'): RuleNode {
  return { id: nodeId, op, subTags: [], exps: [root, emptyLeaf(leafId)] }
}
/** Whether the rule has fewer leaves than the limit. */
export const mayAddRule = (root: RuleNode): boolean => leavesOf(root).length < LEAVES_MAX

/** Deletes a node and puts its sibling in the parent's place; the last node cannot be deleted. */
export function deleteRule(root: RuleNode, id: string): RuleNode {
  const [left, right] = root.exps
  if (!left || !right) return root
  if (left.id === id) return right
  if (right.id === id) return left
  return withExps(root, [deleteRule(left, id), deleteRule(right, id)])
}

/** Keeps unchanged nodes as the same objects, so that identity shows which counts are still valid. */
const withExps = (node: RuleNode, exps: RuleNode[]): RuleNode =>
  exps.every((child, i) => child === node.exps[i]) ? node : { ...node, exps }

function mapNode(node: RuleNode, id: string, change: (node: RuleNode) => RuleNode): RuleNode {
  if (node.id === id) return change(node)
  if (isLeaf(node)) return node
  return withExps(
    node,
    node.exps.map((child) => mapNode(child, id, change)),
  )
}

// The rule as a sentence

const JOIN = { n: '并且', u: '或者' } as const

/** The operands of an operator; nested uses of the same operator are merged where brackets make no difference. */
function operandsOf(node: RuleNode, op: RuleOp): RuleNode[] {
  const isMerged = (child: RuleNode, first: boolean) => !isLeaf(child) && child.op === op && (op !== 'e' || first)
  return node.exps.flatMap((child, i) => (isMerged(child, i === 0) ? operandsOf(child, op) : [child]))
}

/** The rule as one Chinese sentence; `nameOf` names a tag or crowd. */
export function sentenceOf(root: RuleNode, nameOf: (tag: SubTag) => string): string {
  if (leavesOf(root).every(isEmpty)) return '还没有添加标签。'
  const parts = (node: RuleNode): { op: RuleOp; words: string[] } => {
    const op = node.op ?? 'u'
    if (isEmpty(node)) return { op, words: ['（空规则）'] }
    if (isLeaf(node)) return { op, words: node.subTags.map((t) => `「${nameOf(t)}」`) }
    return { op, words: operandsOf(node, op).map((child) => phrase(child, op)) }
  }
  const join = ({ op, words }: { op: RuleOp; words: string[] }): string => {
    if (op !== 'e') return words.join(JOIN[op])
    const [first, ...rest] = words
    return rest.length > 0 ? `${first}中去掉${rest.join('和')}` : `${first}`
  }
  const phrase = (node: RuleNode, within: RuleOp): string => {
    const inner = parts(node)
    const bare = inner.words.length < 2 || (inner.op === within && within !== 'e')
    return bare ? join(inner) : `（${join(inner)}）`
  }
  const whole = (node: RuleNode) => join(parts(node))

  // A long rule is a comb: the sentence follows its spine clause by clause, instead of nesting dozens of brackets.
  const { first, steps } = spineOf(root)
  let joinedCount = 0
  const leadingOp = steps[0]?.op
  if (leadingOp === 'n' || leadingOp === 'u') while (steps[joinedCount]?.op === leadingOp) joinedCount++
  const start = joinedCount === 0 ? whole(first) : whole(steps[joinedCount - 1] as RuleNode)
  const clauses = steps
    .slice(joinedCount)
    .map((step, i) => `，${i > 0 ? '再' : ''}${THEN[step.op ?? 'u']}${whole(step.exps[1] as RuleNode)}的人`)
  return `${start}的人${clauses.join('')}。`
}

const THEN = { n: '只留其中', u: '加上', e: '去掉' } as const

/** The innermost first child of a node, and the nodes above it from the inside out. */
function spineOf(root: RuleNode): { first: RuleNode; steps: RuleNode[] } {
  const steps: RuleNode[] = []
  let node = root
  for (let inner = node.exps[0]; inner; inner = node.exps[0]) {
    steps.unshift(node)
    node = inner
  }
  return { first: node, steps }
}
