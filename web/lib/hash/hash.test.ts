import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalLine, IDENTIFIERS, type IdentifierType, rawFormOf, rawLine } from '#contract/identifier.ts'
import { cellOf, type TextChoice } from '#contract/identifier-column.ts'
import { HEADER_MARK, MISSING_CELL_MARK, WITHHELD_MARK } from '#contract/line-mark.ts'
import { hashLines } from './hash-lines.ts'
import { lineBreakAfter } from './line-break.ts'

const TYPES = (Object.keys(IDENTIFIERS) as IdentifierType[]).filter((type) => rawFormOf(type) !== null)
const digest = (name: 'md5' | 'sha256', text: string) => createHash(name).update(text).digest('hex')

const PLAIN: TextChoice = { encoding: 'utf-8', separator: null, column: 0, has_header: false }

/** A slow reference, line by line. */
function plainly(type: IdentifierType, content: string, choice = PLAIN) {
  const lines = content.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  const counts = { lines: lines.length, hashed: 0, already: 0, malformed: 0, normalised: 0 }
  const kept: { row: number; text: string }[] = []
  const text = lines.map((line, row) => {
    const cell = cellOf(line, choice)
    const parsed = cell === null ? ({ kind: 'malformed' } as const) : rawLine(type, cell)
    counts[parsed.kind === 'raw' ? 'hashed' : parsed.kind]++
    if (parsed.kind === 'already') return `${canonicalLine(type, cell ?? '')}\n`
    if (parsed.kind === 'malformed') {
      if ((cell ?? line).trim() === '') return '\n'
      kept.push({ row, text: line })
      return `${cell === null ? MISSING_CELL_MARK : WITHHELD_MARK}\n`
    }
    if (parsed.isNormalised) counts.normalised++
    const { form } = IDENTIFIERS[type]
    if (form === 'md5') return `${digest('md5', parsed.text)}\n`
    return `${digest('sha256', form === 'sha256' ? parsed.text : digest('md5', parsed.text))}\n`
  })
  return { ...counts, text: text.join('').toLowerCase(), kept }
}

function collect(type: IdentifierType, choice: TextChoice, bytes: Uint8Array, withLanes = true, allRaw = false) {
  const parts: Buffer[] = []
  const answer = hashLines(type, choice, bytes, true, (part) => void parts.push(Buffer.from(part)), {
    withLanes,
    allRaw,
  })
  return { ...answer, written: Buffer.concat(parts) }
}

function fast(type: IdentifierType, content: string, choice = PLAIN, withLanes = true) {
  const { written, counts, kept } = collect(type, choice, new TextEncoder().encode(content), withLanes)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(written).toLowerCase()
  return { ...counts, text, kept: kept.map(({ row, text }) => ({ row, text })) }
}

const value = fc.oneof(
  fc.stringMatching(/^1[0-9]{10}$/),
  fc.stringMatching(/^[0-9]{4,15}$/),
  fc.stringMatching(/^(\+86|0086|86)?[ -]?1[3-9][0-9]( |-)?[0-9]{4}[ -]?[0-9]{4}$/),
  fc.stringMatching(/^[0-9a-zA-Z]{13,16}$/),
  fc.stringMatching(/^[0-9A-Za-z]{8}(-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}$/),
  fc.stringMatching(/^[0-9A-Fa-g]{2}(:[0-9A-Fa-f]{2}){5}$/),
  fc.stringMatching(/^[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2}){5}$|^[0-9A-F]{12}$/),
  fc.stringMatching(/^[0-9a-f]{32}$|^[0-9A-F]{32}$|^[0-9a-f]{64}$|^[0-9A-F]{64}$/),
  fc.stringMatching(/^[!-~]{0,66}$/),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
)
const dressed = fc
  .tuple(fc.constantFrom('', ' ', '\uFEFF', '"', '\t"', '\u3000'), value, fc.constantFrom('', ' ', '"', '" ', '\u00a0'))
  .map((parts) => parts.join(''))
const file = fc
  .tuple(
    fc.array(fc.tuple(fc.oneof({ weight: 3, arbitrary: value }, dressed), fc.constantFrom('\n', '\r\n', '\r'))),
    fc.option(value),
  )
  .map(([lines, last]) => lines.flat().join('') + (last ?? ''))

test.each(TYPES)('%s: every line is hashed, recognised as hashed or kept here, as in the slow reference', (type) => {
  fc.assert(
    fc.property(file, (content) => {
      expect(fast(type, content)).toEqual(plainly(type, content))
    }),
    { numRuns: 150 },
  )
})

