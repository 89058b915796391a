import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { IdentifierType } from '#contract/identifier.ts'
import { quote } from '../clickhouse/bind.ts'
import { testIdentifiers } from '../testing/identifiers.ts'
import { type Exclusions, exclusionConditions, suppressedSql } from './exclusions.ts'
import { comparable, importedIdentifier } from './forms-sql.ts'
import { identifierSql } from './identifier-sql.ts'

const { warehouse, key, aFile, check, build, close } = await testIdentifiers()
const { acrossShards: engine } = warehouse.load
afterAll(close)

const ADV = 1
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
/** Sent to the video engine as the MD5 of their lower case. */
const [UPPER, LOWER, OTHER] = ['ABC-1', 'abc-1', 'XYZ-2']

beforeEach(async () => {
  for (const table of ['identifier', 'suppression']) await engine.command(`TRUNCATE TABLE ${table}`)
})

/** A person with an OAID, as an import stores it. */
async function person(uid: number, oaid: string) {
  for (const { id_type, value } of importedIdentifier('OAID', quote(oaid), key).forms)
    await engine.command(
      `INSERT INTO identifier (adv_id, id_type, value_hash, uid, import_id) SELECT ${ADV}, '${id_type}', ${value}, ${uid}, 1`,
    )
}

const suppress = (type: IdentifierType, text: string) =>
  engine.command(
    `INSERT INTO suppression (adv_id, id_type, value, note, added_at, removed, at)
     SELECT ${ADV}, '${type}', ${identifierSql(type, key).stored(quote(text))}, '', 0, 0, now64(6)`,
  )

/** Which of the texts of a type are left out of a push. */
async function leftOut(type: IdentifierType, listed: IdentifierType[], texts: string[]): Promise<string[]> {
  const exclusions: Exclusions = {
    ...{ adv_id: ADV, suppressed: listed, refused: null, refusedTypes: [] },
    suppressedPeople: suppressedSql(ADV, listed, key),
    suppressedTypes: comparable('OAID'),
  }
  const { suppressed } = exclusionConditions(type, exclusions, key)
  const values = `[${texts.map(quote).join(', ')}]`
  const rows = await engine.query<{ value: string }>(
    `SELECT value FROM (SELECT arrayJoin(${values}) AS value) WHERE ${suppressed}`,
  )
  return rows.map(({ value }) => value)
}

test('a suppressed OAID is left out in each form that is sent, in either case', async () => {
  await suppress('HASH_OAID', md5(LOWER))
  expect(await leftOut('OAID', ['HASH_OAID'], [UPPER, LOWER, OTHER])).toEqual([UPPER, LOWER])
  await suppress('OAID', OTHER)
  expect(await leftOut('HASH_OAID', ['OAID'], [md5(OTHER), md5(OTHER.toLowerCase()), md5(UPPER)])).toEqual([
    md5(OTHER),
    md5(OTHER.toLowerCase()),
  ])
  expect(await leftOut('OAID', ['OAID'], [OTHER, OTHER.toLowerCase(), UPPER])).toEqual([OTHER, OTHER.toLowerCase()])
})

test('a person is suppressed by their OAID hashed in lower case', async () => {
  await person(1, UPPER)
  await person(2, OTHER)
  await suppress('HASH_OAID', md5(LOWER))
  expect(await engine.query(`SELECT DISTINCT uid FROM (${suppressedSql(ADV, ['HASH_OAID'], key)})`)).toEqual([
    { uid: 1 },
  ])
})

test('an uploaded OAID finds its person whichever case it was hashed in', async () => {
  await person(1, UPPER)
  await person(2, OTHER)
  const crowds: [IdentifierType, string[], number][] = [
    ['HASH_OAID', [md5(LOWER), md5('no-1')], 1],
    ['HASH_OAID', [md5(UPPER), md5(OTHER.toLowerCase())], 2],
    ['OAID', [LOWER, OTHER], 2],
  ]
  for (const [at, [type, lines, matched]] of crowds.entries()) {
    await check(type, [aFile(lines.join('\n'))], at + 1)
    expect(await build(type, at + 1)).toMatchObject({ size: 2, matched })
  }
})
