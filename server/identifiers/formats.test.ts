import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IDENTIFIERS, type IdentifierType, type ImportedType, type Intake, identifierOf } from '#contract/identifier.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { importedIdentifier } from './forms-sql.ts'
import { identifierSql, isIdentifierSql, normalisedSql } from './identifier-sql.ts'
import { unseal } from './seal.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(() => warehouse.close())

const key = Buffer.alloc(32, 7)
const TYPES = Object.keys(IDENTIFIERS) as IdentifierType[]
const CASES: [Intake, ImportedType][] = [
  ...TYPES.flatMap((type): [Intake, ImportedType][] => [
    ['crowd', type],
    ['import', type],
  ]),
  ['import', 'MOBILE_PHONE'],
]

const EXAMPLES = [
  'ABCDEF01-2345-6789-ABCD-EF0123456789',
  'abcdef01-2345-6789-abcd-ef0123456789',
  '861234567890123',
  '86123456789012a',
  'A1:B2:C3:D4:E5:F6',
  'a1:b2:c3:d4:e5:f6',
  '13800138000',
  '+86 138-0013-8000',
  '0086 13800138000',
  '8613800138000',
  '１３８００１３８０００',
  "'13800138000",
  '13800138000.0',
  '(+86)138.0013.8000',
  '11111111111',
  '12345',
  '123456789012',
  'd41d8cd98f00b204e9800998ecf8427e',
  'D41D8CD98F00B204E9800998ECF8427E',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
  '!~'.repeat(32),
]
/** Letters and digits that look like ASCII or whose other case is ASCII, and characters that could end a pattern early. */
const SPECIAL = [
  'K',
  'ſ',
  'ı',
  'İ',
  'Ａ',
  '１',
  '٣',
  'g',
  'G',
  'Z',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '"',
  "'",
  '\\',
  '$',
  '\u{1f600}',
]

/** Each example with one character added, removed, replaced or in another case. */
const BOUNDARIES = EXAMPLES.flatMap((text) => [
  text,
  text.toUpperCase(),
  text.toLowerCase(),
  text.slice(1),
  `${text}0`,
  ...SPECIAL.flatMap((special) => [
    special + text,
    text + special,
    special + text.slice(1),
    text.slice(0, -1) + special,
  ]),
]).concat('', ...SPECIAL)

const example = fc.constantFrom(...EXAMPLES)
const randomText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.stringMatching(/^[0-9a-fA-F]{31,33}$|^[0-9a-fA-F]{63,65}$/),
    fc.stringMatching(/^[0-9a-zA-Z]{8}(-[0-9a-zA-Z]{3,4}){3}-[0-9a-zA-Z]{12}$/),
    fc.stringMatching(/^[0-9a-zA-Z]{13,16}$|^[0-9]{4,13}$|^[0-9A-Fa-g]{2}(:[0-9A-Fa-f]{2}){4,6}$|^[ -~]{0,66}$/),
    fc
      .tuple(example, fc.nat(64), fc.constantFrom(...SPECIAL))
      .map(([text, at, special]) => text.slice(0, at) + special + text.slice(at + 1)),
    fc
      .tuple(example, fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }))
      .map(([text, uppers]) =>
        Array.from(text, (char, at) => (uppers[at] ? char.toUpperCase() : char.toLowerCase())).join(''),
      ),
  )
  .filter((text) => text.isWellFormed())
const part = fc.constantFrom(
  '+86',
  '86',
  '0086',
  '１３',
  '138',
  '0013',
  '8000',
  '-',
  ' ',
  '\u3000',
  '.',
  '.0',
  '(',
  '\u2011',
  '0',
  '1',
)
const phoneLike = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(''))

/** The engine's results for the texts. */
async function ofEngine(intake: Intake, type: ImportedType, texts: readonly string[]) {
  const rows = await warehouse.load.acrossShards.query<{ is: number; text: string }>(
    `SELECT ${isIdentifierSql(intake, type, 'given')} AS is, ${normalisedSql(intake, type, 'given')} AS text
     FROM (SELECT unhex(arrayJoin({texts:Array(String)})) AS given)`,
    { texts: texts.map((text) => Buffer.from(text).toString('hex')) },
  )
  return rows.map(({ is, text }) => (is ? text : null))
}

