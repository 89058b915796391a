import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { canonicalLine, IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { lineFault } from '#contract/line-fault.ts'
import { outcome, sentenceOf, sentenceOrNull } from '#contract/outcome.ts'
import { testIdentifiers } from '../testing/identifiers.ts'
import { malformedText } from '../testing/malformed-text.ts'
import { zipped } from '../testing/zipped.ts'

const { store, aFile, check, build, close } = await testIdentifiers()
afterAll(close)

const TYPES = Object.keys(IDENTIFIERS) as IdentifierType[]
/** Characters that trim() removes, invisible ones, and those that only look like a blank or a letter. */
const BLANKS = [...' \t\v\f\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff', '']
const LOOKALIKES = [...'\u0085\u180e\u200b\u200e\u0000\u212a\u017f０Ａａ', '"', '""', "'", '\\', '\ud83d\ude00']

const near = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{31,33}$|^[0-9A-F]{32}$|^[0-9a-fg]{32}$/),
  fc.stringMatching(/^[0-9a-f]{63,65}$|^[0-9A-F]{64}$/),
  fc.stringMatching(/^[0-9A-Z]{8}(-[0-9A-Z]{4}){3}-[0-9A-Zg]{12}$/),
  fc.stringMatching(/^[0-9a-zA-Z]{13,16}$/),
  fc.stringMatching(/^[0-9A-Fa]{2}(:[0-9A-F]{2}){5}$/),
  fc.stringMatching(/^[0-9]{4,13}$/),
  fc.stringMatching(/^[!-~]{0,66}$/),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const blanks = fc.array(fc.constantFrom(...BLANKS, '"'), { maxLength: 3 }).map((parts) => parts.join(''))
const line = fc
  .oneof(
    near,
    fc.tuple(blanks, near, blanks).map((parts) => parts.join('')),
    fc.tuple(near, fc.constantFrom(...LOOKALIKES), near).map((parts) => parts.join('')),
    blanks,
  )
  .filter((text) => text.isWellFormed() && !/[\r\n]/.test(text))
const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n', '\r')), { minLength: 300, maxLength: 500 })

let version = 0
test.each(TYPES)('%s: the engine refuses the same lines as lineFault, for the same reasons', async (type) => {
  await fc.assert(
    fc.asyncProperty(lines, async (given) => {
      // Enough text in front that the zero bytes after it are not taken for another encoding.
      const content = `${'x'.repeat(4000)}\n${given.flat().join('')}`
      const texts = content.split(/\r\n|\r|\n/)
      if (texts.at(-1) === '') texts.pop()
      const file = aFile(content)
      const { totals } = await check(type, [file], ++version)
      const faults = texts.flatMap((text, at) => {
        const fault = lineFault(type, text)
        return fault === null ? [] : [`${at + 1},${sentenceOf(fault)}`]
      })
      const listed = malformedText(store.malformedPath(file.file_id)).trimEnd().split('\n').slice(1)
      expect(listed.map((row) => /^\d+,[^,]+/.exec(row)?.[0])).toEqual(
        faults.filter((fault) => !fault.endsWith(',空行')),
      )
      const good = texts.filter((text) => lineFault(type, text) === null).map((text) => canonicalLine(type, text))
      const distinct = new Set(good)
      expect(totals).toEqual({
        lines: texts.length,
        valid: distinct.size,
        duplicate: good.length - distinct.size,
        malformed: faults.length,
      })
      expect(await build(type, version)).toEqual({ size: distinct.size, matched: 0 })
    }),
    { numRuns: 2, endOnFailure: true },
  )
})

const error = async (content: Buffer) =>
  sentenceOrNull((await check('HASH_IMEI', [aFile(content)], ++version)).reports[0]?.error ?? null)
const hash = 'a'.repeat(32)

test('GBK and UTF-16 are recognised and read; bytes of no encoding are refused with their line', async () => {
  const counts = async (content: Buffer) => (await check('HASH_IMEI', [aFile(content)], ++version)).totals
  const gbk = (...after: number[]) =>
    Buffer.concat([
      Buffer.from(`${hash}\r\n${hash}\r`),
      Buffer.from([0xca, 0xd6, 0xbb, 0xfa, 0x0a, ...after]),
      Buffer.from(`${'b'.repeat(32)}\n`),
    ])
  expect(await counts(gbk())).toEqual({ lines: 4, valid: 2, duplicate: 1, malformed: 1 })
  const utf16 = Buffer.from(`\uFEFF${hash}\n`, 'utf16le')
  const one = { lines: 1, valid: 1, duplicate: 0, malformed: 0 }
  expect(await counts(utf16)).toEqual(one)
  expect(await counts(utf16.subarray(2))).toEqual(one)
  expect(await counts(Buffer.from(utf16).swap16())).toEqual(one)
  expect(await error(gbk(0xff, 0xff))).toBe('第 3 行不是有效的 UTF-8 文本，请更改编码，或另存为 UTF-8 后重新上传')
})

