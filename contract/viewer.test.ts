import { expect, test } from 'vitest'
import { isOwnName } from './viewer.ts'

test.each([
  ['zhangsan', 'zhangsan', true],
  ['zhangsan', 'ZhangSan', true],
  ['zhangsan', 'zhangsan2026', true],
  ['zhangsan', 'zhangsan20261', false],
  ['zhang88', 'zhang1234', true],
  ['张三的账号是很长', '张三的账号是很长1', true],
  ['zhangsan', 'zhangsan-and-more', false],
  ['zhangsan', 'not-zhangsan', false],
  ['12345678', '87654321', false],
])('the name of %s as the password %s: %s', (username, password, expected) => {
  expect(isOwnName(username, password)).toBe(expected)
})
