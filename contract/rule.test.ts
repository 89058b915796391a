import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addRule,
  CROWD_TAG,
  DROP_REFUSALS,
  deleteRule,
  dropOutcome,
  dropTag,
  emptyLeaf,
  emptyLeavesOf,
  faultOf,
  findNode,
  isLeaf,
  LEAF_TAGS_MAX,
  LEAVES_MAX,
  leavesOf,
  mayAddRule,
  moveTag,
  nodesHolding,
  nodesOf,
  Rule,
  type RuleNode,
  type RuleOp,
  removeTag,
  type SubTag,
  sentenceOf,
  setOp,
  subTagsOf,
  withNewIds,
} from './rule.ts'
import { ATTRIBUTE_TAG } from './tag.ts'

const tag = (id: number): SubTag => ({ id, tag_type: ATTRIBUTE_TAG })
const crowd = (id: number): SubTag => ({ id, tag_type: CROWD_TAG })
const leaf = (id: string, ...ids: number[]): RuleNode => ({ id, op: 'n', subTags: ids.map(tag), exps: [] })
const crowdLeaf = (id: string, of: number): RuleNode => ({ id, op: null, subTags: [crowd(of)], exps: [] })
const node = (id: string, op: RuleOp, left: RuleNode, right: RuleNode): RuleNode => ({
  id,
  op,
  subTags: [],
  exps: [left, right],
})
const comb = (leaves: number, op: RuleOp = 'n'): RuleNode => {
  let root = leaf('n0', 1)
  for (let i = 1; i < leaves; i++) root = node(`c${i}`, op, root, leaf(`n${i}`, i + 1))
  return root
}

describe('nodes that hold for somebody', () => {
  const tag = (id: number): SubTag => ({ id, tag_type: 1 })
  const leafOf = (op: RuleOp, ...ids: number[]): RuleNode => ({
    id: `l${op}${ids}`,
    op,
    subTags: ids.map(tag),
    exps: [],
  })
  const held = (ids: readonly number[]) => (one: SubTag) => ids.includes(one.id)
  test.each<[RuleOp, number[], boolean]>([
    ['n', [1, 2], true],
    ['n', [1], false],
    ['u', [2], true],
    ['u', [], false],
    ['e', [1], true],
    ['e', [1, 2], false],
    ['e', [2], false],
  ])('%s with %j', (op, has, holds) => {
    expect(Object.values(nodesHolding(leafOf(op, 1, 2), held(has)))).toEqual([holds])
  })
  test('a tree is told node by node; an empty leaf holds for nobody', () => {
    const tree: RuleNode = { id: 'r', op: 'e', subTags: [], exps: [leafOf('u', 1, 2), leafOf('n')] }
    expect(nodesHolding(tree, held([2]))).toEqual({ r: true, 'lu1,2': true, ln: false })
  })
})

describe('a rule from the wire', () => {
  const refusals: [string, unknown, string][] = [
    ['a node with one child', { id: 'n1', op: 'n', subTags: [], exps: [leaf('n2', 1)] }, '规则节点应恰有两个子节点'],
    [
      'a node with tags and children',
      { ...node('n1', 'n', leaf('a', 1), leaf('b', 2)), subTags: [tag(3)] },
      '规则节点不能同时包含标签与子节点',
    ],
    ['a node without an operator', { ...node('n1', 'n', leaf('a', 1), leaf('b', 2)), op: null }, '规则节点缺少运算符'],
    ['a leaf with tags and no operator', { ...leaf('a', 1), op: null }, '规则节点缺少运算符'],
    ['an id used twice', node('n1', 'n', leaf('a', 1), leaf('a', 2)), '规则节点的 id 重复'],
    ['a tag twice in a leaf', leaf('a', 1, 1), '同一条规则中标签重复'],
    ['a crowd with an operator', { ...crowdLeaf('a', 1), op: 'u' }, '历史人群的规则没有运算符'],
    [
      'a crowd beside a tag',
      { ...crowdLeaf('a', 1), subTags: [crowd(1), tag(2)] },
      '历史人群不能与其他标签同处一条规则',
    ],
    ['65 leaves', comb(65), `一个人群最多包含 ${LEAVES_MAX} 条规则`],
  ]
  test.each(refusals)('%s is refused with a sentence', (_, body, msg) => {
    expect(Rule.safeParse(body).error?.issues[0]?.message).toBe(msg)
  })

  test('a comb of 64 rules and a draft with empty leaves are accepted', () => {
    expect(Rule.safeParse(comb(64)).success).toBe(true)
    expect(Rule.safeParse(node('n1', 'e', leaf('a', 1), emptyLeaf('b'))).success).toBe(true)
    expect(Rule.safeParse(crowdLeaf('a', 7)).success).toBe(true)
  })

  test('a body nested a hundred thousand deep is refused without recursion', () => {
    let deep: unknown = leaf('a', 1)
    for (let i = 0; i < 100_000; i++) deep = { id: `d${i}`, op: 'n', subTags: [], exps: [deep] }
    expect(Rule.safeParse(deep).success).toBe(false)
  })
})

