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

const titles = (is_admin: boolean, advertisers: readonly unknown[]) =>
  menuFor({ is_admin }, advertisers).map((group) => [group.title, ...group.pages.map((page) => page.title)])

test('a member’s menu has the pages that the member can use', () => {
  expect(titles(false, [1])).toEqual([
    ['人群管理', '自定义人群', '人群资产', '标签管理', '用户列表'],
    ['营销活动', '活动列表'],
    ['基础管理', '广告主授权', '数据接入', '屏蔽与同意', '推送通知', '接口与令牌'],
  ])
})

test('only an admin finds the page of the members', () => {
  expect(titles(true, [1]).flat()).toContain('成员管理')
})

test('without an advertiser only what needs none is in the menu', () => {
  expect(titles(false, [])).toEqual([['基础管理', '广告主授权', '接口与令牌']])
  expect(titles(true, [])).toEqual([['基础管理', '广告主授权', '接口与令牌', '成员管理']])
})
