import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import { testIdentifiers } from '../testing/identifiers.ts'
import { malformedText } from '../testing/malformed-text.ts'
import { zipped } from '../testing/zipped.ts'
import { textsOf, unpackBudget } from './zip.ts'

// Pieces of a few lines, so that texts are split and joined.
const { store, aFile, check, build, values, dataDir, close } = await testIdentifiers({ pieceBytes: 100 })
const scratch = mkdtempSync(join(tmpdir(), 'renqun-archive-'))
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await close()
})

const hash = (char: string) => char.repeat(32)
const SECRET_FLAG = 1

/** The same archive with all occurrences of some bytes replaced by others of the same length. */
const replaced = (zip: Buffer, from: Buffer | string, to: Buffer | string): Buffer => {
  const [was, is] = [Buffer.from(from), Buffer.from(to)]
  const out = Buffer.from(zip)
  for (let at = out.indexOf(was); at !== -1; at = out.indexOf(was, at + 1)) is.copy(out, at)
  return out
}
/** Sets a field of two bytes in every header of the archive's directory and of its entries. */
function withHeaders(zip: Buffer, set: (header: Buffer, at: number) => void): Buffer {
  const out = Buffer.from(zip)
  for (const [mark, at] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const) {
    for (let found = out.indexOf(mark); found !== -1; found = out.indexOf(mark, found + 1)) set(out, found + at)
  }
  return out
}

let version = 0
const checked = (zip: Buffer) => check('HASH_IMEI', [aFile(zip, 'a.ZIP')], ++version)
const errorOf = async (zip: Buffer) => {
  const { reports, totals } = await checked(zip)
  expect(totals).toEqual({ lines: 0, valid: 0, duplicate: 0, malformed: 0 })
  const error = reports[0]?.error
  return error && sentenceOf(error)
}

test('the texts of an archive are read as one file; entries that systems add are skipped', async () => {
  const zip = await zipped({
    'one/': null,
    'one/a.txt': `${hash('a')}\n${hash('b')}`,
    'b.CSV': `"${hash('b')}"\r\nbad\r\n${Array.from({ length: 20 }, () => hash('d')).join('\r')}`,
    'empty.text': '',
    '__MACOSX/one/._a.txt': Buffer.from([0, 5, 22, 7]),
    'one/.DS_Store': Buffer.from([0, 0, 0, 1]),
    '中文.txt': `${hash('c')}\nworse\n`,
  })
  const file = aFile(zip, '名单.zip')
  const { totals, reports } = await check('HASH_IMEI', [file], ++version)
  expect(totals).toEqual({ lines: 26, valid: 4, duplicate: 20, malformed: 2 })
  expect(reports[0]?.error).toBeNull()
  expect(malformedText(store.malformedPath(file.file_id))).toBe(
    '\uFEFF文件,行号,原因,内容\nb.CSV,2,应为 32 位十六进制字符,bad\n中文.txt,2,应为 32 位十六进制字符,worse\n',
  )
  await build('HASH_IMEI', version)
  expect(await values('HASH_IMEI', version)).toEqual(['a', 'b', 'c', 'd'].map(hash))
  expect(existsSync(store.workDirectory(100, version))).toBe(false)
})

test('paths in an archive are not trusted', async () => {
  const good = await zipped({ 'xx/evil.txt': `${hash('a')}\n`, 'x/root.txt': `${hash('b')}\n` })
  const zip = replaced(replaced(good, 'xx/evil.txt', '../evil.txt'), 'x/root.txt', '/e/oot.txt')
  expect((await checked(zip)).totals.valid).toBe(2)
  expect(readdirSync(join(dataDir, 'crowd-check'))).toEqual([])
  expect(existsSync(join(dataDir, 'evil.txt'))).toBe(false)
  expect(existsSync(join(dataDir, 'crowd-check', 'evil.txt'))).toBe(false)
})

test('names written by Chinese Windows are readable', async () => {
  const zip = withHeaders(await zipped({ 'abcd.txt': 'bad\n' }), (header, at) => header.writeUInt16LE(0, at))
  const file = aFile(replaced(zip, 'abcd.txt', Buffer.from([0xc3, 0xfb, 0xb5, 0xa5, ...Buffer.from('.txt')])), 'a.zip')
  await check('HASH_IMEI', [file], ++version)
  expect(malformedText(store.malformedPath(file.file_id))).toContain('名单.txt,1,')
})

test('an archive that cannot be read says why, and the other files are read', async () => {
  const line = `${hash('a')}\n`
  const good = await zipped({ 'a.txt': line.repeat(50) })
  const encrypted = withHeaders(good, (header, at) => header.writeUInt16LE(header.readUInt16LE(at) | SECRET_FLAG, at))
  expect(await errorOf(encrypted)).toBe('压缩包已加密，请去掉密码后重新上传')
  expect(await errorOf(await zipped({ 'a/': null }))).toBe('压缩包内没有 txt、text 或 csv 文件')
  const broken = '压缩包已损坏或不完整，请重新压缩后上传'
  expect(await errorOf(good.subarray(0, good.length - 30))).toBe(broken)
  expect(await errorOf(Buffer.from('no archive at all'))).toBe(broken)
  const stored = new ZipFile()
  stored.addBuffer(Buffer.from(line), 'a.txt', { compress: false })
  stored.end()
  const chunks: Buffer[] = []
  for await (const chunk of stored.outputStream) chunks.push(chunk as Buffer)
  expect(await errorOf(replaced(Buffer.concat(chunks), 'aaaa', 'bbbb'))).toBe(broken)
  const { totals, reports } = await check('HASH_IMEI', [aFile(encrypted, 'a.zip'), aFile(line)], ++version)
  expect(totals).toEqual({ lines: 1, valid: 1, duplicate: 0, malformed: 0 })
  expect(reports.map((report) => report.error !== null)).toEqual([true, false])
})

