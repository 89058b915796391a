import { expect, test } from 'vitest'
import { previewLines } from './preview-lines.ts'

const CHOICE = { encoding: 'utf-8', separator: null, column: 0, has_header: false } as const

test.each([
  ['HASH_MOBILE_PHONE', false, '无效：应为手机号的 MD5（32 位十六进制字符）；明文手机号须在浏览器内加密后上传'],
  ['SHA256_MOBILE_PHONE', false, '无效：应为手机号的 SHA256（64 位十六进制字符）；明文手机号须在浏览器内加密后上传'],
] as const)('a plain phone in a file of %s that is sent unchanged says what to do', (type, hashes, becomes) => {
  expect(previewLines({ type, hashes }, CHOICE, ['13800138000'])).toEqual([
    { line: 1, text: '13800138000', becomes, isBad: true },
  ])
})

test('what is no phone at all says so while phones are hashed', () => {
  const [line] = previewLines({ type: 'HASH_MOBILE_PHONE', hashes: true }, CHOICE, ['12345'])
  expect(line).toMatchObject({ becomes: '无效：不是 11 位手机号，也不是 MD5', isBad: true })
})

test('the first ten lines are shown, and no more', () => {
  const lines = Array.from({ length: 11 }, (_, at) => String(at))
  const shown = previewLines({ type: 'HASH_MOBILE_PHONE', hashes: true }, CHOICE, lines)
  expect(shown.map(({ line, text }) => [line, text])).toEqual(lines.slice(0, 10).map((text, at) => [at + 1, text]))
})
