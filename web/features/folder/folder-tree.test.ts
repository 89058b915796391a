import { expect, test } from 'vitest'
import type { AssetFolder } from '#contract/folder.ts'
import { folderDrop, TOP } from './folder-dragging.ts'
import { idsOf, refusalOfMove, refusalOfNew } from './folder-tree.ts'

const folder = (id: number, name: string, parentId: number | null, subDirs: AssetFolder[] = []): AssetFolder => ({
  id,
  name,
  parentId,
  subDirs,
})
const chain = folder(2, '二级起', null, [
  folder(3, '三', 2, [folder(4, '四', 3, [folder(5, '五', 4, [folder(6, '六', 5)])])]),
])
const tree = [
  folder(1, '默认分组', null),
  chain,
  folder(7, '大促', null, [folder(8, '复购', 7)]),
  folder(9, '复购', null),
]

test('lists the ids of a folder and of all below it', () => {
  expect(idsOf(chain)).toEqual([2, 3, 4, 5, 6])
})

test('a sixth level is refused', () => {
  expect(refusalOfNew(tree, 5)).toBeNull()
  expect(refusalOfNew(tree, 6)).toBe('目录层级最多只有5级')
  expect(refusalOfNew(tree, null)).toBeNull()
})

test.each([
  [1, 7, '默认分组不可重命名、移动或删除'],
  [2, 4, '不能将文件夹移动到自身或其子文件夹下'],
  [2, 2, '不能将文件夹移动到自身或其子文件夹下'],
  [7, 5, '目录层级最多只有5级'],
  [2, 7, '目录层级最多只有5级'],
  [9, 7, '同级目录下不允许重名'],
  [8, null, '同级目录下不允许重名'],
  [3, null, null],
  [9, 2, null],
])('moving %i under %s: %s', (id, parentId, refusal) => {
  expect(refusalOfMove(tree, id, parentId)).toBe(refusal)
})

test.each([
  [9, 2, { type: 'move', parentId: 2, words: '移到「二级起」' }],
  [3, TOP, { type: 'move', parentId: null, words: '移到最上层' }],
  [3, 2, { type: 'none', words: '原来的位置' }],
  [9, TOP, { type: 'none', words: '原来的位置' }],
  [9, 9, { type: 'none', words: '原来的位置' }],
  [9, 7, { type: 'refused', words: '同级目录下不允许重名' }],
  [7, 5, { type: 'refused', words: '目录层级最多只有5级' }],
] as const)('the effect of dropping %i on %s', (id, place, drop) => {
  expect(folderDrop(tree, id, place)).toEqual(drop)
})
