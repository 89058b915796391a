import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TagNode } from '#contract/targeting-tags.ts'
import { foldRegions } from './fold-regions.ts'

const place = (value: string, children: TagNode[] = []): TagNode => ({ value, label: value, num: null, children })
const TREE = [
  place('44', [place('4401', [place('440103'), place('440104')]), place('4403', [place('440303'), place('440304')])]),
  place('11', [place('110101'), place('110102')]),
  place('81'),
]

test.each<[string, string[], string[]]>([
  ['a city without one of its districts stays in parts', ['440103', '4403'], ['440103', '4403']],
  ['all districts of a city are the city', ['440103', '440104'], ['4401']],
  ['all cities of a province are the province', ['440104', '440103', '440304', '440303'], ['44']],
  ['a district of a chosen province is left out', ['44', '440103', '110101'], ['44', '110101']],
  ['codes that are not known stay', ['81', '999'], ['81', '999']],
  ['nothing stays nothing', [], []],
])('%s', (_, codes, expected) => {
  expect(foldRegions(TREE, codes)).toEqual(expected)
})

const leavesOf = (nodes: readonly TagNode[]): string[] =>
  nodes.flatMap((node) => (node.children.length === 0 ? [node.value] : leavesOf(node.children)))
const all = (nodes: readonly TagNode[]): TagNode[] => nodes.flatMap((node) => [node, ...all(node.children)])
/** The smallest places that codes stand for. */
const covered = (codes: readonly string[]) =>
  leavesOf(TREE).filter((leaf) =>
    all(TREE).some(
      (node) => codes.includes(node.value) && (node.value === leaf || leavesOf(node.children).includes(leaf)),
    ),
  )

test('the same places are meant, in no more codes', () => {
  fc.assert(
    fc.property(fc.subarray(all(TREE).map(({ value }) => value)), (codes) => {
      const folded = foldRegions(TREE, codes)
      expect(covered(folded)).toEqual(covered(codes))
      expect(folded.length).toBeLessThanOrEqual(codes.length)
      expect(foldRegions(TREE, folded)).toEqual(folded)
    }),
  )
})