describe('dropping', () => {
  const full: RuleNode = { ...leaf('a'), subTags: Array.from({ length: LEAF_TAGS_MAX }, (_, i) => tag(i + 1)) }
  const outcomes: [string, RuleNode, SubTag, ReturnType<typeof dropOutcome>][] = [
    ['a tag on an empty leaf adds it', leaf('a'), tag(1), { type: 'add' }],
    ['a tag beside others adds it', leaf('a', 2), tag(1), { type: 'add' }],
    ['a tag already in the leaf does nothing', leaf('a', 1), tag(1), { type: 'none' }],
    ['a crowd on an empty leaf sets it', leaf('a'), crowd(1), { type: 'add' }],
    [
      'a crowd on a leaf with tags is refused',
      leaf('a', 2),
      crowd(1),
      { type: 'refused', words: DROP_REFUSALS.replacesTags },
    ],
    [
      'a tag on a leaf with a crowd is refused',
      crowdLeaf('a', 1),
      tag(2),
      { type: 'refused', words: DROP_REFUSALS.holdsCrowd },
    ],
    [
      'a tag with the crowd’s id is refused too',
      crowdLeaf('a', 1),
      tag(1),
      { type: 'refused', words: DROP_REFUSALS.holdsCrowd },
    ],
    [
      'another crowd on a leaf with a crowd is refused',
      crowdLeaf('a', 1),
      crowd(2),
      { type: 'refused', words: DROP_REFUSALS.holdsCrowd },
    ],
    ['the same crowd again does nothing', crowdLeaf('a', 1), crowd(1), { type: 'none' }],
    [
      'a tag on a full leaf is refused',
      full,
      tag(9999),
      { type: 'refused', words: `一条规则最多包含 ${LEAF_TAGS_MAX} 个标签` },
    ],
    ['a tag on a node with children does nothing', comb(2), tag(9), { type: 'none' }],
  ]
  test.each(outcomes)('%s', (_, target, dropped, outcome) => {
    expect(dropOutcome(target, dropped)).toEqual(outcome)
    const after = dropTag(target, target.id, dropped)
    if (outcome.type === 'add') expect(after.subTags).toEqual([...target.subTags, dropped])
    else expect(after).toBe(target)
  })

  test('adding a crowd removes the operator, and removing the crowd restores it', () => {
    const held = dropTag({ ...emptyLeaf('a'), op: 'u' }, 'a', crowd(7))
    expect(held).toEqual(crowdLeaf('a', 7))
    expect(setOp(held, 'a', 'e')).toBe(held)
    expect(removeTag(held, 'a', crowd(7))).toEqual(emptyLeaf('a'))
  })

  test('moving a tag removes it from its leaf, unless the other leaf refuses or already has it', () => {
    const root = node('r', 'n', leaf('a', 1, 2), leaf('b', 2))
    expect(moveTag(root, 'a', 'b', tag(1))).toEqual(node('r', 'n', leaf('a', 2), leaf('b', 2, 1)))
    expect(moveTag(root, 'a', 'b', tag(2))).toBe(root)
    expect(moveTag(root, 'a', 'a', tag(1))).toBe(root)
    expect(moveTag(root, 'a', 'b', tag(9))).toBe(root)
    const held = node('r', 'n', leaf('a', 1), crowdLeaf('b', 7))
    expect(moveTag(held, 'a', 'b', tag(1))).toBe(held)
    expect(moveTag(held, 'b', 'a', crowd(7))).toBe(held)
  })
})

describe('adding and deleting', () => {
  test('adding a rule wraps the tree: 交, the old tree first, an empty leaf second', () => {
    expect(addRule(leaf('a', 1), 'r', 'b')).toEqual(node('r', 'n', leaf('a', 1), emptyLeaf('b')))
  })
  test('a rule has at most 64 leaves', () => {
    expect(mayAddRule(comb(63))).toBe(true)
    expect(mayAddRule(comb(64))).toBe(false)
  })
  test('deleting a node puts its sibling in the parent’s place', () => {
    const inner = node('i', 'u', leaf('a', 1), leaf('b', 2))
    const root = node('r', 'e', inner, leaf('c', 3))
    expect(deleteRule(root, 'a')).toEqual(node('r', 'e', leaf('b', 2), leaf('c', 3)))
    expect(deleteRule(root, 'i')).toEqual(leaf('c', 3))
    expect(deleteRule(root, 'c')).toBe(inner)
  })
  test('the last node cannot be deleted', () => {
    const only = leaf('a', 1)
    expect(deleteRule(only, 'a')).toBe(only)
    expect(deleteRule(comb(3), 'c2')).toEqual(comb(3))
  })
})

