import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addRule, emptyLeaf, faultOf, leavesOf, nodesOf, type RuleNode, type RuleOp } from '#contract/rule.ts'
import { boxOf } from './boxes.ts'
import { mayMove, moveBox, placeBeside } from './move-box.ts'

const leaf = (id: string): RuleNode => emptyLeaf(id)
const node = (id: string, op: RuleOp, left: RuleNode, right: RuleNode): RuleNode => ({
  id,
  op,
  subTags: [],
  exps: [left, right],
})
const SIGN = { n: '&', u: '|', e: '-' }
/** The boxes as drawn, such as (a & (b | c)). */
const drawn = (rule: RuleNode): string => {
  const words = (box: ReturnType<typeof boxOf>): string =>
    box.kind === 'leaf' ? box.node.id : `(${box.parts.map(words).join(` ${SIGN[box.op]} `)})`
  return words(boxOf(rule))
}
const drawnAfter = (rule: RuleNode, id: string, beside: string, place: 'before' | 'after') =>
  drawn(moveBox(rule, id, { beside, place }, 'new'))

// (a & b & c) - (d | e)
const rule = node(
  'r',
  'e',
  node('s2', 'n', node('s1', 'n', leaf('a'), leaf('b')), leaf('c')),
  node('g', 'u', leaf('d'), leaf('e')),
)

describe('a box is moved', () => {
  test('within its box, whose operator stays', () => {
    expect(drawn(rule)).toBe('((a & b & c) - (d | e))')
    expect(drawnAfter(rule, 'c', 'a', 'before')).toBe('((c & a & b) - (d | e))')
    expect(drawnAfter(rule, 'a', 'b', 'after')).toBe('((b & a & c) - (d | e))')
    expect(drawnAfter(rule, 'g', 's2', 'before')).toBe('((d | e) - (a & b & c))')
  })
  test('into another box, where it takes that box’s operator; a box left with one part is no box any more', () => {
    expect(drawnAfter(rule, 'b', 'e', 'after')).toBe('((a & c) - (d | e | b))')
    expect(drawnAfter(rule, 'd', 'a', 'before')).toBe('((d & a & b & c) - e)')
  })
  test('out of its box, beside it', () => {
    expect(drawnAfter(rule, 'd', 'g', 'before')).toBe('((a & b & c) - d - e)')
    expect(drawnAfter(rule, 'c', 's2', 'after')).toBe('((a & b) - c - (d | e))')
    expect(drawnAfter(rule, 'c', 's2', 'before')).toBe('(c - (a & b) - (d | e))')
  })
  test('as a whole, with what is in it', () => {
    expect(drawnAfter(rule, 'g', 'b', 'after')).toBe('(a & b & (d | e) & c)')
  })
})

test('a box stays where it is: the rule is the same object, so nothing is counted again', () => {
  expect(moveBox(rule, 'b', { beside: 'a', place: 'after' }, 'new')).toBe(rule)
  expect(moveBox(rule, 'b', { beside: 'b', place: 'before' }, 'new')).toBe(rule)
})

test('parts that are not touched stay the same objects', () => {
  const moved = moveBox(rule, 'c', { beside: 'a', place: 'before' }, 'new')
  expect(moved.exps[1]).toBe(rule.exps[1])
})

test('a box cannot go beside itself, into itself or beside the whole rule', () => {
  expect(mayMove(rule, 'g', 'g')).toBe(false)
  expect(mayMove(rule, 'g', 'd')).toBe(false)
  expect(mayMove(rule, 'a', 'r')).toBe(false)
  expect(mayMove(rule, 'r', 'a')).toBe(false)
  expect(mayMove(rule, 'd', 'g')).toBe(true)
})

describe('where the keyboard moves a box', () => {
  test.each([
    ['b', 'left', { beside: 'a', place: 'before' }],
    ['b', 'right', { beside: 'c', place: 'after' }],
    ['a', 'left', null],
    ['e', 'right', null],
    ['a', 'up', { beside: 's2', place: 'before' }],
    ['c', 'up', { beside: 's2', place: 'after' }],
    ['g', 'up', null],
    ['g', 'down', { beside: 'c', place: 'after' }],
    ['s2', 'down', { beside: 'd', place: 'before' }],
    ['a', 'down', null],
    ['r', 'left', null],
  ] as const)('%s %s', (id, to, place) => {
    expect(placeBeside(rule, id, to)).toEqual(place)
  })
})

test('after any moves the rule is valid and has the same leaves', () => {
  const steps = fc.array(
    fc.record({
      id: fc.nat(20),
      beside: fc.nat(20),
      place: fc.constantFrom('before' as const, 'after' as const),
    }),
    { maxLength: 12 },
  )
  const ops = fc.array(fc.constantFrom<RuleOp>('n', 'u', 'e'), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(ops, steps, (operators, moves) => {
      let root = operators.reduce((tree, op, i) => ({ ...addRule(tree, `c${i}`, `l${i}`), op }), leaf('first'))
      const leaves = leavesOf(root).map((one) => one.id)
      moves.forEach(({ id, beside, place }, i) => {
        const nodes = nodesOf(root)
        const at = (n: number) => (nodes[n % nodes.length] as RuleNode).id
        root = moveBox(root, at(id), { beside: at(beside), place }, `new${i}`)
      })
      expect(faultOf(root)).toBeNull()
      expect(
        leavesOf(root)
          .map((one) => one.id)
          .sort(),
      ).toEqual(leaves.sort())
    }),
  )
})
