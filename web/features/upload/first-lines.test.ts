import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { linesIn, lookAtFile } from './first-lines.ts'

const firstLines = async (file: File) => (await lookAtFile(file)).lines

const bytes = (text: string) => new TextEncoder().encode(text)
/** The head of an archive with one file. */
function zipOf(name: string, content: Uint8Array, { encrypted = false, stored = false } = {}): Uint8Array<ArrayBuffer> {
  const body = stored ? content : deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(encrypted ? 1 : 0, 6)
  header.writeUInt16LE(stored ? 0 : 8, 8)
  header.writeUInt32LE(body.length, 18)
  header.writeUInt16LE(name.length, 26)
  return new Uint8Array(Buffer.concat([header, Buffer.from(name), body]))
}

test('accepts every line ending, and drops an incomplete last line', () => {
  expect(linesIn(bytes('a\r\nb\nc\rd'), false)).toEqual(['a', 'b', 'c', 'd'])
  expect(linesIn(bytes('a\nb\n'), false)).toEqual(['a', 'b'])
  expect(linesIn(bytes('a\nb\nhal'), true)).toEqual(['a', 'b'])
})

test('reads only the beginning of a large file', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => String(i))
  const seen = await firstLines(new File([lines.join('\n')], 'ids.txt'))
  expect(seen).toEqual(lines.slice(0, 200))
})

test.each([false, true])('reads the first file of an archive (stored: %s)', async (stored) => {
  const head = Buffer.concat([
    zipOf('dir/', new Uint8Array(), { stored: true }),
    zipOf('dir/a.txt', bytes('1\n2\n3\n'), { stored }),
  ])
  expect(await firstLines(new File([new Uint8Array(head)], 'ids.ZIP'))).toEqual(['1', '2', '3'])
})

test('an unreadable file has no lines', async () => {
  expect(await firstLines(new File([zipOf('a.txt', bytes('1\n2\n'), { encrypted: true })], 'a.zip'))).toEqual([])
  expect(await firstLines(new File(['no archive'], 'a.zip'))).toEqual([])
  expect(await firstLines(new File([], 'a.txt'))).toEqual([])
})

test('what is no text is named, and GBK is recognised', async () => {
  expect(await lookAtFile(new File([bytes('MZ\0\0')], 'a.csv'))).toMatchObject({ binary: 'program', lines: [] })
  expect(await lookAtFile(new File(['no archive'], 'a.zip'))).toMatchObject({ binary: 'other' })
  const gbk = new Uint8Array([0xca, 0xd6, 0xbb, 0xfa, 0x0a])
  expect(await lookAtFile(new File([gbk], 'a.csv'))).toEqual({ binary: null, encoding: 'gb18030', lines: ['手机'] })
})
