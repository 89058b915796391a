import { expect, test } from 'vitest'
import { isLookedAt } from './looked-at.ts'

test('what a link leads to is looked at on its page, whatever else that shows', () => {
  const link = '/basic-manage/index/data-access?import_id=7'
  expect(isLookedAt(link, '/basic-manage/index/data-access?page=2&import_id=7')).toBe(true)
  expect(isLookedAt(link, '/basic-manage/index/data-access?import_id=70')).toBe(false)
  expect(isLookedAt(link, '/basic-manage/index/data-access')).toBe(false)
  expect(isLookedAt('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/3?entry=workbench')).toBe(true)
  expect(isLookedAt('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/31')).toBe(false)
})

test('a page of many things is not taken for one of them', () => {
  expect(isLookedAt('/cowd-manage/tags', '/cowd-manage/tags')).toBe(false)
})