test('a text that cannot be read is reported by its name, and the others of the archive count', async () => {
  const line = `${hash('a')}\n`
  const inner = await zipped({ 'a.txt': line })
  const stored = new ZipFile()
  stored.addBuffer(Buffer.from('c'.repeat(32)), 'damaged.txt', { compress: false })
  stored.addBuffer(Buffer.from(line.repeat(3)), 'good.txt')
  stored.addBuffer(inner, 'inner.zip')
  stored.addBuffer(inner, '改了名.txt')
  stored.addBuffer(Buffer.from('x'), '表格.xlsx')
  stored.addBuffer(Buffer.from([0x61, 0x0a, 0xff, 0xff]), 'bytes.txt')
  stored.addBuffer(Buffer.from(hash('b'), 'utf16le'), 'utf16.txt')
  stored.addBuffer(Buffer.from([0xca, 0xd6, 0xbb, 0xfa, 0x0a, ...Buffer.from(hash('d'))]), 'gbk.txt')
  stored.end()
  const chunks: Buffer[] = []
  for await (const chunk of stored.outputStream) chunks.push(chunk as Buffer)
  const file = aFile(replaced(Buffer.concat(chunks), 'cccc', 'dddd'), '名单.zip')
  const { totals, reports } = await check('HASH_IMEI', [file], ++version)
  expect(totals).toEqual({ lines: 6, valid: 3, duplicate: 2, malformed: 1 })
  expect(reports[0]?.unread.map(({ name, error }) => [name, sentenceOf(error)])).toEqual([
    ['damaged.txt', '压缩包已损坏或不完整，请重新压缩后上传'],
    ['inner.zip', '压缩包内不能再有压缩包（inner.zip）'],
    [
      '改了名.txt',
      '压缩包内的「改了名.txt」内容是压缩包或 Excel 工作簿，不是文本，请另存为 UTF-8 的 txt 或 csv 后重新上传',
    ],
    ['表格.xlsx', '压缩包内的「表格.xlsx」不是 txt、text 或 csv 文件'],
    ['bytes.txt', '压缩包内的「bytes.txt」第 2 行不是有效的 UTF-8 文本，请更改编码，或另存为 UTF-8 后重新上传'],
  ])
})

test('the encoding of a text is recognised however many lines of ASCII come first', async () => {
  const ascii = Buffer.alloc(64 * 1024 ** 2, `${hash('a')}\n`)
  const path = join(scratch, 'late.zip')
  const foundIn = async (end: Buffer) => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.concat([ascii, end]), 'a.txt', { compress: false })
    zip.end()
    await pipeline(zip.outputStream, createWriteStream(path))
    for await (const text of textsOf(path, statSync(path).size, unpackBudget())) return text.fault ?? text.encoding
  }
  expect(await foundIn(Buffer.from([0xca, 0xd6, 0xbb, 0xfa, 0x0a]))).toBe('gb18030')
  expect(await foundIn(Buffer.from([0xff, 0xff]))).toMatchObject({
    code: 'file_not_in_encoding',
    params: { in_archive: 'a.txt' },
  })
})

test('where no text of an archive can be read, the archive is refused with the first reason', async () => {
  expect(await errorOf(await zipped({ 'b.xlsx': 'x', 'c.jpg': 'x' }))).toBe(
    '压缩包内的「b.xlsx」不是 txt、text 或 csv 文件',
  )
})

test('a zip bomb is stopped while it is unpacked', async () => {
  const bomb = await zipped({ 'a.txt': Buffer.alloc(20 * 1024 * 1024, '1') })
  expect(await errorOf(bomb)).toBe('压缩比超过 100 倍，可能是压缩炸弹，已停止解压')
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`${at}.txt`, 'x']))
  expect(await errorOf(await zipped(many))).toBe('压缩包内有 1,001 个文件，最多 1000 个')
})

test('the unpacked size is limited for all archives of a crowd together', async () => {
  const path = join(scratch, 'a.zip')
  const zip = await zipped({ 'a.txt': 'x'.repeat(600) })
  writeFileSync(path, zip)
  const budget = { left: 1000 }
  const unpack = async () => {
    for await (const text of textsOf(path, zip.length, budget)) {
      if (text.fault === null) for await (const _ of text.bytes);
    }
  }
  await unpack()
  await expect(unpack()).rejects.toMatchObject({ outcome: outcome('archive_unpacks_too_large', { gb: 5 }) })
})
