import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IDENTIFIERS, type IdentifierType, rawFormOf, rawLine } from '#contract/identifier.ts'
import { hashLines } from './hash-lines.ts'
import { lineBreakAfter } from './line-break.ts'

const TYPES = (Object.keys(IDENTIFIERS) as IdentifierType[]).filter((type) => rawFormOf(type) !== null)
const digest = (name: 'md5' | 'sha256', text: string) => createHash(name).update(text).digest('hex')

/** A slow reference, line by line. */
function plainly(type: IdentifierType, content: string) {
  const lines = content.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  const counts = { lines: lines.length, hashed: 0, already: 0, malformed: 0 }
  const text = lines.map((line) => {
    const parsed = rawLine(type, line)
    counts[parsed.kind === 'raw' ? 'hashed' : parsed.kind]++
    if (parsed.kind !== 'raw') return `${line}\n`
    const { form } = IDENTIFIERS[type]
    if (form === 'md5') return `${digest('md5', parsed.text)}\n`
    return `${digest('sha256', form === 'sha256' ? parsed.text : digest('md5', parsed.text))}\n`
  })
  return { ...counts, text: text.join('') }
}

function fast(type: IdentifierType, content: string) {
  const { parts, ...counts } = hashLines(type, new TextEncoder().encode(content))
  return { ...counts, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts)) }
}

const value = fc.oneof(
  fc.stringMatching(/^1[0-9]{10}$/),
  fc.stringMatching(/^[0-9]{4,15}$/),
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

test.each(TYPES)(
  '%s: every line is hashed, recognised as hashed or left unchanged, as in the slow reference',
  (type) => {
    fc.assert(
      fc.property(file, (content) => {
        expect(fast(type, content)).toEqual(plainly(type, content))
      }),
      { numRuns: 150 },
    )
  },
)

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

test('output larger than one part is complete', () => {
  const content = Array.from({ length: 50_000 }, (_, at) => String(13_000_000_000 + at)).join('\n')
  expect(fast('HASH_MOBILE_PHONE', content)).toEqual(plainly('HASH_MOBILE_PHONE', content))
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