test.each(CASES)('%s: the engine accepts and normalises %s exactly as the contract does', async (intake, type) => {
  const wanted = (texts: readonly string[]) => texts.map((text) => identifierOf(intake, type, text))
  expect(await ofEngine(intake, type, BOUNDARIES)).toEqual(wanted(BOUNDARIES))
  await fc.assert(
    fc.asyncProperty(
      fc.array(type === 'MOBILE_PHONE' ? fc.oneof(randomText, phoneLike) : randomText, {
        minLength: 200,
        maxLength: 300,
      }),
      async (texts) => {
        expect(await ofEngine(intake, type, texts)).toEqual(wanted(texts))
      },
    ),
    { numRuns: 5 },
  )
})

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
/** The hash that a raw value has under a type. */
const HASHED: Partial<Record<IdentifierType, (raw: string) => string>> = {
  HASH_IDFA: (raw) => digest('md5', raw),
  MD5_SHA256_IDFA: (raw) => digest('sha256', digest('md5', raw)),
  HASH_IMEI: (raw) => digest('md5', raw),
  MD5_SHA256_IMEI: (raw) => digest('sha256', digest('md5', raw)),
  HASH_OAID: (raw) => digest('md5', raw),
  MD5_SHA256_OAID: (raw) => digest('sha256', digest('md5', raw)),
  HASH_MAC: (raw) => digest('md5', raw.replaceAll(':', '')),
  HASH_QQ: (raw) => digest('md5', raw),
  HASH_MOBILE_PHONE: (raw) => digest('md5', raw),
  SHA256_MOBILE_PHONE: (raw) => digest('sha256', raw),
}

test.each<[ImportedType, string, IdentifierType[]]>([
  ['IDFA', 'abcdef01-2345-6789-abcd-ef0123456789', ['IDFA', 'HASH_IDFA', 'MD5_SHA256_IDFA']],
  ['IMEI', '86123456789012a', ['IMEI', 'HASH_IMEI', 'MD5_SHA256_IMEI']],
  ['OAID', 'aB-9', ['OAID', 'HASH_OAID', 'MD5_SHA256_OAID']],
  ['MAC', 'A1:B2:C3:D4:E5:F6', ['MAC', 'HASH_MAC']],
  ['QQ', '12345', ['QQ', 'HASH_QQ']],
  ['MOBILE_PHONE', '13800138000', ['HASH_MOBILE_PHONE', 'SHA256_MOBILE_PHONE']],
])('an imported %s is stored in every form that can be derived from it', async (type, given, types) => {
  const { forms } = importedIdentifier(type, 'given', key)
  expect(forms.map((form) => form.id_type)).toEqual(types)
  const [row] = await warehouse.load.acrossShards.query<Record<string, string>>(
    `SELECT ${forms.map((form) => `${form.value} AS ${form.id_type}`).join(', ')} FROM (SELECT {given:String} AS given)`,
    { given },
  )
  const raw = identifierOf('import', type, given) as string
  for (const id_type of types) {
    const kept = row?.[id_type] as string
    expect(HASHED[id_type] ? kept : unseal(kept, key), id_type).toBe(HASHED[id_type]?.(raw) ?? raw)
  }
})

test('both intakes store an upper-case hash in lower case; only imports store an IDFA in upper case', async () => {
  const hash = 'D41D8CD98F00B204E9800998ECF8427E'
  const sha = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'
  expect(identifierOf('import', 'SHA256_MOBILE_PHONE', sha)).toBe(sha.toLowerCase())
  expect(identifierOf('crowd', 'SHA256_MOBILE_PHONE', sha)).toBeNull()
  expect(identifierOf('import', 'IDFA', 'abcdef01-2345-6789-abcd-ef0123456789')).toBe(
    'ABCDEF01-2345-6789-ABCD-EF0123456789',
  )
  expect(identifierOf('crowd', 'IDFA', 'abcdef01-2345-6789-abcd-ef0123456789')).toBeNull()
  const { stored, text } = identifierSql('HASH_QQ', key)
  const rows = await warehouse.load.acrossShards.query<{ text: string }>(
    `SELECT ${text(stored('given'))} AS text FROM (SELECT '${hash}' AS given)`,
  )
  expect(rows).toEqual([{ text: hash.toLowerCase() }])
  expect(identifierOf('crowd', 'HASH_QQ', hash)).toBe(hash.toLowerCase())
})
