import { expect, test } from 'vitest'
import { isOwnPath } from './own-path.ts'

test.each([
  ['/cowd-manage/tags?tag_id=1#x', true],
  ['/', true],
  [null, false],
  ['', false],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['/\t/evil.example', false],
  ['https://evil.example/', false],
  ['javascript:alert(1)', false],
  ['cowd-manage', false],
  ['/login?from=/x', false],
])('%s after signing in: %s', (path, own) => expect(isOwnPath(path)).toBe(own))
