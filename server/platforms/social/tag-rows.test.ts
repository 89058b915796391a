import { expect, test } from 'vitest'
import { Tags, treeOf, usersText } from './tag-rows.ts'

const read = (list: unknown) => treeOf(Tags.parse({ list }).list)

test('a flat list becomes a tree in its order; odd rows are left out', () => {
  const tree = read([
    { id: 1, name: '甲', parent_id: 0 },
    { id: '2', name: '乙', parent_id: 1 },
    { name: '没有编号' },
    null,
    { id: 3, name: null, parent_id: 9 },
  ])
  expect(tree).toMatchObject([
    { value: '1', children: [{ value: '2', label: '乙' }] },
    { value: '3', label: '3' },
  ])
  expect(read(undefined)).toEqual([])
})

test('parents that form a circle, or a row below itself, end', () => {
  expect(read([{ id: 1, parent_id: 1 }])).toMatchObject([{ value: '1', children: [] }])
  const circle = read([
    { id: 1, parent_id: 2 },
    { id: 2, parent_id: 1 },
  ])
  expect(circle).toEqual([])
})

test.each([
  [0, '0'],
  [9999, '9999'],
  [12_345, '1.2万'],
  [123_000_000, '1.2亿'],
])('%i users are written %s', (count, text) => expect(usersText(count)).toBe(text))
