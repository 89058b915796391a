import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TagNode } from '#contract/targeting-tags.ts'
import { branchesWith, marksOf, prunedTree, toggled } from './tree-choice.ts'

const node = (value: string, children: TagNode[] = []): TagNode => ({ value, label: `名${value}`, num: null, children })
const TREE = [node('1', [node('11', [node('111'), node('112')]), node('12')]), node('2', [node('21')])]

test.each<[string, string[], string, string[]]>([
  ['a node is chosen', [], '12', ['12']],
  ['a chosen node is given up', ['12'], '12', []],
  ['a node takes the place of what is chosen below it', ['111', '2'], '1', ['2', '1']],
  ['giving up one below leaves the ones beside it', ['1'], '111', ['12', '112']],
  ['giving up a branch below leaves the others', ['1'], '11', ['12']],
  ['one that the platform withdrew can be given up', ['9', '2'], '9', ['2']],
])('%s', (_, chosen, id, expected) => expect(toggled(TREE, chosen, id)).toEqual(expected))

test('a chosen node marks all below it, and half of those above', () => {
  expect(marksOf(TREE, ['11'])).toEqual({ checked: ['11', '111', '112'], halfChecked: ['1'] })
})

test('clicking a box turns it, and no other box outside of its branch', () => {
  const all = ['1', '11', '111', '112', '12', '2', '21']
  const leaves = ['111', '112', '12', '21']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...all), { maxLength: 12 }), fc.constantFrom(...all), (clicks, id) => {
      const before = clicks.reduce<string[]>((chosen, one) => toggled(TREE, chosen, one), [])
      const after = toggled(TREE, before, id)
      const [was, is] = [marksOf(TREE, before).checked, marksOf(TREE, after).checked]
      expect(is.includes(id)).toBe(!was.includes(id))
      const outside = leaves.filter((leaf) => !leaf.startsWith(id))
      expect(outside.filter((leaf) => is.includes(leaf))).toEqual(outside.filter((leaf) => was.includes(leaf)))
    }),
  )
})

test('a search keeps the branches that lead to a name', () => {
  const found = branchesWith(TREE, (name) => (name === '名11' ? 0 : null))
  expect(found).toEqual([node('1', [node('11', [node('111'), node('112')])])])
})

test('names that begin with it come first, higher ones before lower ones', () => {
  const named = (label: string, children: ReturnType<typeof node>[] = []) => ({ ...node(label, children), label })
  const tree = [
    named('河北', [named('石家庄'), named('沙河')]),
    named('山东'),
    named('江苏', [named('连云港', [named('东海')])]),
    named('上海'),
  ]
  const places: Record<string, number> = { 石家庄: 0, 沙河: 1, 东海: 0, 上海: 0 }
  const labels = (all: typeof tree): unknown[] =>
    all.map(({ label, children }) => [label, ...labels(children as never)])
  expect(labels(branchesWith(tree, (name) => places[name] ?? null) as never)).toEqual([
    ['上海'],
    ['河北', ['石家庄'], ['沙河']],
    ['江苏', ['连云港', ['东海']]],
  ])
})

test('a level is left out with all below it', () => {
  expect(prunedTree(TREE, ({ value }) => value.length < 3)).toEqual([
    node('1', [node('11'), node('12')]),
    node('2', [node('21')]),
  ])
})