describe('the sentence of a rule', () => {
  const NAMES = ['', '女', '一线', '退款', '近30天', '会员']
  const say = (root: RuleNode) =>
    sentenceOf(root, (t) => (t.tag_type === CROWD_TAG ? `人群${t.id}` : (NAMES[t.id] ?? `标签${t.id}`)))
  const union = (id: string, ...ids: number[]): RuleNode => ({ ...leaf(id, ...ids), op: 'u' })
  const minus = (id: string, ...ids: number[]): RuleNode => ({ ...leaf(id, ...ids), op: 'e' })
  const sentences: [RuleNode, string][] = [
    [emptyLeaf('a'), '还没有添加标签。'],
    [node('r', 'n', emptyLeaf('a'), emptyLeaf('b')), '还没有添加标签。'],
    [leaf('a', 1), '「女」的人。'],
    [crowdLeaf('a', 8), '「人群8」的人。'],
    [leaf('a', 1, 2), '「女」并且「一线」的人。'],
    [minus('a', 1, 3, 4), '「女」中去掉「退款」和「近30天」的人。'],
    [node('r', 'n', union('a', 1, 2), leaf('b', 5)), '（「女」或者「一线」）并且「会员」的人。'],
    [node('r', 'n', leaf('a', 1, 2), leaf('b', 5)), '「女」并且「一线」并且「会员」的人。'],
    [node('r', 'e', union('a', 1, 2), leaf('b', 3, 4)), '「女」或者「一线」的人，去掉「退款」并且「近30天」的人。'],
    [
      node('r', 'e', node('i', 'e', leaf('a', 1), leaf('b', 3)), leaf('c', 4)),
      '「女」的人，去掉「退款」的人，再去掉「近30天」的人。',
    ],
    [
      node('r', 'e', leaf('a', 1), node('i', 'e', leaf('b', 2), leaf('c', 3))),
      '「女」的人，去掉「一线」中去掉「退款」的人。',
    ],
    [
      node('r', 'u', node('i', 'e', leaf('a', 1), leaf('b', 3)), leaf('c', 5)),
      '「女」的人，去掉「退款」的人，再加上「会员」的人。',
    ],
    [
      node('r', 'n', node('i', 'u', leaf('a', 1), leaf('b', 2)), union('c', 5, 4)),
      '「女」或者「一线」的人，只留其中「会员」或者「近30天」的人。',
    ],
    [
      node('r', 'n', leaf('a', 5), node('i', 'u', leaf('b', 1), minus('c', 2, 3))),
      '「会员」并且（「女」或者（「一线」中去掉「退款」））的人。',
    ],
    [node('r', 'n', leaf('a', 1), emptyLeaf('b')), '「女」并且（空规则）的人。'],
  ]
  test.each(sentences.map(([root, words]) => [words, root] as const))('%s', (words, root) => {
    expect(say(root)).toBe(words)
  })
})

// Laws

const ops = fc.constantFrom<RuleOp>('n', 'u', 'e')
const leafShape = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ op: ops, ids: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant(null), ids: fc.tuple(fc.integer({ min: 1, max: 9 })) }) },
)
type Shape = { op: RuleOp | null; ids: number[] } | { op: RuleOp; left: Shape; right: Shape }
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    leafShape,
    fc.record({ op: ops, left: tie('shape'), right: tie('shape') }),
  ),
}))
function grow(from: Shape): RuleNode {
  let count = 0
  const build = (s: Shape): RuleNode => {
    const id = `n${++count}`
    if ('left' in s) return node(id, s.op, build(s.left), build(s.right))
    return s.op === null ? crowdLeaf(id, s.ids[0] as number) : { ...leaf(id, ...s.ids), op: s.op }
  }
  return build(from)
}
const rules = shape.map(grow)
const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
const index = fc.nat(1000)
const anyTag = fc.record({ id: fc.integer({ min: 1, max: 9 }), tag_type: fc.constantFrom<1 | 2 | 3>(1, 2, 3) })

/** The people of a rule, where tags 1 to 9 are arbitrary sets of people. */
function people(root: RuleNode, tags: number[]): number {
  const setOf = (t: SubTag) => tags[(t.id + t.tag_type) % tags.length] as number
  const parts = isLeaf(root) ? root.subTags.map(setOf) : root.exps.map((e) => people(e, tags))
  const fold = {
    n: (a: number, b: number) => a & b,
    u: (a: number, b: number) => a | b,
    e: (a: number, b: number) => a & ~b,
  }
  return parts.length === 0 ? 0 : parts.reduce(fold[root.op ?? 'u'])
}

