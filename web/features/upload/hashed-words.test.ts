import { expect, test } from 'vitest'
import { hashedWords } from './hashed-words.ts'

const raw = { from: '手机号明文', lines: 1500, already: 0, normalised: 0, malformed: 0 }

test.each([
  ['raw lines', raw, '已在浏览器内加密（手机号明文）：共 1,500 行'],
  ['a few hashes among raw lines', { ...raw, already: 3 }, '已在浏览器内加密（手机号明文）：共 1,500 行，3 行已是密文'],
  ['hashes alone', { ...raw, already: 1500 }, '原本已是密文，原样发送：共 1,500 行'],
  [
    'hashes and malformed lines',
    { ...raw, already: 1498, malformed: 2 },
    '原本已是密文，原样发送：共 1,500 行，2 行无效（只在本机，未上传）',
  ],
  [
    'phones in other spellings',
    { ...raw, normalised: 7 },
    '已在浏览器内加密（手机号明文）：共 1,500 行，7 行规范写法后加密',
  ],
])('%s', (_, report, words) => expect(hashedWords(report)).toBe(words))
