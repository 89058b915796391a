import { expect, test } from 'vitest'
import { additionWords } from './addition-words.ts'

test('repeats within the pasted text are told apart from what was listed before', () => {
  expect(additionWords({ added: 1, listed: 0, duplicate: 1 })).toBe('已加入 1 个，粘贴内容中重复 1 个')
  expect(additionWords({ added: 0, listed: 1200, duplicate: 0 })).toBe('1,200 个之前已在名单中')
  expect(additionWords({ added: 0, listed: 0, duplicate: 0 })).toBe('')
})