test('a node id that cannot be an object key is refused', () => {
  expect(Rule.safeParse(leaf('__proto__', 1)).error?.issues[0]?.message).toBe('规则节点的 id 不可用')
})

describe('laws', () => {
  test('every edit of a valid rule gives a valid rule', () => {
    fc.assert(
      fc.property(rules, index, index, anyTag, ops, (root, at, to, t, op) => {
        const id = pick(nodesOf(root), at).id
        const source = pick(leavesOf(root), at)
        const target = pick(leavesOf(root), to)
        const moved = pick(source.subTags.length > 0 ? source.subTags : [t], to)
        for (const after of [
          dropTag(root, id, t),
          removeTag(root, source.id, moved),
          moveTag(root, source.id, target.id, moved),
          setOp(root, id, op),
          deleteRule(root, id),
          addRule(root, 'x1', 'x2'),
        ]) {
          expect(faultOf(after)).toBeNull()
          if (leavesOf(after).length <= LEAVES_MAX) expect(Rule.safeParse(after).data).toEqual(after)
        }
      }),
    )
  })

  test('the old tree is unchanged, and untouched subtrees stay the same objects', () => {
    fc.assert(
      fc.property(rules, index, anyTag, ops, (root, at, t, op) => {
        const before = structuredClone(root)
        const id = pick(nodesOf(root), at).id
        for (const after of [dropTag(root, id, t), setOp(root, id, op), deleteRule(root, id)]) {
          for (const kept of nodesOf(after)) {
            const was = findNode(root, kept.id)
            if (was && JSON.stringify(was) === JSON.stringify(kept)) expect(kept).toBe(was)
          }
        }
        expect(root).toEqual(before)
      }),
    )
  })

  test('deleting the rule just added gives the tree back', () => {
    fc.assert(
      fc.property(rules, (root) => {
        expect(deleteRule(addRule(root, 'x1', 'x2'), 'x2')).toBe(root)
      }),
    )
  })

  test('deleting removes the node with all below it, and its parent; the rest keeps its order', () => {
    fc.assert(
      fc.property(rules, index, (root, at) => {
        const gone = pick(nodesOf(root), at)
        fc.pre(gone !== root)
        const below = new Set(nodesOf(gone).map((n) => n.id))
        const left = leavesOf(root).filter((l) => !below.has(l.id))
        expect(leavesOf(deleteRule(root, gone.id))).toEqual(left)
      }),
    )
  })

  test('adding and removing a tag restores the tags; moving there and back keeps every tag', () => {
    fc.assert(
      fc.property(rules, index, anyTag, (root, at, t) => {
        const target = pick(leavesOf(root), at)
        const dropped = dropTag(root, target.id, t)
        if (dropped !== root) {
          expect(findNode(removeTag(dropped, target.id, t), target.id)?.subTags).toEqual(target.subTags)
        }
        const source = pick(leavesOf(root), at + 1)
        const first = source.subTags[0]
        if (!first) return
        const moved = moveTag(root, source.id, target.id, first)
        expect(subTagsOf(moved)).toHaveLength(subTagsOf(root).length)
      }),
    )
  })

  test('new ids change nothing but the ids', () => {
    fc.assert(
      fc.property(rules, (root) => {
        let next = 0
        const copy = withNewIds(root, () => `x${++next}`)
        expect(nodesOf(copy).map(({ op, subTags }) => ({ op, subTags }))).toEqual(
          nodesOf(root).map(({ op, subTags }) => ({ op, subTags })),
        )
        expect(new Set(nodesOf(copy).map((n) => n.id)).size).toBe(nodesOf(root).length)
      }),
    )
  })

  test('an empty leaf is found at any depth', () => {
    fc.assert(
      fc.property(rules, (root) => {
        expect(emptyLeavesOf(addRule(root, 'x1', 'x2'))).toContain('x2')
        expect(emptyLeavesOf(root).every((id) => findNode(root, id)?.subTags.length === 0)).toBe(true)
      }),
    )
  })

  test('leaving brackets out of the sentence changes nothing: operands of one operator read as one list', () => {
    const sets = fc.array(fc.nat(0xffff), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(fc.constantFrom<RuleOp>('n', 'u', 'e'), fc.integer({ min: 2, max: 64 }), sets, (op, leaves, tags) => {
        const flat = { ...leaf('a'), op, subTags: Array.from({ length: leaves }, (_, i) => tag(i + 1)) }
        expect(people(comb(leaves, op), tags)).toBe(people(flat, tags))
        expect(sentenceOf(comb(leaves, op), (t) => `${t.id}`)).not.toContain('（')
      }),
    )
  })
})
