import { expect, test } from 'vitest'
import type { TagTreeNode } from '#contract/tag.ts'
import { builtInOf } from './use-everyone.ts'

const node = (tag: string, more: Partial<TagTreeNode> = {}): TagTreeNode => ({
  id: 1,
  tag,
  count: 3,
  icon: 'all',
  tag_type: 1,
  counted_at: 5,
  is_built_in: false,
  ...more,
})

test('the tag of all people is the built-in one, whatever others are called', () => {
  const everyone = node('所有人', { count: 7, is_built_in: true })
  const tree = [node('全部用户', { group: [node('全部用户')] }), node('分类', { group: [everyone] })]
  expect(builtInOf(tree)).toBe(everyone)
  expect(builtInOf([node('全部用户')])).toBeUndefined()
})
