import { expect, test } from 'vitest'
import type { TagTreeNode } from '#contract/tag.ts'
import { groupKeys, groupsOf, hasRule, marked, neededOf, rowsOf, tagCount, tagsIn } from './tag-rows.ts'

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

test('only history crowds that were built here have a rule to load', () => {
  const shown = { id: 1, name: '甲', count: 1, countedAt: 1, icon: 'crowd', path: '' }
  expect(hasRule({ ...shown, tag_type: 3, isUploaded: false })).toBe(true)
  expect(hasRule({ ...shown, tag_type: 3, isUploaded: true })).toBe(false)
  expect(hasRule({ ...shown, tag_type: 2 })).toBe(false)
})

test('the match in a name is marked', () => {
  expect(marked('我的 iPhone 手机', { from: 3, to: 9 })).toEqual([
    { text: '我的 ', isMatch: false },
    { text: 'iPhone', isMatch: true },
    { text: ' 手机', isMatch: false },
  ])
  expect(marked('女', { from: 0, to: 1 })).toEqual([{ text: '女', isMatch: true }])
  expect(marked('女', { from: 0, to: 0 })).toEqual([{ text: '女', isMatch: false }])
  expect(marked('女', null)).toEqual([{ text: '女', isMatch: false }])
})

test('categories whose tags are not loaded tell their number, and are needed when they are open', () => {
  const large = groupsOf([{ ...group(7, '城市'), tags: 3000 }, group(8, '性别', tag(1, '男'))])
  expect(tagCount(large)).toBe(3001)
  expect(rowsOf(large, new Set()).map((row) => row.tags)).toEqual([3000, 1])
  expect(neededOf(large, new Set())).toEqual([])
  expect(neededOf(large, new Set(groupKeys(large)))).toEqual([7])
})
