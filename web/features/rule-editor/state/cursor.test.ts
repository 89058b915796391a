import { describe, expect, test } from 'vitest'
import { addRule, emptyLeaf, type RuleNode, type RuleOp, setOp } from '#contract/rule.ts'
import { boxOf, depthOf, type GroupBox } from './boxes.ts'
import { type Cursor, type Direction, existingCursor, joinOf, step, targetLeaf } from './cursor.ts'

const leaf = (id: string, ...tags: number[]): RuleNode => ({
  ...emptyLeaf(id),
  subTags: tags.map((t) => ({ id: t, tag_type: 1 })),
})
const node = (id: string, op: RuleOp, left: RuleNode, right: RuleNode): RuleNode => ({
  id,
  op,
  subTags: [],
  exps: [left, right],
})
const comb = (leaves: number, opOf: (i: number) => RuleOp) => {
  let root = leaf('l0', 1)
  for (let i = 1; i < leaves; i++) root = setOp(addRule(root, `c${i}`, `l${i}`), `c${i}`, opOf(i))
  return root
}

describe('boxes', () => {
  test('a comb of one operator is one box', () => {
    const box = boxOf(comb(64, () => 'e')) as GroupBox
    expect(box.parts.map((part) => part.node.id)).toEqual(Array.from({ length: 64 }, (_, i) => `l${i}`))
    expect(box.steps.map((s) => s.id)).toEqual(Array.from({ length: 63 }, (_, i) => `c${i + 1}`))
    expect(depthOf(box)).toBe(2)
  })
  test('another operator is a nested box, and so is a second child', () => {
    expect(depthOf(boxOf(comb(5, (i) => (i % 2 ? 'n' : 'u'))))).toBe(5)
    const right = boxOf(node('r', 'n', leaf('a'), node('i', 'n', leaf('b'), leaf('c')))) as GroupBox
    expect(right.parts.map((part) => part.kind)).toEqual(['leaf', 'group'])
  })
})

//   r 差
//   ├ i 并: a(1 2), b
//   └ c(3)
const rule = node('r', 'e', node('i', 'u', leaf('a', 1, 2), leaf('b')), leaf('c', 3))
const at = (id: string, tag?: number): Cursor => (tag ? { node: id, tag: { id: tag, tag_type: 1 } } : { node: id })

describe('arrow keys', () => {
  const moves: [Cursor, Direction, Cursor][] = [
    [at('r'), 'down', at('i')],
    [at('i'), 'down', at('a')],
    [at('a'), 'down', at('a', 1)],
    [at('a', 1), 'right', at('a', 2)],
    [at('a', 2), 'right', at('a', 2)],
    [at('a', 2), 'left', at('a', 1)],
    [at('a', 2), 'up', at('a')],
    [at('a'), 'right', at('b')],
    [at('b'), 'right', at('c')],
    [at('c'), 'right', at('c')],
    [at('c'), 'left', at('i')],
    [at('b'), 'up', at('i')],
    [at('i'), 'up', at('r')],
    [at('r'), 'up', at('r')],
    [at('r'), 'first', at('a')],
    [at('a', 1), 'last', at('c')],
    [at('b'), 'down', at('b')],
  ]
  test.each(moves)('%o %s %o', (from, to, there) => {
    expect(step(rule, from, to)).toEqual(there.tag ? there : { node: there.node })
  })
  test('a folded box is not entered', () => {
    expect(step(rule, at('i'), 'down', (id) => id === 'i')).toEqual(at('i'))
    expect(step(rule, at('c'), 'first', (id) => id === 'i')).toEqual(at('i'))
  })
})

describe('cursor and targets', () => {
  test('a cursor whose tag or node is gone falls back to its leaf, then to the first rule', () => {
    expect(existingCursor(rule, at('a', 9))).toEqual(at('a'))
    expect(existingCursor(rule, at('x'))).toEqual(at('a'))
    expect(existingCursor(rule, at('a', 2))).toEqual(at('a', 2))
  })
  test('a tag from the tree goes into the leaf at the cursor, or into the empty leaf of the box at the cursor', () => {
    expect(targetLeaf(rule, at('c')).id).toBe('c')
    expect(targetLeaf(rule, at('r')).id).toBe('b')
    expect(targetLeaf(node('r', 'n', leaf('a', 1), leaf('c', 2)), at('r')).id).toBe('c')
  })
  test('the operator before a box is that of the node that joins it', () => {
    expect(joinOf(rule, 'c')?.id).toBe('r')
    expect(joinOf(rule, 'b')?.id).toBe('i')
    expect(joinOf(rule, 'a')).toBeUndefined()
    expect(
      joinOf(
        comb(4, () => 'n'),
        'l2',
      )?.id,
    ).toBe('c2')
  })
})
