import { expect, test } from 'vitest'
import type { TagTreeNode } from '#contract/tag.ts'
import { groupKeys, groupsOf, marked, rowsOf, tagsIn } from './tag-rows.ts'

const tag = (id: number, name: string): TagTreeNode => ({
  id,
  tag: name,
  count: id * 10,
  icon: 'gender',
  tag_type: 1,
  counted_at: 5,
  is_built_in: false,
})
const group = (id: number, name: string, ...below: TagTreeNode[]): TagTreeNode => ({
  ...tag(id, name),
  count: null,
  group: below,
})
const tree = groupsOf([group(1, '人口', group(1, '性别', tag(1, '男'), tag(2, '女')), tag(3, '已婚')), group(2, '空')])

test('rows contain open categories, with levels and full paths', () => {
  const rows = rowsOf(tree, new Set(groupKeys(tree)))
  expect(rows.map((row) => [row.level, row.path, row.shown?.count ?? `${row.tags} 个`])).toEqual([
    [0, '人口', '3 个'],
    [1, '人口 / 性别', '2 个'],
    [2, '人口 / 性别 / 男', 10],
    [2, '人口 / 性别 / 女', 20],
    [1, '人口 / 已婚', 30],
    [0, '空', '0 个'],
  ])
  expect(rowsOf(tree, new Set())).toHaveLength(2)
  expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
  expect(tagsIn(tree).map((t) => t.name)).toEqual(['男', '女', '已婚'])
})

test('all matches in a name are marked', () => {
  expect(marked('iPhone 与 IPHONE', 'iphone')).toEqual([
    { text: 'iPhone', isMatch: true },
    { text: ' 与 ', isMatch: false },
    { text: 'IPHONE', isMatch: true },
  ])
  expect(marked('女', '')).toEqual([{ text: '女', isMatch: false }])
  expect(marked('女', '男')).toEqual([{ text: '女', isMatch: false }])
})
