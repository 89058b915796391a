import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choicesOf, exactParts, partRule } from './crowd-overlap.ts'
import { faultOf, nodesHolding } from './rule.ts'

test('every choice of at least one item is there once', () => {
  expect(
    choicesOf(['a', 'b', 'c'])
      .map((chosen) => chosen.join(''))
      .sort(),
  ).toEqual(['a', 'ab', 'abc', 'ac', 'b', 'bc', 'c'])
  expect(choicesOf([1, 2, 3, 4, 5])).toHaveLength(31)
})

const crowds = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 30 })), { minLength: 1, maxLength: 5 })

test('the exact parts are those that sets have', () => {
  fc.assert(
    fc.property(crowds, (members) => {
      const ids = members.map((_, at) => at + 1)
      const isIn = (uid: number) => (id: number) => members[id - 1]?.includes(uid) ?? false
      const people = Array.from({ length: 31 }, (_, uid) => uid)
      const inAll = new Map(
        choicesOf(ids).map((chosen) => [chosen.join(','), people.filter((uid) => chosen.every(isIn(uid))).length]),
      )
      for (const { ids: chosen, count } of exactParts(ids, inAll)) {
        const exact = people.filter((uid) => ids.every((id) => chosen.includes(id) === isIn(uid)(id)))
        expect(count).toBe(exact.length)
      }
    }),
  )
})

test('the rule of a part is valid, and holds for its people alone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(30), fc.nat(31), (size, which, person) => {
      const ids = Array.from({ length: size }, (_, at) => at + 1)
      const choices = choicesOf(ids)
      const chosen = choices[which % choices.length] ?? []
      const others = ids.filter((id) => !chosen.includes(id))
      const rule = partRule(chosen, others)
      expect(faultOf(rule)).toBeNull()
      const isIn = (id: number) => ((person >> (id - 1)) & 1) === 1
      const holds = nodesHolding(rule, ({ id }) => isIn(id))[rule.id]
      expect(holds).toBe(ids.every((id) => chosen.includes(id) === isIn(id)))
    }),
  )
})
