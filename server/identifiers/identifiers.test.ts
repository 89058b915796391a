import { existsSync, utimesSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { outcome } from '#contract/outcome.ts'
import { CROWD, testIdentifiers } from '../testing/identifiers.ts'
import { malformedText } from '../testing/malformed-text.ts'
import { zipped } from '../testing/zipped.ts'
import { importedIdentifier } from './forms-sql.ts'
import { identifierStore } from './identifiers.ts'
import { MALFORMED_KEPT_SECONDS } from './malformed.ts'

// Few values at once, so that even small crowds need several rounds.
const { warehouse, store, aFile, check, build, values, dataDir, key, close } = await testIdentifiers({
  valuesAtOnce: 3,
})
beforeEach(() => warehouse.truncate())
afterAll(close)

const md5 = (char: string) => char.repeat(32)
const filesOf = (...chars: string[]) => [aFile(chars.map(md5).join('\n'))]
const rowsKept = async () =>
  (await warehouse.load.acrossShards.query<{ n: number }>('SELECT count() AS n FROM crowd_identifier'))[0]?.n

test('a report adds up: each line is valid, a duplicate or malformed, and malformed lines can be downloaded', async () => {
  const first = aFile(`${md5('a')}\n${md5('B')}\r\n  "${md5('b')}" \n\nnone\n=cmd()\n`)
  const second = aFile(`\uFEFF${md5('a')}\r${md5('c')}\r\n`)
  const { totals, reports } = await check('HASH_IMEI', [first, second])
  expect(reports).toEqual([
    {
      line_count: 6,
      valid_count: 2,
      duplicate: 1,
      malformed: 3,
      reasons: [
        {
          reason: '应为 32 位十六进制字符',
          outcome: outcome('line_malformed', { type: 'HASH_IMEI' }),
          lines: 2,
          listed: 2,
        },
        { reason: '空行', outcome: outcome('line_empty'), lines: 1, listed: 0 },
      ],
      unread: [],
      error: null,
    },
    { line_count: 2, valid_count: 1, duplicate: 1, malformed: 0, reasons: [], unread: [], error: null },
  ])
  expect(totals).toEqual({ lines: 8, valid: 3, duplicate: 2, malformed: 3 })
  expect(malformedText(store.malformedPath(first.file_id))).toBe(
    "\uFEFF行号,原因,内容\n5,应为 32 位十六进制字符,none\n6,应为 32 位十六进制字符,'=cmd()\n",
  )
  expect(existsSync(store.malformedPath(second.file_id))).toBe(false)
  expect(await build('HASH_IMEI', 1)).toEqual({ size: 3, matched: 0 })
  expect(await values('HASH_IMEI', 1)).toEqual([md5('a'), md5('b'), md5('c')])
})

test('an archive of empty lines is counted, and nothing of it is kept', async () => {
  const file = aFile(await zipped({ 'a.txt': '\n'.repeat(300_000), 'b.txt': ' \r\n'.repeat(300) }), 'a.zip')
  const { reports } = await check('HASH_IMEI', [file])
  expect(reports).toMatchObject([{ line_count: 300_300, malformed: 300_300, error: null }])
  expect(reports[0]?.reasons).toMatchObject([{ outcome: outcome('line_empty'), lines: 300_300, listed: 0 }])
  expect(existsSync(store.malformedPath(file.file_id))).toBe(false)
})

test.each([
  ['lines', { lines: 3, bytes: 10_000 }, [2, 1]],
  ['bytes', { lines: 10_000, bytes: 150 }, [2, 1]],
])('an upload keeps so many malformed %s, and counts the others', async (_, room, kept) => {
  const limited = identifierStore({ warehouse, dataDir, personKey: key, malformedRoom: () => ({ ...room }) })
  const files = [aFile('no\nnone\n'), aFile('nothing\nnever\nnowhere\n')]
  const { reports } = await check('HASH_IMEI', files, 7, { store: limited })
  expect(reports.map(({ malformed }) => malformed)).toEqual([2, 3])
  expect(reports.map(({ reasons }) => reasons[0]?.listed)).toEqual(kept)
  const texts = files.map(({ file_id }) => malformedText(limited.malformedPath(file_id)))
  expect(texts[0]).not.toContain('其余行未列出')
  expect(texts[1]).toMatch(/\n1,[^\n]*,nothing\n,其余行未列出,\n$/)
})

test('malformed lines can be downloaded for 30 days', async () => {
  const file = aFile('none\n')
  await check('HASH_IMEI', [file])
  const path = store.malformedPath(file.file_id)
  const now = Math.floor(Date.now() / 1000)
  utimesSync(path, now - MALFORMED_KEPT_SECONDS + 60, now - MALFORMED_KEPT_SECONDS + 60)
  await store.sweepMalformed(now)
  expect(existsSync(path)).toBe(true)
  await store.sweepMalformed(now + 120)
  expect(existsSync(path)).toBe(false)
})

test('after random additions, removals and restores each version has the right values, size and changes', async () => {
  const some = fc.subarray([...'0123456789abcdef'], { minLength: 1 })
  const change = fc.oneof(
    fc.record({ kind: fc.constantFrom('append' as const, 'remove' as const), chars: some }),
    fc.record({ kind: fc.constant('restore' as const), to: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(some, fc.array(change, { minLength: 2, maxLength: 5 }), async (first, changes) => {
      await store.dropCrowd(CROWD.adv_id, CROWD.crowd_id)
      await check('HASH_IMEI', filesOf(...first))
      await build('HASH_IMEI', 1)
      const versions = [new Set(first)]
      for (const one of changes) {
        const base_version = versions.length
        const last = versions[base_version - 1] as Set<string>
        if (one.kind === 'restore') {
          const from = one.to % versions.length
          versions.push(new Set(versions[from]))
          await build('HASH_IMEI', base_version + 1, { kind: 'restore', base_version, restored_from: from + 1 })
        } else {
          await check('HASH_IMEI', filesOf(...one.chars), base_version + 1)
          await build('HASH_IMEI', base_version + 1, { kind: one.kind, base_version })
          const chars = new Set(one.chars)
          versions.push(one.kind === 'append' ? last.union(chars) : last.difference(chars))
        }
      }
      for (const [at, chars] of versions.entries()) {
        expect(await values('HASH_IMEI', at + 1)).toEqual([...chars].sort().map(md5))
        expect(await store.sizeOf({ ...CROWD, version: at + 1 })).toBe(chars.size)
        const before = versions[at - 1] ?? new Set()
        const changed = await warehouse.load.acrossShards.query<{ value: string; sign: number }>(
          `SELECT lower(hex(value)) AS value, sign FROM (${store.storedChangesSql(CROWD, at, at + 1)}) ORDER BY value`,
        )
        expect(changed).toEqual(
          [...chars.symmetricDifference(before)]
            .sort()
            .map((char) => ({ value: md5(char), sign: chars.has(char) ? 1 : -1 })),
        )
      }
    }),
    { numRuns: 2 },
  )
}, 60_000)

test('a version built again after a kill has no doubled rows', async () => {
  const files = filesOf('a', 'b', 'c')
  for (let attempt = 0; attempt < 2; attempt++) {
    await check('HASH_IMEI', files)
    expect(await build('HASH_IMEI', 1)).toMatchObject({ size: 3 })
  }
  const more = filesOf('c', 'd')
  await check('HASH_IMEI', more, 2)
  // Killed between the check and the build; a repeated check starts over.
  await check('HASH_IMEI', more, 2)
  await build('HASH_IMEI', 2, { kind: 'append', base_version: 1 })
  await check('HASH_IMEI', more, 2)
  expect(await build('HASH_IMEI', 2, { kind: 'append', base_version: 1 })).toMatchObject({ size: 4 })
  expect(await rowsKept()).toBe(4)
})

test('a failed version leaves nothing in the next one', async () => {
  await check('HASH_IMEI', filesOf('a'))
  await build('HASH_IMEI', 1)
  await check('HASH_IMEI', filesOf('b'), 2)
  await build('HASH_IMEI', 2, { kind: 'append', base_version: 1 })
  // This version never came into force.
  await check('HASH_IMEI', filesOf('c'), 3)
  expect(await build('HASH_IMEI', 3, { kind: 'append', base_version: 1 })).toMatchObject({ size: 2 })
  expect(await values('HASH_IMEI', 3)).toEqual([md5('a'), md5('c')])
})

test('leftovers of an unfinished version are found and discarded', async () => {
  await check('HASH_IMEI', filesOf('a'), 7)
  expect(await store.unfinished()).toEqual([{ crowd_id: CROWD.crowd_id, version: 7 }])
  await store.discard(CROWD.adv_id, CROWD.crowd_id, 7)
  expect(await store.unfinished()).toEqual([])
})

test('a stopped check ends and leaves no tables of lines behind', async () => {
  const stop = new AbortController()
  const stopped = check('HASH_IMEI', [aFile(md5('a')), aFile(md5('b')), aFile(md5('c'))], 1, {
    signal: stop.signal,
    progress: () => stop.abort(new Error('stopped')),
  })
  await expect(stopped).rejects.toThrow('stopped')
  const left = await warehouse.load.acrossShards.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE name LIKE '%\\_raw'`,
  )
  expect(left).toEqual([])
  await store.discard(CROWD.adv_id, CROWD.crowd_id, 1)
})

test('plain identifiers are stored encrypted and read back', async () => {
  await check('OAID', [aFile('aBc-1\n"x"\naBc-1\n有\n')])
  expect(await build('OAID', 1)).toMatchObject({ size: 2 })
  expect(await values('OAID', 1)).toEqual(['aBc-1', 'x'])
  const [found] = await warehouse.load.acrossShards.query<{ n: number }>(
    `SELECT countIf(position(value, 'aBc') > 0) AS n FROM crowd_identifier`,
  )
  expect(found?.n).toBe(0)
})

test('an engine on another machine receives the lines and gives the same result', async () => {
  const content = `${md5('a')}\nnone\n${md5('b')}\r\n"${md5('a')}"\n\n`
  const here = await check('HASH_IMEI', [aFile(content)])
  const load = { ...warehouse.load, oneNode: { ...warehouse.load.oneNode, readsFiles: false } }
  const away = identifierStore({ warehouse: { load }, dataDir, personKey: key })
  const file = aFile(content)
  expect(await check('HASH_IMEI', [file], 2, { store: away })).toEqual(here)
  expect(malformedText(away.malformedPath(file.file_id))).toContain('\n2,应为 32 位十六进制字符,none\n')
})

test('hashes keep leading and trailing zero bytes', async () => {
  const hashes = [`${'1'.repeat(30)}00`, `00${'1'.repeat(30)}`, '0'.repeat(32)]
  await check('HASH_IMEI', [aFile(hashes.join('\n'))])
  await build('HASH_IMEI', 1)
  expect(await values('HASH_IMEI', 1)).toEqual(hashes.toSorted())
})

/** A person with an identifier as an import stores it. */
async function aPerson(uid: number, type: IdentifierType | 'MOBILE_PHONE', text: string) {
  const { forms } = importedIdentifier(type, `'${text}'`, key)
  for (const { id_type, value } of forms)
    await warehouse.load.acrossShards.command(`INSERT INTO identifier SELECT 1, '${id_type}', ${value}, ${uid}, 0`)
}

test('people are matched by every form that can be compared and become members', async () => {
  const imei = '860123456789012'
  const hash = (name: 'MD5' | 'SHA256', text: string) =>
    warehouse.load.acrossShards
      .query<{ v: string }>(`SELECT lower(hex(${name}('${text}'))) AS v`)
      .then((rows) => rows[0]?.v as string)
  const hashed = await hash('MD5', imei)
  const twice = await hash('SHA256', hashed)
  await aPerson(1, 'IMEI', imei)
  await aPerson(2, 'HASH_IMEI', hashed)
  await aPerson(2_000_000, 'MD5_SHA256_IMEI', twice)
  await aPerson(4, 'IMEI', '860123456789013')
  await aPerson(5, 'MOBILE_PHONE', '13800138000')
  for (const [type, value] of [
    ['IMEI', imei],
    ['HASH_IMEI', hashed],
    ['MD5_SHA256_IMEI', twice],
  ] as const) {
    await store.dropCrowd(CROWD.adv_id, CROWD.crowd_id)
    await check(type, [aFile(value)])
    expect(await build(type, 1), type).toEqual({ size: 1, matched: 3 })
    const members = await warehouse.load.acrossShards.query<{ uid: number }>(
      `SELECT arrayJoin(bitmapToArray(bitmap)) AS uid FROM crowd_member WHERE crowd_id = ${CROWD.crowd_id} AND version = 1 ORDER BY uid`,
    )
    expect(members.map((row) => row.uid)).toEqual([1, 2, 2_000_000])
  }
  await aPerson(6, 'IMEI', imei)
  expect(await store.membersOf({ ...CROWD, version: 1, type: 'MD5_SHA256_IMEI' }, 9)).toBe(4)
  await store.dropCrowd(CROWD.adv_id, CROWD.crowd_id)
  await check('SHA256_MOBILE_PHONE', [aFile(await hash('SHA256', '13800138000'))])
  expect(await build('SHA256_MOBILE_PHONE', 1)).toEqual({ size: 1, matched: 1 })
})

test('every type takes values of its format, and nothing of another advertiser matches', async () => {
  expect(Object.keys(IDENTIFIERS)).toHaveLength(15)
  await warehouse.load.acrossShards.command(
    `INSERT INTO identifier SELECT 2, 'HASH_QQ', lower(hex(MD5('12345'))), 1, 0`,
  )
  await check('QQ', [aFile('12345\n1234\n')])
  expect(await build('QQ', 1)).toEqual({ size: 1, matched: 0 })
})
