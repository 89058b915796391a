import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { outcome } from '#contract/outcome.ts'
import { linesIn, lookAtFile } from './first-lines.ts'

const firstLines = async (file: File) => (await lookAtFile(file)).lines

const bytes = (text: string) => new TextEncoder().encode(text)

/** An archive of these texts; `stored`: not packed. */
async function zipOf(texts: Record<string, string>, stored = false): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile()
  zip.addEmptyDirectory('dir')
  for (const [name, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), name, { compress: !stored })
  zip.end()
  return Buffer.from(await buffer(zip.outputStream))
}
/** The same archive with a password flag on the entries of this name. */
function encrypted(zip: Buffer<ArrayBuffer>, name: string): Buffer<ArrayBuffer> {
  const out = Buffer.from(zip)
  for (const [mark, flags, nameAt] of [
    ['PK\u0003\u0004', 6, 30],
    ['PK\u0001\u0002', 8, 46],
  ] as const) {
    for (let at = out.indexOf(mark); at !== -1; at = out.indexOf(mark, at + 1))
      if (out.subarray(at + nameAt).indexOf(name) === 0) out.writeUInt16LE(1, at + flags)
  }
  return out
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

test('a sample has complete lines from all over a large file, its last one too', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => String(900_000 + i))
  for (const text of [lines.join('\n'), `\uFEFF${lines.join('\r\n')}`]) {
    const content = text.startsWith('\uFEFF') ? Buffer.from(text, 'utf16le') : text
    const [sample = []] = (await lookAtFile(new File([content], 'ids.txt'))).samples
    expect(sample[0]).toBe('900000')
    expect(sample.at(-1)).toBe('999999')
    expect(sample.every((line) => /^9\d{5}$/.test(line))).toBe(true)
    const tenths = new Set(sample.map((line) => line[1]))
    expect(tenths.size).toBe(10)
  }
})

test.each([false, true])('reads the first text of an archive, and samples the others (stored: %s)', async (stored) => {
  const zip = await zipOf({ '__MACOSX/._a.txt': 'x', 'dir/a.txt': '1\n2\n3\n', 'b.csv': '4\n' }, stored)
  const seen = await lookAtFile(new File([zip], 'ids.ZIP'))
  expect(seen).toMatchObject({ fault: null, lines: ['1', '2', '3'], samples: [['1', '2', '3'], ['4']] })
})

test('an archive of encrypted texts, or without its end, cannot be read', async () => {
  const zip = await zipOf({ 'a.txt': '1\n2\n', 'b.txt': '3\n' })
  const faultOf = async (content: Buffer<ArrayBuffer>) => (await lookAtFile(new File([content], 'a.zip'))).fault
  const one = encrypted(zip, 'a.txt')
  expect(await faultOf(one)).toBeNull()
  expect(await faultOf(encrypted(one, 'b.txt'))).toEqual(outcome('archive_encrypted'))
  expect(await faultOf(zip.subarray(0, zip.length - 10))).toEqual(outcome('archive_broken'))
  expect(await faultOf(Buffer.concat([zip.subarray(0, 40), zip.subarray(-22)]))).toEqual(outcome('archive_broken'))
})

test('bytes that the encoding does not have are named by their line', async () => {
  const file = new File([bytes('1\r\n2\r\n'), new Uint8Array([0xff, 0xff])], 'a.txt')
  const fault = (encoding: 'utf-8' | 'gb18030') =>
    outcome('file_not_in_encoding', { in_archive: null, line: 3, encoding })
  expect((await lookAtFile(file)).fault).toEqual(fault('utf-8'))
  expect((await lookAtFile(file, 'gb18030')).fault).toEqual(fault('gb18030'))
  // A character that the end of what is read cuts in two is no fault.
  for (const before of ['', '1', '12'])
    expect((await lookAtFile(new File([`${before}${'手机\n'.repeat(20_000)}`], 'a.txt'))).fault).toBeNull()
})

test('an unreadable file has no lines', async () => {
  expect(await firstLines(new File(['no archive'], 'a.zip'))).toEqual([])
  expect(await firstLines(new File([], 'a.txt'))).toEqual([])
})

test('what is no text is named, and GBK is recognised', async () => {
  expect(await lookAtFile(new File([bytes('MZ\0\0')], 'a.csv'))).toMatchObject({ binary: 'program', lines: [] })
  expect(await lookAtFile(new File(['no archive'], 'a.zip'))).toMatchObject({ binary: 'other' })
  const gbk = new Uint8Array([0xca, 0xd6, 0xbb, 0xfa, 0x0a])
  const seen = await lookAtFile(new File([gbk], 'a.csv'))
  expect(seen).toMatchObject({ binary: null, fault: null, encoding: 'gb18030', lines: ['手机'] })
})
