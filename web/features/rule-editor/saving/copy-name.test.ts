import { expect, test } from 'vitest'
import { ItemName } from '#contract/common.ts'
import { copyName } from './copy-name.ts'

test('a copy’s name is a valid name, also of the longest one', () => {
  expect(copyName('双11高价值女性')).toBe('双11高价值女性-副本')
  const longest = copyName('人'.repeat(30))
  expect(longest).toBe(`${'人'.repeat(27)}-副本`)
  expect(ItemName.safeParse(longest).success).toBe(true)
})
