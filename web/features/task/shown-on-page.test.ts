import { expect, test } from 'vitest'
import { isShownOn } from './shown-on-page.ts'

test('a link is shown on its page, whatever the rest of the address', () => {
  const link = '/basic-manage/index/data-access?import_id=7'
  expect(isShownOn(link, '/basic-manage/index/data-access?page=2&import_id=7')).toBe(true)
  expect(isShownOn(link, '/basic-manage/index/data-access?import_id=70')).toBe(false)
  expect(isShownOn(link, '/basic-manage/index/data-access')).toBe(false)
  expect(isShownOn('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/3?entry=workbench')).toBe(true)
  expect(isShownOn('/cowd-manage/cowd-assets/watch/3', '/cowd-manage/cowd-assets/watch/31')).toBe(false)
})

test('a link to a list page is never shown, since it does not name an item', () => {
  expect(isShownOn('/cowd-manage/tags', '/cowd-manage/tags')).toBe(false)
})
