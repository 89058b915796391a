import { expect, test } from 'vitest'
import { isLookedAt } from './looked-at.ts'

test('a link is shown on its page, whatever the rest of the address', () => {
  const link = '/basic-manage/index/data-access?import_id=7'
  expect(isLookedAt(link, '/basic-manage/index/data-access?page=2&import_id=7')).toBe(true)
  expect(isLookedAt(link, '/basic-manage/index/data-access?import_id=70')).toBe(false)
  expect(isLookedAt(link, '/basic-manage/index/data-access')).toBe(false)
  expect(isLookedAt('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/3?entry=workbench')).toBe(true)
  expect(isLookedAt('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/31')).toBe(false)
})

test('a list page does not show one of its items', () => {
  expect(isLookedAt('/cowd-manage/tags', '/cowd-manage/tags')).toBe(false)
})