test('the chosen column is checked in the chosen encoding, and the header is not counted', async () => {
  const rows = `名称\t标识\n"a\tb"\t"${hash}"\nc\nd\t${hash}\n\ne\t12\n`
  const file = {
    ...aFile(Buffer.from(`\uFEFF${rows}`, 'utf16le')),
    choice: { encoding: 'utf-16le', separator: '\t', column: 1, has_header: true },
    isMarked: true,
  } as const
  const { totals, reports } = await check('HASH_IMEI', [file], ++version)
  expect(totals).toEqual({ lines: 5, valid: 1, duplicate: 1, malformed: 3 })
  expect(reports[0]?.reasons.map(({ outcome, lines }) => [outcome.code, lines])).toEqual([
    ['line_empty', 1],
    ['line_malformed', 1],
    ['line_without_cell', 1],
  ])
  expect(malformedText(store.malformedPath(file.file_id))).toContain('3,没有所选的列,')
})

test('bytes that are not UTF-8 in a table refuse that file by its line, and the other files are read', async () => {
  const choice = { encoding: 'utf-8', separator: ',', column: 1, has_header: true } as const
  const filler = `\u5f20,${hash}\r\n`.repeat(30_000)
  const bad = Buffer.concat([Buffer.from(`name,id\r${filler}a,`), Buffer.from([0xff]), Buffer.from(`\nb,${hash}\n`)])
  const files = [{ ...aFile(bad), choice, isMarked: true }, aFile(`${hash}\n`)]
  const { totals, reports } = await check('HASH_IMEI', files, ++version)
  expect(totals).toEqual({ lines: 1, valid: 1, duplicate: 0, malformed: 0 })
  expect(reports.map((report) => report.error)).toEqual([
    outcome('file_not_in_encoding', { in_archive: null, line: 30_002, encoding: 'utf-8' }),
    null,
  ])
})

test('GBK after a long beginning of ASCII is recognised in a table whose encoding nobody chose', async () => {
  const choice = { encoding: null, separator: ',', column: 0, has_header: true } as const
  const filler = `${hash},ok\n`.repeat(3000)
  const late = Buffer.concat([Buffer.from(`id,note\n${filler}${'b'.repeat(32)},`), Buffer.from([0xca, 0xd6, 0x0a])])
  const files = [{ ...aFile(late), choice, isMarked: true }]
  const { totals, reports } = await check('HASH_IMEI', files, ++version)
  expect(reports.map((report) => report.error)).toEqual([null])
  expect(totals).toEqual({ lines: 3001, valid: 2, duplicate: 2999, malformed: 0 })
})

test('of an archive with a header in some texts, no line is lost', async () => {
  const choice = { encoding: null, separator: ',', column: 0, has_header: true } as const
  const other = 'b'.repeat(32)
  const texts = { '1.csv': `IMEI,n\n${hash},1\n`, '2.csv': `${other},2\n${hash},3\n`, '3.csv': `imei,n\n${other},4\n` }
  const file = { ...aFile(await zipped(texts), 'a.zip'), choice, isMarked: true }
  const { totals, reports } = await check('HASH_IMEI', [file], ++version)
  expect(reports.map((report) => report.error)).toEqual([null])
  expect(totals).toEqual({ lines: 4, valid: 2, duplicate: 2, malformed: 0 })
})

test('the kind of a binary file is named', async () => {
  const workbook = Buffer.from('504b03041400060008000000210062ee9d68', 'hex')
  expect(await error(workbook)).toBe(
    '文件内容是压缩包或 Excel 工作簿，不是文本，请另存为 UTF-8 的 txt 或 csv 后重新上传',
  )
  expect(await error(Buffer.from('1f8b0800000000000003', 'hex'))).toContain('文件内容是 gzip 压缩文件')
})

test('a character split across two reads stays one character', async () => {
  const text = `${'手机'.repeat(400_000)}\n${hash}\n`
  const { totals } = await check('HASH_IMEI', [aFile(` ${text}`)], ++version)
  expect(totals).toEqual({ lines: 2, valid: 1, duplicate: 0, malformed: 1 })
})

test('an overlong line is cut, and the lines around it are read', async () => {
  const text = `${hash}\n${'9'.repeat(3_000_000)}\n${'b'.repeat(32)}`
  const file = aFile(text)
  const { totals } = await check('HASH_IMEI', [file], ++version)
  expect(totals).toEqual({ lines: 3, valid: 2, duplicate: 0, malformed: 1 })
  expect(malformedText(store.malformedPath(file.file_id)).length).toBeLessThan(1000)
})

test('a final line end adds no empty line; an empty file is reported as empty', async () => {
  expect((await check('HASH_IMEI', [aFile(`${hash}\n`)], ++version)).totals.lines).toBe(1)
  expect((await check('HASH_IMEI', [aFile(`${hash}\n\n`)], ++version)).totals.lines).toBe(2)
  const empty = aFile('')
  const { reports } = await check('HASH_IMEI', [empty], ++version)
  expect(reports[0]).toMatchObject({ line_count: 0, error: outcome('file_empty') })
  expect(existsSync(store.malformedPath(empty.file_id))).toBe(false)
})

test('a carriage return alone ends a line, also when a read ends between it and its newline', async () => {
  const text = `${`${hash}\r`.repeat(40_000)}${`${hash}\r\n`.repeat(40_000)}x`
  for (const shift of [0, 1, 2]) {
    const { totals } = await check('HASH_IMEI', [aFile(' '.repeat(shift) + text)], ++version)
    expect(totals).toEqual({ lines: 80_001, valid: 1, duplicate: 79_999, malformed: 1 })
  }
})
