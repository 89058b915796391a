import { expect, test } from 'vitest'
import { menuFor, menuPageOf } from './menu.ts'

test.each([
  ['/cowd-manage/cowd-assets', '人群资产'],
  ['/cowd-manage/cowd-assets/3', '人群资产'],
  ['/cowd-manage/cowd-assets/edit/12', '人群资产'],
  ['/cowd-manage/assets/crowd/2/5', '人群资产'],
  ['/cowd-manage/custom-crowd/upload', '自定义人群'],
  ['/cowd-manage/user-behavior/0012', '用户列表'],
  ['/campaign-manage/day-report', '活动列表'],
  ['/basic-manage/index/tokens', '接口与令牌'],
  ['/nowhere', undefined],
])('%s belongs to %s', (path, title) => expect(menuPageOf(path)?.title).toBe(title))

test('only an admin finds the users page in the menu', () => {
  const titles = (is_admin: boolean) => menuFor({ is_admin }).flatMap((group) => group.pages.map((page) => page.title))
  expect(titles(true)).toContain('用户管理')
  expect(titles(false)).not.toContain('用户管理')
})
