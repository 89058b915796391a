import { expect, test } from 'vitest'
import { binaryFormat } from './binary-format.ts'
import { recogniseEncoding } from './text-encoding.ts'

const gbk = [0xca, 0xd6, 0xbb, 0xfa, 0xba, 0xc5]
const ascii = (text: string) => [...Buffer.from(text)]

test.each([
  ['plain digits', ascii('13800138000\n'), 'utf-8'],
  ['nothing', [], 'utf-8'],
  ['UTF-8 with a byte-order mark', [0xef, 0xbb, 0xbf, ...ascii('1\n')], 'utf-8'],
  ['Chinese UTF-8', [...Buffer.from('手机号,姓名\n')], 'utf-8'],
  ['an emoji', [...Buffer.from('\u{1f600}')], 'utf-8'],
  ['GBK', [...gbk, ...ascii(',1\n')], 'gb18030'],
  ['GBK with the four bytes of a rare character', [...gbk, 0x81, 0x30, 0x81, 0x30], 'gb18030'],
  ['one broken character in UTF-8', [...Buffer.from('手机号姓名'), 0xe6, 0x0a], 'utf-8'],
  ['bytes of no encoding', [0xff, 0xff, 0x0a], 'utf-8'],
  ['UTF-16 with a byte-order mark', [...Buffer.from('\ufeff手机', 'utf16le')], 'utf-16le'],
  ['UTF-16 without one', [...Buffer.from('138001', 'utf16le')], 'utf-16le'],
  ['UTF-16 of the other order', [...Buffer.from('138001', 'utf16le').swap16()], 'utf-16be'],
] as const)('%s is recognised', (_, bytes, encoding) => {
  expect(recogniseEncoding(Uint8Array.from(bytes), true)).toBe(encoding)
})

test('a character cut off at the end is a fault only where the text ends', () => {
  const cut = Uint8Array.from([...Buffer.from('机'), 0xe6, 0x89])
  expect(recogniseEncoding(cut.subarray(3), false)).toBe('utf-8')
  expect(recogniseEncoding(cut.subarray(3), true)).toBe('gb18030')
  expect(recogniseEncoding(Uint8Array.from([...gbk, 0xca]), false)).toBe('gb18030')
})

test.each([
  ['zip', 'PK\x03\x04rest'],
  ['excel_97', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['program', 'MZ\x90\0\x03'],
  ['image', '\x89PNG\r\n\x1a\n'],
  ['pdf', '%PDF-1.7'],
  ['other', '\0\0\0\0\x01\x02\x03\x04'],
  [null, '13800138000\n'],
  [null, 'MZ,12\n'],
  [null, '1\x003\x008\x00\n\x00'],
  [null, ''],
] as const)('%s: %j', (format, text) => {
  expect(binaryFormat(Buffer.from(text, 'latin1'))).toBe(format)
})
