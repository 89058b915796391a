import { expect, test } from 'vitest'
import { withoutOwned } from './owned-state.ts'

test.each([
  ['?dir_id=4&name=老客&status=failed&page=3', '?name=%E8%80%81%E5%AE%A2&status=failed'],
  ['?crowd=9&child=2&panel=pushes', ''],
  ['?category_id=3&tag_type=1', '?tag_type=1'],
  ['?adv_id=all', ''],
  ['?keyword=a&sort=created_at', '?keyword=a&sort=created_at'],
  ['', ''],
])('of %s another advertiser keeps %s', (search, left) => {
  expect(withoutOwned(search)).toBe(left)
})
