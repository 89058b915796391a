import { expect, test } from 'vitest'
import { addRule, dropTag, emptyLeaf, findNode, type RuleNode, setOp } from '#contract/rule.ts'
import { countsFor, shareOf, wholeCountOf } from './counts.ts'

const one = dropTag(emptyLeaf('n1'), 'n1', { id: 1, tag_type: 1 })
const two = dropTag(addRule(one, 'n2', 'n3'), 'n3', { id: 2, tag_type: 1 })
const counted = { rule: two, cnt: { n1: 10, n2: 4, n3: 5 }, countedAt: 7, tags: new Map([['1:1', 10]]) }
const at = (rule: RuleNode, id: string) => countsFor(rule, counted).of(findNode(rule, id) as RuleNode)

test('a counted rule shows its counts', () => {
  expect(at(two, 'n2')).toEqual({ people: 4, isStale: false })
  expect(countsFor(two, counted).ofTag({ id: 1, tag_type: 1 })).toBe(10)
  expect(countsFor(structuredClone(two), counted).of(structuredClone(two)).isStale).toBe(false)
})

test('a changed node and its ancestors are stale, others are not', () => {
  const changed = dropTag(two, 'n3', { id: 9, tag_type: 1 })
  expect(at(changed, 'n3')).toEqual({ people: 5, isStale: true })
  expect(at(changed, 'n2')).toEqual({ people: 4, isStale: true })
  expect(at(changed, 'n1')).toEqual({ people: 10, isStale: false })
  expect(at(setOp(two, 'n2', 'u'), 'n1').isStale).toBe(false)
})

test('a new empty rule has 0 people at once, a new node waits for its first count', () => {
  const wrapped = addRule(two, 'n4', 'n5')
  expect(at(wrapped, 'n5')).toEqual({ people: 0, isStale: false })
  expect(at(wrapped, 'n4')).toEqual({ people: null, isStale: true })
})

test('a bar is full for the largest count and empty for 0', () => {
  expect(shareOf(5, [10, 4])).toBe(0.5)
  expect(shareOf(10, [4, null])).toBe(1)
  expect(shareOf(0, [0])).toBe(0)
  expect(shareOf(null, [3])).toBeNull()
})

test.each([
  ['the crowd’s own result', two, { magnitude: 4 }, { people: 4, asOf: 900, newest: null }],
  ['newer data', two, { magnitude: 8 }, { people: 8, asOf: 900, newest: { people: 4, asOf: 7 } }],
  [
    'a rule not computed yet',
    two,
    { magnitude: 8, status: 'computing' as const },
    { people: 4, asOf: 7, newest: null },
  ],
  ['no result yet', two, { magnitude: null, computedAt: null }, { people: 4, asOf: 7, newest: null }],
  ['a changed rule', setOp(two, 'n1', 'u'), { magnitude: 4 }, { people: 4, asOf: 7, newest: null }],
])('a crowd’s total: %s', (_what, saved, crowd, whole) => {
  const ruleCrowd = { status: 'completed' as const, computedAt: 900, ...crowd }
  expect(wholeCountOf(two, countsFor(two, counted), { ruleCrowd, rule: { def: saved } })).toMatchObject(whole)
})

test('a rule being changed, and a new crowd, have the count of what is on the canvas', () => {
  const crowd = { ruleCrowd: { status: 'completed' as const, computedAt: 900, magnitude: 8 }, rule: { def: two } }
  const changed = setOp(two, 'n1', 'u')
  expect(wholeCountOf(changed, countsFor(changed, counted), crowd)).toMatchObject({
    people: 4,
    isStale: true,
    asOf: 7,
  })
  expect(wholeCountOf(two, countsFor(two, counted), null)).toMatchObject({ people: 4, asOf: 7, newest: null })
})