test('the chosen column of every encoding is hashed, and nothing else of a line is written', () => {
  const rows = ['姓名\t手机', '张三\t138 0013 8000', '"李\t四"\t13900139000', '王五', '\tx', '']
  const text = `${rows.join('\r\n')}\r\n`
  const wanted = [digest('md5', '13800138000'), digest('md5', '13900139000')]
  for (const encoding of ['utf-8', 'utf-16le', 'gb18030'] as const) {
    const bytes =
      encoding === 'gb18030'
        ? Buffer.from('d0d5c3fb09cad6bbfa0d0ad5c5c8fd0931333820303031332038303030', 'hex')
        : Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le')
    const choice: TextChoice = { encoding, separator: '\t', column: 1, has_header: true }
    const { written, counts, kept } = collect('HASH_MOBILE_PHONE', choice, bytes)
    const lines = written.toString().split('\n')
    if (encoding === 'gb18030') expect(lines).toEqual([HEADER_MARK, wanted[0], ''])
    else {
      expect(lines).toEqual([HEADER_MARK, ...wanted, MISSING_CELL_MARK, WITHHELD_MARK, '', ''])
      expect(counts).toEqual({ lines: 5, hashed: 2, already: 0, malformed: 3, normalised: 1 })
      expect(kept.map(({ row }) => row)).toEqual([3, 4])
    }
  }
})

test('raw values are normalised before they are hashed', () => {
  const hashed = (type: IdentifierType, line: string) => fast(type, line).text.trim()
  expect(hashed('HASH_IDFA', 'abcdef01-2345-6789-abcd-ef0123456789')).toBe(
    digest('md5', 'ABCDEF01-2345-6789-ABCD-EF0123456789'),
  )
  expect(hashed('HASH_IMEI', '86012345678901A')).toBe(digest('md5', '86012345678901a'))
  expect(hashed('HASH_MAC', 'aa:bb:cc:dd:ee:ff')).toBe(digest('md5', 'AABBCCDDEEFF'))
  expect(hashed('HASH_OAID', 'aBc-1')).toBe(digest('md5', 'aBc-1'))
  expect(hashed('SHA256_MOBILE_PHONE', '13800138000')).toBe(digest('sha256', '13800138000'))
  expect(hashed('MD5_SHA256_IMEI', '860123456789012')).toBe(digest('sha256', digest('md5', '860123456789012')))
})

test('texts of every length are hashed correctly, in one block and in two', () => {
  for (let length = 1; length <= 64; length++) {
    const text = 'x'.repeat(length)
    if (length !== 32) expect(fast('HASH_OAID', text).text).toBe(`${digest('md5', text)}\n`)
  }
})

test.each([true, false])('output larger than one part is complete, with lanes: %s', (withLanes) => {
  const content = Array.from({ length: 400_000 }, (_, at) => String(13_000_000_000 + at)).join('\n')
  expect(fast('HASH_MOBILE_PHONE', content, PLAIN, withLanes)).toEqual(plainly('HASH_MOBILE_PHONE', content))
})

test.each(['HASH_MOBILE_PHONE', 'SHA256_MOBILE_PHONE'] as const)(
  '%s: plain phones between lines of every other kind keep their order',
  (type) => {
    const phone = fc.stringMatching(/^1[3-9][0-9]{9}$/)
    const almost = fc.constantFrom('12800138000', '1380013800', '138001380001', '1380013800:', '1380013800/', '')
    const line = fc.oneof({ weight: 8, arbitrary: phone }, almost, value)
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ends), { maxLength: 60 }), fc.boolean(), (lines, withLanes) => {
        const content = lines.flat().join('')
        expect(fast(type, content, PLAIN, withLanes)).toEqual(plainly(type, content))
      }),
      { numRuns: 150 },
    )
  },
)

test('a header that is a phone is not hashed', () => {
  const choice = { ...PLAIN, has_header: true }
  const { written, counts } = collect('HASH_MOBILE_PHONE', choice, Buffer.from('13800138000\n13900139000\n'))
  expect(written.toString()).toBe(`${HEADER_MARK}\n${digest('md5', '13900139000')}\n`)
  expect(counts.lines).toBe(1)
})

test('a file is cut at the end of a line', async () => {
  const breaks = async (text: string, at: number) => lineBreakAfter(new Blob([text]), at)
  expect(await breaks('ab\ncd\n', 1)).toBe(3)
  expect(await breaks('ab\ncd\n', 3)).toBe(3)
  expect(await breaks('ab\r\ncd', 3)).toBe(4)
  expect(await breaks('ab\rcd', 1)).toBe(3)
  expect(await breaks(`${'x'.repeat(65_536)}\r\nab`, 1)).toBe(65_538)
  expect(await breaks('abc', 1)).toBe(3)
})

test.each([true, false])(
  'values said to be raw are hashed though they look like hashes, with lanes: %s',
  (withLanes) => {
    const oaid = '0123456789abcdef'.repeat(2)
    const given = new TextEncoder().encode(`${oaid}\n"${oaid}"\n`)
    const { written, counts } = collect('HASH_OAID', PLAIN, given, withLanes, true)
    expect(written.toString()).toBe(`${digest('md5', oaid)}\n`.repeat(2))
    expect(counts).toMatchObject({ hashed: 2, already: 0 })
  },
)
